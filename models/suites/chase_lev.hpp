/// The Chase-Lev deque and its steal-half: client programs, mutants.
#ifndef LICIT_SUITES_CHASE_LEV_HPP
#define LICIT_SUITES_CHASE_LEV_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <licit/deque/asymmetric.hpp>
#include <licit/deque/chase_lev.hpp>
#include <licit/deque/steal_half.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/client.hpp"
#include "suites/program.hpp"

namespace licit::suites {

/// The owner's pop reads what nobody but itself overwrites, and has no role.
inline constexpr std::array chase_lev_sites{site_rule{"steal.top", "top"},
                                            site_rule{"pop.top", "top"},
                                            site_rule{"push.room", "top"},
                                            site_rule{"make.ring", "ring"},
                                            site_rule{"grow.publish", "ring"},
                                            site_rule{"push.own", "bottom"},
                                            site_rule{"pop.own", "bottom"},
                                            site_rule{"steal.bottom", "bottom"},
                                            site_rule{"push.item", "slot", ghost_role::overwrite},
                                            site_rule{"grow.copy", "slot", ghost_role::overwrite},
                                            site_rule{"steal.item", "slot", ghost_role::guess},
                                            site_rule{"grow.read", nullptr, ghost_role::certain},
                                            site_rule{"steal.claim", nullptr, ghost_role::claim}};
inline const site_rules_for<chase_lev_orders> chase_lev_site_rules{std::span<const site_rule>(chase_lev_sites),
                                                                   {{"half.top", "top"},
                                                                    {"half.item", "slot", ghost_role::guess},
                                                                    {"half.bottom", "bottom"},
                                                                    {"half.again", "bottom"},
                                                                    {"half.claim", nullptr, ghost_role::claim}}};

/// One deque. Thread 0 owns it, the others are its thieves.
template <class Model>
class chase_lev_client {
 public:
  static constexpr bool self_contained = true;
  enum : std::uint8_t { push_word, pop_word, steal_word, pop_if_word };
  static constexpr std::array words{"push", "pop", "steal", "pop_if"};
  enum : std::uint8_t { capacity, maximum };
  static constexpr std::array settings{"capacity", "maximum"};

  explicit chase_lev_client(const line& l)
      : deque_{options(l)}, maximum_{options(l).maximum_capacity}, items_{l.count(push_word)} {}

  static const char* refuses(const line& l) { return l.count(push_word) > most_items ? too_many_items : nullptr; }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.numbers != 0) return "there is one deque: a number says nothing here";
    return thread != owner && c.word != steal_word ? owners_only : nullptr;
  }
  static bool interchangeable(const line& /*l*/, unsigned thread, const call& /*c*/) { return thread != owner; }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case push_word: return push();
      case pop_word: return pop();
      case pop_if_word: return pop_if();
      default: return steal(thread);
    }
  }

  /// What is left is taken; then every item pushed has been. A thread that was stopped for good may have one in its
  /// hand; an owner that was cannot pop.
  void settle() {
    if (Model::stalled(owner)) {
      while (const auto left = deque_.steal()) items_.take(*left);
    } else {
      while (pop()) {
      }
    }
    int in_hand = 0;
    for (unsigned t = 0; t != line::most_threads; ++t) in_hand += Model::stalled(t) ? 1 : 0;
    items_.settle(in_hand);
  }
  void leave() {
    Model::check(deque_.size() <= static_cast<std::size_t>(items_.opened()), "more items left than were pushed");
  }

 private:
  static constexpr unsigned owner = 0;

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth copies each
  // item by a load and a store.
  static constexpr std::size_t push_operations = 7;
  static constexpr std::size_t pop_operations = 7;
  static constexpr std::size_t steal_operations = Model::asymmetric ? 7 : 6;  // steal.look too

  static deque_options options(const line& l) {
    deque_options o{.initial_capacity = l.setting(capacity, 1)};
    o.maximum_capacity = l.setting(maximum, o.maximum_capacity);
    return o;
  }

  /// False when the deque is at its maximum capacity.
  bool push() {
    if (deque_.size() == maximum_) return false;  // never too low for the owner: otherwise there is room
    const int item = items_.open();
    mine_[depth_++] = item;
    Model::within(push_operations + 2 * deque_.capacity(), [&] { deque_.push(item); });
    return true;
  }
  /// LIFO: a popped item is the youngest that was not popped before; no item means that all were stolen.
  bool pop() {
    const auto got = Model::within(pop_operations, [&] { return deque_.pop(); });
    if (!got) {
      depth_ = 0;
      return false;
    }
    Model::check(depth_ != 0 && *got == mine_[depth_ - 1], "LIFO: pop did not return the owner's youngest item");
    --depth_;
    items_.take(*got);
    return true;
  }
  /// By its name. If it is not there, all were stolen; and what is not the youngest is not taken.
  bool pop_if() {
    const int youngest = depth_ == 0 ? 0 : mine_[depth_ - 1];
    Model::check(!Model::within(2, [&] { return deque_.pop_if(youngest + 1); }), "an item that was never pushed");
    if (youngest == 0 || !Model::within(2 + pop_operations, [&] { return deque_.pop_if(youngest); })) {
      depth_ = 0;
      return false;
    }
    --depth_;
    items_.take(youngest);
    return true;
  }
  /// FIFO: each thief's items come in the order of their push.
  bool steal(unsigned thread) {
    const auto got = Model::within(steal_operations, [&] { return deque_.steal(); });
    if (!got) return false;
    Model::check(*got > last_[thread], "FIFO: a thief got an older item after a younger one");
    last_[thread] = *got;
    items_.take(*got);
    return true;
  }

  chase_lev<int, Model> deque_;
  std::size_t maximum_;
  account<Model> items_;
  std::array<int, most_items> mine_{};          // owner's: pushed and not popped, oldest first
  std::size_t depth_ = 0;                       // of mine_
  std::array<int, line::most_threads> last_{};  // each entry one thief's
};

inline constexpr std::array chase_lev_lines{
    client_line{"last_item", "capacity=1: push pop | steal",
                "owner and thief race for the last item: one of them gets it", reach::full},
    client_line{"empty_pop", "capacity=1: pop push pop pop | steal",
                "pops on an empty deque, before and after an item that a thief may take", reach::full},
    client_line{"by_name", "capacity=2: push push pop_if pop_if push pop_if | steal steal",
                "the owner takes its youngest item by its name, or thieves have taken it", reach::bounded},
    client_line{"overwrite", "capacity=1 maximum=1: push push | steal",
                "one slot: the owner overwrites it only after the thief has read it", reach::full},
    client_line{"no_false_empty", "capacity=1: push tell push | told steal!",
                "a steal finds an item whose push happens before it, if nobody else takes it", reach::full},
    client_line{"refill", "capacity=2: push pop push | steal steal",
                "push pop push against two steals: the thief may read what pop restored", reach::bounded},
    client_line{"two_items", "capacity=2: push push pop pop | steal steal",
                "push push pop pop against two steals: a thief may read either store of pop", reach::bounded},
    client_line{"wrap_around", "capacity=2 maximum=2: push push pop push push pop push | steal steal",
                "push, pop and steal on a ring of two: slots are overwritten", reach::bounded},
    client_line{"lap_back", "capacity=2 maximum=2: push push push pop pop | steal",
                "the owner pushes into the next lap of its ring, and pops back into the one before", reach::bounded},
    client_line{"growth", "capacity=1: push push push pop | steal steal",
                "two growths while a thief steals: no item is forgotten, no ring's fields race", reach::bounded},
    client_line{"destruction", "capacity=1 leave: push push push | steal",
                "items left, rings retired: all memory comes back when the deque goes", reach::bounded},
    client_line{"last_item_two_thieves", "capacity=1: push pop | steal | steal",
                "owner and two thieves race for the last item", reach::bounded},
    client_line{"two_thieves", "capacity=4: push push push pop | steal steal | steal steal",
                "two thieves and an owner that pops once: each item once, each thief in order", reach::bounded},
    client_line{"crowd", "capacity=4: push push push pop pop pop | steal steal | steal steal",
                "two thieves of two steals, and an owner that pops all it pushed", reach::sampled},
    client_line{"lap_two_thieves", "capacity=2 maximum=2: push push pop push push | steal steal | steal steal",
                "two thieves on a ring of two that is overwritten under them", reach::sampled},
    client_line{"growth_two_thieves", "capacity=1: push push push pop push | steal steal | steal steal",
                "two growths under two thieves: each may hold another ring", reach::sampled},
};

/// Where no slot serves two indices, a thief's guess is an item whose push happens before the guess: the thief has read
/// a bottom above the item, whatever store that bottom came from. That must hold also if its claim then fails. Here the
/// claim of a thief that read a restored bottom always fails, because the owner's claim comes before that store; a
/// machine may store first (load buffering, which the checker does not explore), and let the thief win. So each slot
/// has a plain cell an item beside it, which the push writes and the guess reads.
template <class Model>
struct guesses_published : Model {
  static constexpr std::size_t items = 3;

  template <class T>
  class atomic : public Model::template atomic<T> {
   public:
    using base = typename Model::template atomic<T>;
    using base::base;

    template <class Site>
    T load(Site site) const {
      const T value = base::load(site);
      if constexpr (std::string_view(Site::entry.site) == "steal.item") {
        Model::check(value >= 1 && value <= static_cast<T>(items),
                     "a guess at a slot that no push is known to have written");
        (void)published_[static_cast<std::size_t>(value - 1)].read();
      }
      return value;
    }
    template <class Site>
    void store(T value, Site site) {
      if constexpr (std::string_view(Site::entry.site) == "push.item") {
        published_[static_cast<std::size_t>(value - 1)].write(1);
      }
      base::store(value, site);
    }

   private:
    std::array<typename Model::template plain<int>, items> published_;
  };
};
template <class Model>
using published_client = chase_lev_client<guesses_published<Model>>;

inline constexpr std::array published_lines{
    client_line{"restored_bottom", "capacity=2: push push pop push pop | steal steal",
                "an index is used twice: the bottom that pop puts back publishes the item that lies there now",
                reach::bounded},
};

/// Deques of their own for several threads: deque i is thread i's; a thread without one only steals. Items are opened
/// by the main thread, before the others start, and by thread 0. Where no two deques are filled from each other
/// (`mixed`), each deque holds its items in the order of their numbers, and so do pops and steals bring them.
template <class Model>
class half_client {
 public:
  static constexpr bool self_contained = true;
  enum : std::uint8_t { push_word, pop_word, steal_word, half_word, fill_word };
  static constexpr std::array words{"push", "pop", "steal", "half"};  // steal(from), half(from,most)
  static constexpr std::array before{"fill"};                         // fill(deque,items)
  enum : std::uint8_t { capacity, maximum, own_capacity, own_maximum, deques, mixed };
  static constexpr std::array settings{"capacity", "maximum", "own", "own-maximum", "deques", "mixed"};

  explicit half_client(const line& l)
      : items_{count(l)},
        mixed_{l.setting(mixed, 0) != 0},
        maximum_{l.setting(maximum, items_.most())},
        most_at_once_{(items_.most() + 1) / 2} {
    deques_[0].emplace(options(l, capacity, maximum));
    for (std::size_t i = 1; i != l.setting(deques, 2); ++i) deques_[i].emplace(options(l, own_capacity, own_maximum));
    youngest_.fill(above_all);
  }

  static const char* refuses(const line& l) {
    if (l.threads > most_threads) return "more than 3 threads";
    if (const std::size_t all = l.setting(deques, 2); all == 0 || all > most_threads) return "deques is from 1 to 3";
    return count(l) > most_items ? too_many_items : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    const std::size_t all = l.setting(deques, 2);
    if (c.word == push_word) return thread != 0 ? owners_only : nullptr;
    if (c.word == pop_word) return thread < all ? nullptr : "this thread has no deque";
    if (c.at(0, 0) >= all) return no_such_deque;
    if (c.word != half_word) return nullptr;
    if (thread >= all) return "this thread has no deque";
    return c.at(0, 0) == thread ? "a thread does not steal from itself" : nullptr;
  }
  static bool interchangeable(const line& l, unsigned t, const call& /*c*/) { return t >= l.setting(deques, 2); }

  void prepare(const call& c) {
    for (std::size_t n = c.at(1, 1); n != 0; --n) deques_[c.at(0, 0)]->push(items_.open());
  }
  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case push_word: return push();
      case pop_word: return pop(thread);
      case steal_word: return steal(thread, c.at(0, 0));
      default: return half(thread, c.at(0, 0), c.at(1, 32));
    }
  }

  /// What is left is taken; then every item has been. A thread that was stopped for good may have one in its hand, or
  /// two in the middle of a theft; nobody can pop its deque.
  void settle() {
    int in_hand = 0;
    for (unsigned i = 0; i != most_threads; ++i) in_hand += Model::stalled(i) ? 2 : 0;
    for (unsigned i = 0; i != most_threads; ++i) {
      if (!deques_[i]) continue;
      if (Model::stalled(i)) {
        while (const auto left = deques_[i]->steal()) items_.take(*left);
      } else {
        while (pop(i)) {
        }
      }
    }
    items_.settle(in_hand);
  }
  void leave() {
    std::size_t left = 0;
    for (const auto& d : deques_) left += d ? d->size() : 0;
    Model::check(left <= static_cast<std::size_t>(items_.opened()), "more items left than were pushed");
  }

 private:
  static constexpr unsigned most_threads = 3;
  static constexpr int above_all = static_cast<int>(most_items) + 1;

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth copies each
  // item by a load and a store. An item that comes along costs a look at the room, one at the victim, a claim, a push.
  static constexpr std::size_t push_operations = 7;
  static constexpr std::size_t pop_operations = 7;
  static constexpr std::size_t steal_operations = Model::asymmetric ? 7 : 6;  // steal.look too
  [[nodiscard]] std::size_t half_operations() const {
    constexpr std::size_t looks = Model::asymmetric ? steal_operations : 1 + 3;
    return (Model::asymmetric ? 2 : 0) + steal_operations +
           (most_at_once_ - 1) * (2 + looks + push_operations + 2 * items_.most());
  }

  static std::size_t count(const line& l) {
    std::size_t items = l.count(push_word);
    for (const call& c : l.before) items += c.word == fill_word ? c.at(1, 1) : 0;
    return items;
  }
  static deque_options options(const line& l, std::size_t first, std::size_t most) {
    deque_options o{.initial_capacity = l.setting(first, 1)};
    o.maximum_capacity = l.setting(most, o.maximum_capacity);
    return o;
  }

  /// Thread 0. False when its deque is at its maximum capacity.
  bool push() {
    if (deques_[0]->size() == maximum_) return false;
    const int item = items_.open();
    Model::within(push_operations + 2 * deques_[0]->capacity(), [&] { deques_[0]->push(item); });
    youngest_[0] = above_all;
    return true;
  }
  /// Thread i, from its own deque: the youngest.
  bool pop(unsigned i) {
    const auto got = Model::within(pop_operations, [&] { return deques_[i]->pop(); });
    if (!got) return false;
    if (!mixed_) {
      Model::check(*got < youngest_[i], "LIFO: a pop returned an item younger than the one before");
      youngest_[i] = *got;
    }
    items_.take(*got);
    return true;
  }
  /// Thread i, one item from another's deque.
  bool steal(unsigned i, std::size_t from) {
    const auto got = Model::within(steal_operations, [&] { return deques_[from]->steal(); });
    if (got) stolen_one(i, *got);
    return static_cast<bool>(got);
  }
  /// Thread i, half from another's deque into its own.
  bool half(unsigned i, std::size_t from, std::size_t most) {
    const auto got =
        Model::within(most == 0 ? 0 : half_operations(), [&] { return steal_half(*deques_[from], *deques_[i], most); });
    if (!got) {
      Model::check(most != 0 || got.is_empty(), "a theft of no item was lost");
      return false;
    }
    Model::check(got.moved() < std::min(most, most_at_once_), "more came along than half of what there ever was");
    if (got.moved() != 0) youngest_[i] = above_all;
    stolen_one(i, *got);
    return true;
  }
  void stolen_one(unsigned i, int item) {
    if (!mixed_) {
      Model::check(item > last_[i], "FIFO: a thief got an older item after a younger one");
      last_[i] = item;
    }
    items_.take(item);
  }

  std::array<made_later<chase_lev<int, Model>>, most_threads> deques_;
  account<Model> items_;
  bool mixed_;
  std::size_t maximum_;
  std::size_t most_at_once_;
  std::array<int, most_threads> youngest_{};  // each entry its deque's owner's: what it popped last
  std::array<int, most_threads> last_{};      // each entry one thread's: what it stole last
};

// Relacy does not order seq_cst accesses with seq_cst fences: where that decides, it is not asked.
inline constexpr std::array half_lines{
    client_line{"half_only_item", "capacity=1: push pop | half", "owner and thief race for the only item", reach::full},
    client_line{"half_overwrite", "capacity=1 maximum=1: push push | half",
                "one slot: the owner overwrites it only after the thief has read it", reach::full},
    client_line{"half_no_false_empty", "capacity=1: push tell push | told half!",
                "a theft finds an item whose push happens before it, if nobody else takes it", reach::full},
    client_line{"half_reclaim", "capacity=4 own=2 fill(0,3): pop pop | half",
                "the owner pops down to what a thief is taking, one by one"},
    client_line{"half_share", "capacity=4 own=2: push push push | half pop pop",
                "three pushed, half taken into a deque of two, and popped there", reach::bounded},
    client_line{"half_renewal", "capacity=4 own=2 fill(0,3): pop pop push push | half",
                "the owner pops two and pushes others in their place, between a thief's claims"},
    client_line{"half_twice", "capacity=4 own=4 fill(0,4): pop pop pop | half half",
                "a second theft starts where the first one ended, and the owner pops meanwhile"},
    client_line{"half_lap", "capacity=4 maximum=4 own=2 fill(0,4): push push push | half half",
                "a ring of four that is full: slots are overwritten behind the thief", reach::bounded},
    client_line{"half_growth", "capacity=1: push push push push | half",
                "the victim grows twice meanwhile: no item is forgotten, no ring's fields race", reach::bounded},
    client_line{"half_capped", "capacity=4 own=2 fill(0,4): pop | half(0,1) half(0,2)",
                "not more than asked for, and never none", reach::bounded},
    client_line{"half_of_none", "capacity=2 own=2 fill(0,2): pop | half(0,0) half(0,1)",
                "a thief that asks for no item takes none and touches nothing"},
    client_line{"half_no_room", "capacity=8 own=2 own-maximum=2 fill(1,1) fill(0,6): pop | half pop half",
                "the thief's deque is full and may not grow: it takes what it has room for", reach::bounded},
    client_line{"half_mutual", "capacity=4 own=4 mixed=1 fill(0,3) fill(1,3): half(1) pop | half(0) pop",
                "two owners take half of each other's deque at once", reach::bounded},
    client_line{"half_destruction", "capacity=1 leave: push push push push | half half",
                "items left in both, rings retired: all memory comes back when the deques go", reach::bounded},
    client_line{"half_robbed", "capacity=4 own=2 fill(0,4): pop | half pop | steal(1)",
                "the thief's deque is stolen from while it is filled and popped", reach::bounded},
    client_line{"half_own_growth", "capacity=4 own=1 fill(1,1) fill(0,3): pop | half | steal(1) steal(1)",
                "the thief's deque grows while it is filled and stolen from", reach::bounded},
    client_line{"half_two_thieves", "capacity=4 own=2 deques=3 fill(0,3): pop pop | half | half",
                "two thieves take half, and the owner pops"},
    client_line{"half_beside_steal", "capacity=4 own=2 fill(0,3): pop pop | half | steal",
                "one thief takes half, another takes one, and the owner pops"},
};

inline constexpr std::string_view accesses_with_fences =
    "Relacy does not order seq_cst accesses with seq_cst fences, and is not asked where that decides";

inline constexpr std::array chase_lev_mutants{
    mutant{"push.room relaxed", {"push.room", change::weaken}, no_load_buffering},
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, {}},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"pop.reserve relaxed", {"pop.reserve", change::weaken}, old_release_sequences, true},
    mutant{"pop.fence acq_rel", {"pop.fence", change::weaken, order::acq_rel}, {}},
    mutant{"pop.fence removed", {"pop.fence", change::drop}, {}},
    mutant{"steal.fence acq_rel", {"steal.fence", change::weaken, order::acq_rel}, {}},
    mutant{"steal.fence removed", {"steal.fence", change::drop}, {}},
    mutant{"steal.bottom relaxed", {"steal.bottom", change::weaken}, {}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, {}},
    mutant{"pop.reserve left out", {"pop.reserve", change::drop}, {}},
    mutant{"pop.restore left out", {"pop.restore", change::drop}, {}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, {}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, {}},
    mutant{"half.fence acq_rel", {"half.fence", change::weaken, order::acq_rel}, accesses_with_fences},
    mutant{"half.fence removed", {"half.fence", change::drop}, accesses_with_fences},
    mutant{"half.bottom relaxed", {"half.bottom", change::weaken}, {}},
    mutant{"half.ring relaxed", {"half.ring", change::weaken}, {}},
    mutant{"half.claim acq_rel", {"half.claim", change::weaken, order::acq_rel}, accesses_with_fences},
    mutant{"half.claim relaxed", {"half.claim", change::weaken}, accesses_with_fences},
    mutant{"half.claim a blind store", {"half.claim", change::blind_store}, {}},
    mutant{"half.again acquire", {"half.again", change::weaken, order::acquire}, accesses_with_fences},
    mutant{"half.again relaxed", {"half.again", change::weaken}, accesses_with_fences},
};

/// A theft that does not look at the victim between its claims.
template <class Model>
using unseen_client = half_client<with_rules<Model, steal_half_rules{.looks_again = false}>>;
/// A theft that claims before it has room.
template <class Model>
using unroomed_client = half_client<with_rules<Model, steal_half_rules{.makes_room = false}>>;

inline constexpr std::array unseen_lines{client_line{"half_unseen", "capacity=4 own=2 fill(0,3): pop pop | half",
                                                     "the owner pops down to what a thief is taking without looking"}};
inline constexpr std::array unroomed_lines{
    client_line{"half_unroomed", "capacity=8 own=2 own-maximum=2 fill(1,1) fill(0,6): pop | half pop half",
                "the thief's deque is full and may not grow, which it finds out too late"}};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_chase_lev = specified_client<Model, chase_lev, deque_options, chase_lev_promise>;

struct chase_lev_suite {
  static constexpr const auto& orders = chase_lev_orders;
  static constexpr const auto& mutants = chase_lev_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<chase_lev_client>(chase_lev_lines);
    to.template lines<published_client>(published_lines);
    to.template lines<half_client>(half_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<unseen_client>(unseen_lines);
    to.template lines<unroomed_client>(unroomed_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_chase_lev>();
  }
};

}  // namespace licit::suites

#endif
