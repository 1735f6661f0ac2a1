/// The LIFO slot: client programs, mutants.
#ifndef LICIT_SUITES_LIFO_SLOT_HPP
#define LICIT_SUITES_LIFO_SLOT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <licit/scheduler/lifo_slot.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/parts.hpp"
#include "suites/every/slot_client.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<lifo_slot_orders> lifo_slot_site_rules{
    {"put.store", "slot"},  {"put.swap", "slot"},   {"take.swap", "slot"},    {"steal.look", "slot"},
    {"steal.swap", "slot"}, {"empty.look", "slot"}, {"take_if.look", "slot"},
};

/// One slot, over `SlotModel`. Thread 0 owns it. A thread that takes an item, or gets one back, accounts for it at
/// once.
template <class Model, class SlotModel>
class lifo_slot_client_over {
 public:
  enum : std::uint8_t { put_word, take_word, steal_word, take_last_word };
  static constexpr std::array words{"put", "take", "steal", "take_last"};
  static constexpr std::array<const char*, 0> settings{};

  explicit lifo_slot_client_over(const line& l) : items_{l.count(put_word)} {}

  static const char* refuses(const line& l) { return l.count(put_word) > most_items ? too_many_items : nullptr; }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    return thread != 0 && c.word != steal_word ? owners_only : nullptr;
  }
  static bool interchangeable(const line& /*l*/, unsigned thread, const call& /*c*/) { return thread != 0; }

  bool perform(unsigned /*thread*/, const call& c) {
    switch (c.word) {
      case put_word: put(); return true;
      case take_word: return take();
      case take_last_word: return take_last();
      default: return steal();
    }
  }

  /// What is left is stolen; then every item put was taken. A thread that was stopped for good may have two in its
  /// hands: the one that it puts, and the one that it displaces.
  void settle() {
    int in_hand = 0;
    for (unsigned t = 0; t != line::most_threads; ++t) in_hand += Model::stalled(t) ? 2 : 0;
    steal();
    Model::check(slot_.empty(), "an item is left where one was taken");
    items_.settle(in_hand);
  }
  void leave() {}

 private:
  /// Only the item that was put last can be displaced.
  void put() {
    const int item = items_.open();
    const int displaced = SlotModel::within(1, [&] { return slot_.put(item); });
    if (displaced != 0) take(displaced, "a put displaced another item than the last one");
    last_ = item;
  }
  /// Nothing means that the item was stolen, or that nothing was put.
  bool take() {
    const int item = SlotModel::within(1, [&] { return slot_.take(); });
    Model::check(slot_.empty(), "the owner has taken what was there, and sees an item");
    if (item != 0) take(item, "the owner took another item than the last one");
    return item != 0;
  }
  /// Only if it is the last, by its name.
  bool take_last() {
    if (last_ == 0 || !SlotModel::within(2, [&] { return slot_.take_if(last_); })) return false;
    items_.take(last_);
    return true;
  }
  bool steal() {
    const int item = SlotModel::within(2, [&] { return slot_.steal(); });
    if (item != 0) items_.take(item);
    return item != 0;
  }
  void take(int item, const char* property) {
    Model::check(item == last_, property);
    items_.take(item);
  }

  lifo_slot<int, SlotModel> slot_;
  account<Model> items_;
  int last_ = 0;  // the owner's
};
template <class Model>
using lifo_slot_client = lifo_slot_client_over<Model, Model>;

inline constexpr std::array lifo_slot_lines{
    client_line{"last_item", "put take | steal", "owner and thief both want the only item"},
    client_line{"by_name", "put take_last put take_last | steal steal",
                "the owner takes an item by its name, or a thief has taken it"},
    client_line{"displaced", "put put | steal", "a put displaces an item that a thief wants"},
    client_line{"never_empty", "put: put | steal!", "a steal finds an item in a slot that is never empty"},
    client_line{"reuse", "put take put take put | steal steal",
                "the owner takes and puts again, by a store, while a thief stands between its look and its swap"},
    client_line{"two_thieves", "put put take | steal | steal", "two thieves, and an owner that displaces and takes"},
};

inline constexpr std::array lifo_slot_mutants{
    mutant{"put.store relaxed", {"put.store", change::weaken}},
    mutant{"put.swap relaxed", {"put.swap", change::weaken}},
    mutant{"steal.swap relaxed", {"steal.swap", change::weaken}},
    mutant{"put publishes nothing", {"put.store", change::drop}},
};

/// One read-modify-write of the slot takes two steps, of which the bounds on steps know.
template <class Model, fixed_string Name>
struct torn_slot : torn<Model, Name> {
  template <class Do>
  static decltype(auto) within(std::size_t operations, Do&& perform) {
    return Model::within(operations + 1, std::forward<Do>(perform));
  }
};
template <class Model>
using torn_steal_client = lifo_slot_client<torn_slot<Model, "steal.swap">>;
template <class Model>
using torn_take_client = lifo_slot_client<torn_slot<Model, "take.swap">>;
template <class Model>
using torn_put_client = lifo_slot_client<torn_slot<Model, "put.swap">>;

/// The owner always believes that the slot is empty.
template <class Model>
struct forgetful : Model {
  template <class T>
  class plain : public Model::template plain<T> {
   public:
    using Model::template plain<T>::plain;
    [[nodiscard]] T read() const { return T{}; }
  };
};
template <class Model>
using forgetful_slot_client = lifo_slot_client_over<Model, forgetful<Model>>;

inline constexpr std::array torn_steal_lines{
    client_line{"steal_in_two_steps", "put take | steal", "a thief clears what it has read before"}};
inline constexpr std::array torn_take_lines{
    client_line{"take_in_two_steps", "put take | steal", "the owner clears what it has read before"}};
inline constexpr std::array torn_put_lines{
    client_line{"put_in_two_steps", "put put | steal", "the owner displaces what a thief has taken"}};
inline constexpr std::array forgetful_slot_lines{
    client_line{"put_over_an_item", "put put | steal", "the owner stores though the slot may hold an item"}};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_slot = specified_slot_client<Model, lifo_slot<int, Model>, slot_promise>;

struct lifo_slot_suite {
  static constexpr const auto& orders = lifo_slot_orders;
  static constexpr const auto& mutants = lifo_slot_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<lifo_slot_client>(lifo_slot_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<torn_steal_client>(torn_steal_lines);
    to.template lines<torn_take_client>(torn_take_lines);
    to.template lines<torn_put_client>(torn_put_lines);
    to.template lines<forgetful_slot_client>(forgetful_slot_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_slot>();
  }
};

}  // namespace licit::suites

#endif
