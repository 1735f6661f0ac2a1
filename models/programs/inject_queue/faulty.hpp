/// Models with one operation of the inject queue gone wrong: named by its site, so that the algorithm's source does not
/// know.
#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_FAULTY_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_FAULTY_HPP

#include <cstdint>

#include <licit/scheduler/inject/segment.hpp>

#include "programs/inject_queue/short_segments.hpp"

namespace licit::models::on_inject_queue {

enum class fault {
  cell_left,         ///< a taker that finds no item leaves the cell as it is
  cell_trusted,      ///< a pusher does not look whether its cell was taken
  ticket_uncounted,  ///< beyond the cells a pusher looks at the tail, and takes no ticket
  claim_uncounted,   ///< beyond the cells a taker looks at the head, and claims nothing
  freed_at_once,     ///< a segment goes when both ends have left it
};

/// Segments have one cell.
template <class Model, fault Which>
struct faulty : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using right = typename Model::template atomic<T>;

   public:
    using right::right;

    template <class Site>
    T exchange(T value, Site s) {
      if constexpr (is<Site>(fault::cell_left, "pop.poison")) return T{};
      return right::exchange(value, s);
    }
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      if constexpr (is<Site>(fault::claim_uncounted, "advance.claim")) return true;
      const bool won = right::compare_exchange(expected, desired, s);
      return won || is<Site>(fault::cell_trusted, "push.item");
    }
    template <class Site>
    T fetch_add(T value, Site s) {
      if constexpr (is<Site>(fault::ticket_uncounted, "push.ticket")) {
        const T seen = right::load(order::acquire, "push.ticket");
        if (inject_word<short_segments<Model, 1>>(seen).tickets() != 0) return seen;
      }
      const T before = right::fetch_add(value, s);
      if constexpr (is<Site>(fault::freed_at_once, "finish.count")) {
        using segment = inject_segment<short_segments<Model, 1>>;
        if (value > segment::left / 2 && before > segment::left / 2) return segment::unused - value;
      }
      return before;
    }

   private:
    template <class Site>
    static constexpr bool is(fault f, std::string_view site) {
      return f == Which && Site::entry.site == site;
    }
  };
};

/// A model whose takers look at the head, and then at the tail.
template <class Model>
struct head_first : Model {
  static constexpr bool looks_at_head_first = true;
};

}  // namespace licit::models::on_inject_queue

#endif
