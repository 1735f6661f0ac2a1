/// The bounded run queue: client programs, mutants, broken algorithms.
#ifndef LICIT_SUITES_RUN_QUEUE_HPP
#define LICIT_SUITES_RUN_QUEUE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <licit/checker/site_rules.hpp>
#include <licit/deque/run_queue.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/client.hpp"
#include "suites/every/onward_client.hpp"
#include "suites/program.hpp"

namespace licit::suites {

/// The owner takes what nobody but itself overwrites: those sites have no role.
inline const site_rules_for<run_queue_orders> run_queue_site_rules{
    {"room.head", "head"},
    {"overflow.claim", "head"},
    {"pop.claim", "head"},
    {"steal.head", "head"},
    {"half.head", "head"},
    {"push.own", "tail"},
    {"pop.own", "tail"},
    {"overflow.own", "tail"},
    {"steal.tail", "tail"},
    {"half.tail", "tail"},
    {"half.own", "tail"},
    {"push.item", "slot", ghost_role::overwrite},
    {"half.copy", "slot", ghost_role::overwrite},
    {"steal.item", "slot", ghost_role::guess},
    {"half.first", "slot", ghost_role::guess},
    {"half.item", "slot", ghost_role::guess},
    {"steal.claim", nullptr, ghost_role::claim},
    {"half.claim", nullptr, ghost_role::claim},
};

/// A queue for each thread: queue i is thread i's. Thread 0 pushes into its own; the main thread may fill any queue
/// before the threads start. Where queues are filled from several others (`mixed`), their items are in no order.
template <class Model, template <class, class> class Queue>
class queue_client {
 public:
  static constexpr bool self_contained = true;
  enum : std::uint8_t { push_word, try_word, offer_word, insist_word, pop_word, steal_word, half_word, fill_word };
  static constexpr std::array words{"push", "try",   "offer", "insist",
                                    "pop",  "steal", "half"};  // steal(from), half(from,most)
  static constexpr std::array before{"fill"};                  // fill(queue,items)
  enum : std::uint8_t { capacity_of_each, mixed };
  static constexpr std::array settings{"capacity", "mixed"};

  explicit queue_client(const line& l)
      : queues_{l.threads, run_queue_options{.capacity = l.setting(capacity_of_each, 2)}},
        items_{count(l)},
        mixed_{l.setting(mixed, 0) != 0} {}

  static const char* refuses(const line& l) {
    std::array<std::size_t, line::most_threads> filled{};
    for (const call& c : l.before) {
      if (c.word != fill_word || c.at(0, 0) >= l.threads) continue;
      std::size_t& items = filled[c.at(0, 0)];
      items += c.at(1, 1);
      if (items > l.setting(capacity_of_each, 2)) return "a queue is filled beyond its capacity";
    }
    if (l.threads > 3) return "more than 3 threads";
    return count(l) > most_items ? too_many_items : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word < pop_word) return thread != 0 ? owners_only : nullptr;
    if (c.word == pop_word) return nullptr;
    if (c.at(0, 0) >= l.threads) return no_such_deque;
    return c.word == half_word && c.at(0, 0) == thread ? "a thread does not steal from itself" : nullptr;
  }

  void prepare(const call& c) {
    for (std::size_t n = c.at(1, 1); n != 0; --n) {
      Model::check(queues_[c.at(0, 0)].try_push(items_.open()), "a push before all others found the queue full");
    }
  }
  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case push_word: return push();
      case try_word: return try_push();
      case offer_word: return offer();
      case insist_word: return insist();
      case pop_word: return pop(thread);
      case steal_word: return steal(thread, c.at(0, 0));
      default: return half(thread, c.at(0, 0), c.at(1, most_at_once));
    }
  }

  /// What is left is taken; then every item pushed has been. A thread that was stopped for good may have a batch in its
  /// hands, and nobody can pop its queue.
  void settle() {
    int in_hand = 0;
    for (unsigned i = 0; i != queues_.size(); ++i) {
      drain(i);
      in_hand += Model::stalled(i) ? static_cast<int>(capacity() / 2) + 1 : 0;
    }
    items_.settle(in_hand);
  }
  void leave() {
    std::size_t left = 0;
    for (const auto& q : queues_) left += q.size();
    Model::check(left <= static_cast<std::size_t>(items_.opened()), "more items left than were pushed");
  }

 protected:
  using queue = Queue<int, Model>;

  queue& at(std::size_t i) { return queues_[i]; }

  /// Thread i, from another's queue into its own.
  bool half(unsigned i, std::size_t from, std::size_t most) {
    const std::size_t room = capacity() - queues_[i].size();  // at least, by the time of the theft
    const auto got =
        Model::within(most == 0 ? 0 : half_operations(), [&] { return queues_[from].steal_half(queues_[i], most); });
    if (!got) {
      Model::check(most != 0 || got.is_empty(), "a theft of no item was lost");
      return false;
    }
    Model::check(got.moved() <= capacity() / 2, "more than half of the items were moved");
    Model::check(got.moved() < most, "more items were moved than asked for");
    if (queues_.size() == 2 && !mixed_) {
      Model::check(got.moved() <= room, "more items were moved than there was room for");
    }
    stolen_one(i, from, *got);
    return true;
  }

 private:
  // What wait-free means here: an operation's own atomic operations, whatever the other threads do.
  static constexpr std::size_t push_operations = 9;  // and half of the capacity, when it overflows
  static constexpr std::size_t steal_operations = 4;
  [[nodiscard]] std::size_t pop_operations() const { return 1 + 2 * (capacity() + 1); }
  [[nodiscard]] std::size_t half_operations() const { return 7 + capacity(); }

  static std::size_t count(const line& l) {
    std::size_t items = l.count(push_word) + l.count(try_word) + l.count(offer_word) + l.count(insist_word);
    for (const call& c : l.before) items += c.word == fill_word ? c.at(1, 1) : 0;
    return items;
  }
  [[nodiscard]] std::size_t capacity() const { return queues_[0].capacity(); }

  /// Takes what overflows, on the owner's thread.
  struct taking {
    queue_client& all;
    int pushed;

    void reserve(std::size_t items) const {
      Model::check(items == all.capacity() / 2 + 1, "an overflow of another number than half and one");
    }
    void take(std::span<const int> batch) const noexcept {
      Model::check(batch.size() == all.capacity() / 2 + 1, "a batch of another number than half and one");
      Model::check(batch.back() == pushed, "a batch does not end with the item that was pushed");
      for (const int item : batch.first(batch.size() - 1)) {
        all.ordered(item, 0, 0, "FIFO: an overflow gave an older item after a younger one");
        Model::check(item < pushed, "a batch has an item that is younger than the pushed one");
        all.items_.take(item);
      }
      all.items_.take(pushed);
    }
  };
  struct no_room {};
  struct refusing {
    static void reserve(std::size_t /*items*/) { throw no_room{}; }
    static void take(std::span<const int> /*items*/) noexcept { Model::check(false, "a batch that was refused"); }
  };

  /// Thread 0. A full queue gives half to the sink, and the item with it.
  bool push() {
    const int item = items_.open();
    taking sink{*this, item};
    Model::within(push_operations + capacity(), [&] { queues_[0].push(item, sink); });
    return true;
  }
  /// Thread 0: whether there was room. A queue that the owner knows to have room is never full.
  bool try_push() {
    if (queues_[0].size() == capacity()) return false;
    const int item = items_.open();
    const bool done = Model::within(push_operations, [&] { return queues_[0].try_push(item); });
    Model::check(done, "a push found no room where the owner saw some");
    return true;
  }
  /// Thread 0: whether there was room; if not, the owner takes the item itself.
  bool offer() {
    const int item = items_.open();
    const bool done = queues_[0].try_push(item);
    if (!done) items_.take(item);
    return done;
  }
  /// Thread 0: a push whose sink has no room for a batch. The owner keeps the item, pops one, and pushes it then.
  bool insist() {
    const int item = items_.open();
    try {
      refusing sink;
      queues_[0].push(item, sink);
    } catch (const no_room&) {
      (void)pop(0);
      Model::check(queues_[0].try_push(item), "no room after a pop");
    }
    return true;
  }
  /// Thread i, from its own queue: the oldest; no item means that all were taken.
  bool pop(unsigned i) {
    const auto got = Model::within(pop_operations(), [&] { return queues_[i].pop(); });
    if (!got) {
      Model::check(queues_[i].empty(), "pop found nothing, and its owner sees items");
      return false;
    }
    ordered(*got, i, i, "FIFO: a pop brought an older item after a younger one");
    items_.take(*got);
    return true;
  }
  /// Thread i, one item from another's queue.
  bool steal(unsigned i, std::size_t from) {
    const auto got = Model::within(steal_operations, [&] { return queues_[from].steal(); });
    if (got) stolen_one(i, from, *got);
    return static_cast<bool>(got);
  }
  void stolen_one(unsigned i, std::size_t from, int item) {
    ordered(item, i, from, "FIFO: a thief got an older item after a younger one");
    items_.take(item);
  }
  /// Each thread gets the items of each queue in the order in which they came into it.
  void ordered(int item, unsigned i, std::size_t from, const char* property) {
    Model::check(mixed_ || item > last_[i][from], property);
    last_[i][from] = item;
  }
  void drain(unsigned i) {
    if (Model::stalled(i)) {
      while (const auto one = queues_[i].steal()) items_.take(*one);
    } else {
      while (const auto one = queues_[i].pop()) items_.take(*one);
    }
    Model::check(queues_[i].empty(), "items are left where none was found");
  }

  static constexpr unsigned most_threads = 3;

  cells<queue, most_threads> queues_;
  account<Model> items_;
  bool mixed_;
  std::array<std::array<int, most_threads>, most_threads> last_{};  // each row one thread's
};

template <class Model>
using run_queue_client = queue_client<Model, run_queue>;

inline constexpr std::array run_queue_lines{
    client_line{"last_item", "capacity=2: push pop | steal",
                "owner and thief race for the last item: one of them gets it", reach::full},
    client_line{"empty_pop", "capacity=2: pop push pop pop | steal",
                "pops on an empty queue, before and after an item that a thief may take", reach::full},
    client_line{"overwrite", "capacity=2: try try try | steal",
                "two slots: the owner overwrites one only after the thief has read it", reach::full},
    client_line{"half_overwrite", "capacity=4 fill(0,4): try try try | half pop pop",
                "half of a full queue is stolen, and its slots are written again", reach::bounded},
    client_line{"half_of_none", "capacity=2 fill(0,2): pop | half(0,0) half(0,1)",
                "a thief that asks for no item takes none and touches nothing"},
    client_line{"no_false_empty", "capacity=4 fill(0,1): pop push tell push | told half!",
                "a theft finds an item whose push happens before it, if nobody else takes it", reach::full},
    client_line{"refused", "capacity=2 fill(0,2): insist | steal",
                "the sink has no room: the owner keeps the item and pushes it later", reach::full},
    client_line{"most", "capacity=4 fill(0,4): pop | half(0,1) half(0,0)",
                "a thief asks for one item, then for none, which counts as one", reach::full},
    client_line{"half", "capacity=4: push push push pop | half pop", "half is stolen while it is pushed and popped",
                reach::bounded},
    client_line{"two_halves", "capacity=4 fill(0,3): push pop | half half pop",
                "a thief takes half, and half of the rest, while the owner pops", reach::bounded},
    client_line{"little_room", "capacity=4 fill(1,3) fill(0,4): pop | half half pop",
                "a thief with room for one moves one item, and a thief with no room takes one", reach::bounded},
    client_line{"overflow", "capacity=2 fill(0,1): push push push pop | steal steal",
                "a full queue gives half to the sink while a thief takes from it", reach::bounded},
    client_line{"half_overflow", "capacity=4 fill(0,4): push push pop | half pop",
                "a full queue gives half to the sink while a thief takes half", reach::bounded},
    client_line{"destruction", "capacity=4 leave: push push push push | half",
                "items left in both queues: all memory comes back when they go", reach::bounded},
    client_line{"filled_while_stolen_from", "capacity=4: push push push | half pop | steal(1)",
                "a thief's own queue is stolen from while it is being filled", reach::bounded},
    client_line{"stolen_on", "capacity=4 fill(0,3) fill(1,1): pop | half | half(1) pop",
                "half of a thief's own queue is stolen on: what came with it is visible", reach::bounded},
    client_line{"room_made", "capacity=2 fill(1,2) fill(0,2): push | pop half half | steal(1)",
                "a thief's full queue is stolen from while the thief looks for room there", reach::bounded},
    client_line{"two_thieves", "capacity=4 fill(0,2): push push pop | half | half pop",
                "two thieves of half, and an owner that pushes and pops: each item once, each thief in order",
                reach::sampled},
    client_line{"both_ways", "capacity=4 mixed=1 fill(0,3) fill(1,2): push half(1) pop | half pop half",
                "two owners steal half of each other's queues, so items go back and forth", reach::bounded},
    client_line{"crowd", "capacity=4 fill(0,3): push push pop push | half pop half | half(1) steal",
                "an owner that pushes, pops and overflows, a thief of half, and a thief of that thief", reach::sampled},
};

/// Queues that start just below the largest index, so that a program passes it.
template <class Model>
using late_queue_client = run_queue_client<with_rules<Model, run_queue_rules<>{.start = ~std::uint64_t{0} - 2}>>;

inline constexpr std::array late_queue_lines{
    client_line{"wrap_around", "capacity=2: push push pop push push pop | steal steal",
                "slots are overwritten, and the indices pass their largest value", reach::bounded},
    client_line{"half_wraps_around", "capacity=4 fill(0,2): push push pop push | half pop half",
                "half is stolen across the largest index, and the slots are written again", reach::bounded},
    client_line{"lap_two_thieves", "capacity=2 fill(0,1): push push pop push push | half steal | half",
                "two thieves on two slots that are overwritten and overflow, past the largest index", reach::sampled},
};

inline constexpr std::array run_queue_mutants{
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, {}},
    mutant{"room.head relaxed", {"room.head", change::weaken}, no_load_buffering},
    mutant{"steal.tail relaxed", {"steal.tail", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"half.tail relaxed", {"half.tail", change::weaken}, {}},
    mutant{"half.claim relaxed", {"half.claim", change::weaken}, no_load_buffering},
    mutant{"half.publish relaxed", {"half.publish", change::weaken}, {}},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"half.claim a blind store", {"half.claim", change::blind_store}, {}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, {}},
    mutant{"overflow.claim a blind store", {"overflow.claim", change::blind_store}, {}},
    mutant{"push publishes nothing", {"push.publish", change::drop}, {}},
    mutant{"half publishes nothing", {"half.publish", change::drop}, {}},
    mutant{"half copies one too few", {"half.copy", change::drop_first}, {}},
};

/// An index of so many bits. Differences are signed, as those of the queue's own indices.
template <unsigned Bits>
struct short_index {
  static constexpr std::size_t mask = (std::size_t{1} << Bits) - 1;
  static constexpr std::int64_t half = std::int64_t{1} << (Bits - 1);

  std::uint8_t bits;  // all public and trivial, as an atomic asks for

  static constexpr short_index of(std::size_t number) { return {static_cast<std::uint8_t>(number & mask)}; }
  friend constexpr short_index operator+(short_index i, std::size_t n) { return of(i.bits + n); }
  friend constexpr short_index operator-(short_index i, std::size_t n) { return of(i.bits - n); }
  friend constexpr std::int64_t operator-(short_index a, short_index b) {
    const auto apart = static_cast<std::int64_t>((std::size_t{a.bits} - b.bits) & mask);
    return apart < half ? apart : apart - 2 * half;
  }
  friend constexpr bool operator==(short_index, short_index) = default;
  explicit constexpr operator std::size_t() const { return bits; }
};

template <class Model, class Position>
struct counted_by : Model {
  static constexpr auto replaced(run_queue_rules<> /*r*/) { return run_queue_rules<Position>{}; }
};
template <class Model>
using three_bits_client = run_queue_client<counted_by<Model, short_index<3>>>;
/// One bit more than the eight items need that pass by: right.
template <class Model>
using four_bits_client = run_queue_client<counted_by<Model, short_index<4>>>;
/// Differences that are not signed.
template <class Model>
using unsigned_client = run_queue_client<counted_by<Model, std::uint32_t>>;

/// A queue that takes every slot for a free one.
template <class Model>
using overfilling_client = run_queue_client<with_rules<Model, run_queue_rules<>{.counts_room = false}>>;

/// Eight items pass by a thief that stands between its look and its claim.
inline constexpr std::array three_bits_lines{
    client_line{"index_comes_round", "capacity=2: (push pop)*8 push | steal",
                "indices of three bits: a stale claim succeeds eight items later"}};
inline constexpr std::array four_bits_lines{client_line{"index_is_wide_enough", "capacity=2: (push pop)*8 push | steal",
                                                        "indices of four bits: a stale claim fails eight items later"}};
inline constexpr std::array unsigned_lines{
    client_line{"number_underflows", "capacity=4: push pop | half",
                "unsigned differences: a head newer than the tail gives items that are not there"}};
inline constexpr std::array overfilling_lines{
    client_line{"room_not_counted", "capacity=4 fill(1,4) fill(0,4): | half",
                "a thief that does not count its own room copies over what it has"}};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_run_queue = specified_client<Model, run_queue, run_queue_options, queue_promise>;

template <class Model>
using every_onward_queue = onward_client<Model, run_queue, run_queue_options, onward_as_known<onward_queue_promise>>;

struct run_queue_suite {
  static constexpr const auto& orders = run_queue_orders;
  static constexpr const auto& mutants = run_queue_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<run_queue_client>(run_queue_lines);
    to.template lines<late_queue_client>(late_queue_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<three_bits_client>(three_bits_lines);
    to.template lines<unsigned_client>(unsigned_lines);
    to.template lines<overfilling_client>(overfilling_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_run_queue>();
    to.template specified<every_onward_queue>();
  }
};

}  // namespace licit::suites

#endif
