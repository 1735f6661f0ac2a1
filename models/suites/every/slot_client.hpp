/// The client class of generated clients of the LIFO slot.
#ifndef LICIT_SUITES_EVERY_SLOT_CLIENT_HPP
#define LICIT_SUITES_EVERY_SLOT_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// A slot, which thread 0 owns.
template <class Model, class Slot, class Specification>
class specified_slot_client {
 public:
  enum : std::uint8_t { put_word, take_word, last_word, steal_word, empty_word };
  static constexpr std::array words{"put", "take", "take_last", "steal", "empty"};
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  using promise = Specification;

  explicit specified_slot_client(const line& l)
      : items_{l.count(put_word)}, record_{l.before.size(), l.setting(edges, 0) != 0} {}

  static const char* refuses(const line& l) {
    if (l.setting(edges, 0) > 1) return edges_too_many;
    return l.count(put_word) > most_items ? too_many_items : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.numbers != 0) return no_numbers;
    return thread != 0 && c.word < steal_word ? owners_only : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    return record_.perform(thread, [&](done_call& made) { return apply(made, c.word), false; });
  }
  void settle() {
    (void)record_.perform_last([&](done_call& made) { return apply(made, steal_word), false; });
    items_.settle();
    record_.settle();
  }
  void leave() { settle(); }

 private:
  void apply(done_call& made, unsigned word) {
    switch (word) {
      case put_word: return put(made);
      case take_word: return taken(made, deed::take, slot_.take());
      case last_word: return taken(made, deed::take, last_ != 0 && slot_.take_if(last_) ? last_ : 0);
      case steal_word: return taken(made, deed::steal, slot_.steal());
      default: made.what = deed::look, made.count = slot_.empty() ? 0 : 1;
    }
  }
  void put(done_call& made) {
    made.what = deed::put;
    last_ = items_.open();
    made.with.push_back(static_cast<std::uint8_t>(last_));
    if (const int displaced = slot_.put(last_); displaced != 0) take(made, displaced);
  }
  void taken(done_call& made, deed what, int item) {
    made.what = what;
    item == 0 ? void(made.how = ending::empty) : take(made, item);
  }
  void take(done_call& made, int item) {
    items_.take(item);
    made.with.push_back(static_cast<std::uint8_t>(item));
  }

  Slot slot_;
  account<Model> items_;
  int last_ = 0;  // the owner's
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
