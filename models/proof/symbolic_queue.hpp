/// The symbolic policy of the run queue.
#ifndef LICIT_PROOF_SYMBOLIC_QUEUE_HPP
#define LICIT_PROOF_SYMBOLIC_QUEUE_HPP

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "proof/symbolic.hpp"

namespace licit::proof {

/// Of a queue whose ring never grows: that is ring 0. A queue of another capacity than the smallest is another queue.
struct symbolic_queue : symbolic {
  static constexpr std::size_t own_mask = 1;

  template <class T>
  struct places {
    using position = proof::index;
    using count = proof::index;
    using slot_type = atomic<T>;
    using origin = symbolic::origin;
    static position after(const position& p, const count& n) { return p + n; }
    static index items(const position& h, const position& t) { return t - h; }
    static count capacity(std::size_t mask) { return index(std::string(mask == own_mask ? "(cap 0)" : "away.cap")); }
    static count asked(std::size_t most) {
      recorder& r = recorder::running();
      if (most != r.most) throw std::logic_error("licit: a theft of half asks for another number of items");
      return index(r.argument());
    }
    static count claims(const count& n) { return index(recorder::running().named(n.text())); }
    static std::size_t moved(const count& n) { return recorder::running().moved(n.text()); }
    static slot_ref slot(slot_type* /*slots*/, const position& p, std::size_t mask) {
      return {mask == own_mask ? "0" : std::string(away), p.text()};
    }
    static count left(const position& p, std::size_t mask) { return lap(p) + capacity(mask) - p; }
    static origin origin_of(slot_type* /*slots*/, const position& p, std::size_t /*mask*/) { return {lap(p), 0}; }
    static proof::symbolic::address address(const origin& o, const position& p) {
      return {o.first.text(), o.ring.text(), p.text()};
    }
    static slot_ref near(const proof::symbolic::address& found) { return {found.ring, found.i}; }
    template <class Do>
    static void each(const count& first, const count& last, Do&& what) {
      recorder& r = recorder::running();
      const auto with = [&](const std::string& i) { what(index(i)); };
      switch (r.how_loops_run()) {
        case loops::once: return r.each(first.text(), last.text(), [&] { with("i"); });
        case loops::watched: return r.watch(first.text(), last.text(), with);
        case loops::counted: return r.count(first.text(), last.text(), with);
        case loops::claims: throw std::logic_error("licit: this loop has no claims");
      }
    }

   private:
    static index lap(const position& p) { return index("(lap-of 0 " + p.text() + ")"); }
  };

  using symbolic::invariant;
  /// A path on which it does not hold is none.
  static void invariant(int number, bool holds) {
    if (!holds) invariant(number, condition{"false"});
  }
};

}  // namespace licit::proof

#endif
