/// The tagged deque: client programs, mutants, broken rules.
#ifndef LICIT_SUITES_TAGGED_HPP
#define LICIT_SUITES_TAGGED_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <licit/checker/site_rules.hpp>
#include <licit/deque/errors.hpp>
#include <licit/deque/tagged.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/client.hpp"
#include "suites/every/onward_client.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline constexpr std::array tagged_sites{site_rule{"steal.top", "top"},
                                         site_rule{"pop.top", "top"},
                                         site_rule{"push.room", "top"},
                                         site_rule{"make.ring", "ring"},
                                         site_rule{"grow.publish", "ring"},
                                         site_rule{"push.own", "bottom"},
                                         site_rule{"pop.own", "bottom"},
                                         site_rule{"half.own", "bottom"},
                                         site_rule{"steal.bottom", "bottom"},
                                         site_rule{"push.item", "slot", ghost_role::overwrite},
                                         site_rule{"grow.copy", "slot", ghost_role::overwrite},
                                         site_rule{"renew.copy", "slot", ghost_role::overwrite},
                                         site_rule{"half.item", "slot", ghost_role::overwrite},
                                         site_rule{"steal.item", "slot", ghost_role::guess},
                                         site_rule{"grow.read", nullptr, ghost_role::certain},
                                         site_rule{"steal.claim", nullptr, ghost_role::claim}};
inline const site_rules_for<tagged_orders> tagged_site_rules{std::span<const site_rule>(tagged_sites)};

/// A deque for each thread: deque i is thread i's. Thread 0 pushes into its own; the others start with what `fill`
/// gives their deques. Settings: `own` is the capacity of a thief's deque; `room` is how many items a theft may move at
/// most; `moves` is how many items a pop may move that renews the tags (absent where the tags do not come to their
/// end), and `withheld` how many of them nobody can have if their owner stops in it (by default all).
template <class Model>
class tagged_client {
 public:
  static constexpr bool self_contained = true;
  enum : std::uint8_t { push_word, beyond_word, pop_word, steal_word, half_word, fill_word };
  static constexpr std::array words{"push", "beyond", "pop", "steal", "half"};  // steal(from), half(from,most)
  static constexpr std::array before{"fill"};                                   // fill(deque,items)
  enum : std::uint8_t { capacity, maximum, own_capacity, own_maximum, room, moves, withheld };
  static constexpr std::array settings{"capacity", "maximum", "own", "own-maximum", "room", "moves", "withheld"};

  explicit tagged_client(const line& l)
      : maximum_{options(l, capacity, 1, maximum).maximum_capacity},
        room_{l.setting(room, line::unset)},
        moves_{l.setting(moves, 0)},
        withheld_{static_cast<int>(l.setting(withheld, moves_))},
        items_{count(l)} {
    workers_[0].emplace(options(l, capacity, 1, maximum));
    for (unsigned t = 1; t != l.threads; ++t) workers_[t].emplace(options(l, own_capacity, 2, own_maximum));
  }

  static const char* refuses(const line& l) {
    if (l.threads > most_threads) return "more than 3 threads";
    return count(l) > most_items ? too_many_items : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word == push_word || c.word == beyond_word) return thread != owner ? owners_only : nullptr;
    if (c.word == pop_word) return nullptr;
    if (c.at(0, c.word == fill_word ? 1 : 0) >= l.threads) return no_such_deque;
    return c.word == half_word && c.at(0, 0) == thread ? "a thread does not steal from itself" : nullptr;
  }
  /// A theft of one item, if nobody takes any from the thief's own deque.
  static bool interchangeable(const line& l, unsigned thread, const call& c) {
    const auto robs = [&](const call& other) {
      return (other.word == steal_word || other.word == half_word) && other.at(0, 0) == thread;
    };
    return thread != owner && c.word == steal_word &&
           std::ranges::none_of(l.thread, [&](const calls& all) { return std::ranges::any_of(all, robs); });
  }

  void prepare(const call& c) {
    for (std::size_t n = c.at(1, 1); n != 0; --n) workers_[c.at(0, 1)]->own.push(items_.open());
  }
  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case push_word: return push();
      case beyond_word: return push_beyond();
      case pop_word: return thread == owner ? pop() : pop_own(*workers_[thread]);
      case steal_word: return steal(*workers_[thread], c.at(0, 0));
      default: return half(*workers_[thread], c.at(0, 0), c.at(1, items_.most()));
    }
  }

  /// What is left is taken; then every item pushed has been, but those in the hands of threads that were stopped for
  /// good. Nobody can pop for those.
  void settle() {
    int in_hand = 0;
    for (unsigned t = 0; t != workers_.size(); ++t) {
      if (!workers_[t]) continue;
      if (Model::stalled(t)) {
        in_hand += workers_[t]->in_hand;
        while (const auto left = workers_[t]->own.steal()) items_.take(*left);
      } else {
        while (t == owner ? pop() : pop_own(*workers_[t])) {
        }
      }
    }
    items_.settle(in_hand);
  }
  void leave() {
    std::size_t left = 0;
    for (const auto& w : workers_) left += w ? w->own.size() : 0;
    Model::check(left <= static_cast<std::size_t>(items_.opened()), "more items left than were pushed");
  }

 private:
  static constexpr unsigned owner = 0;
  static constexpr unsigned most_threads = 3;
  static constexpr int above_all = std::numeric_limits<int>::max();

  struct worker {
    explicit worker(const deque_options& options) : own{options} {}

    tagged_deque<int, Model> own;
    int in_hand = 0;           // at most so many items, if it is stopped now
    int last = 0;              // stolen
    int youngest = above_all;  // popped since the last theft
    bool ordered = true;       // pops of its own deque bring older and older items, until it steals again
  };

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth and renewal
  // copy each item by a load and a store.
  static constexpr std::size_t push_operations = 6;
  static constexpr std::size_t steal_operations = 7;
  [[nodiscard]] std::size_t pop_operations() const { return moves_ == 0 ? 7 : 8 + 2 * moves_; }
  [[nodiscard]] static std::size_t half_operations(std::size_t most, const worker& thief) {
    return 10 + 2 * most + 4 * thief.own.capacity();
  }

  static deque_options options(const line& l, std::size_t first, std::size_t otherwise, std::size_t most) {
    deque_options o{.initial_capacity = l.setting(first, otherwise)};
    o.maximum_capacity = l.setting(most, o.maximum_capacity);
    return o;
  }
  static std::size_t count(const line& l) {
    std::size_t items = l.count(push_word);
    for (const call& c : l.before) items += c.word == fill_word ? c.at(1, 1) : 0;
    return items;
  }

  /// False when the deque is at its maximum capacity.
  bool push() {
    worker& self = *workers_[owner];
    if (self.own.size() == maximum_) return false;  // never too low for the owner: otherwise there is room
    self.in_hand = 1;
    const int item = items_.open();
    mine_[depth_++] = item;
    Model::within(push_operations + 2 * self.own.capacity(), [&] { self.own.push(item); });
    self.in_hand = 0;
    return true;
  }
  /// The owner's indices are used up.
  bool push_beyond() {
    bool refused = false;
    try {
      workers_[owner]->own.push(0);
    } catch (const index_error&) {
      refused = true;
    }
    Model::check(refused, "a push beyond the last index");
    return refused;
  }
  /// LIFO: a popped item is the youngest that was not popped before; no item means that all were stolen.
  bool pop() {
    worker& self = *workers_[owner];
    self.in_hand = 1 + withheld_;
    const auto got = Model::within(pop_operations(), [&] { return self.own.pop(); });
    self.in_hand = got ? 1 : 0;
    if (!got) {
      depth_ = 0;
      return false;
    }
    Model::check(depth_ != 0 && *got == mine_[depth_ - 1], "LIFO: pop did not return the owner's youngest item");
    --depth_;
    items_.take(*got);
    self.in_hand = 0;
    return true;
  }
  /// A thief, of its own deque: LIFO, so older and older items until it steals again.
  bool pop_own(worker& self) {
    self.in_hand = 1;
    const auto got = Model::within(pop_operations(), [&] { return self.own.pop(); });
    if (got) {
      Model::check(!self.ordered || *got < self.youngest,
                   "LIFO: a thief's deque does not have the items in the order of their push");
      self.youngest = *got;
      items_.take(*got);
    }
    self.in_hand = 0;
    return got.has_value();
  }
  bool steal(worker& self, std::size_t from) {
    self.in_hand = 1;
    const auto got = Model::within(steal_operations, [&] { return workers_[from]->own.steal(); });
    return receive(self, got);
  }
  /// What comes along is in the thief's own deque, in no order if the deque was another thief's.
  bool half(worker& self, std::size_t from, std::size_t most) {
    self.in_hand = static_cast<int>(std::min(most, (items_.most() + 1) / 2));
    if (from != owner) self.ordered = false;
    const auto got = Model::within(most == 0 ? 0 : half_operations(most, self),
                                   [&] { return workers_[from]->own.steal_half(self.own, most); });
    Model::check(got ? got.moved() < most : most != 0 || got.is_empty(), "more items than were asked for");
    Model::check(got.moved() <= room_, "more items than there was room for");
    if (got) self.youngest = above_all;
    return receive(self, got);
  }
  /// FIFO: each thief's items come in the order of their push.
  bool receive(worker& self, const stolen<int>& got) {
    if (got) {
      Model::check(*got > self.last, "FIFO: a thief got an older item after a younger one");
      self.last = *got;
      items_.take(*got);
    }
    self.in_hand = 0;
    return static_cast<bool>(got);
  }

  const std::size_t maximum_;
  const std::size_t room_;
  const std::size_t moves_;
  const int withheld_;
  std::array<made_later<worker>, most_threads> workers_;
  account<Model> items_;
  std::array<int, most_items> mine_{};  // owner's: pushed and not popped, oldest first
  std::size_t depth_ = 0;               // of mine_
};

inline constexpr std::array tagged_lines{
    client_line{"last_item", "capacity=1: push pop | steal",
                "owner and thief race for the last item: one of them gets it", reach::full},
    client_line{"empty_pop", "capacity=1: pop push pop pop | steal",
                "pops on an empty deque, before and after an item that a thief may take", reach::full},
    client_line{"overwrite", "capacity=1 maximum=1: push push | steal",
                "one slot: the owner overwrites it only after the thief has read it", reach::full},
    client_line{"no_false_empty", "capacity=1: push tell push | told steal!",
                "a steal finds an item whose push happens before it, if nobody else takes it", reach::full},
    client_line{"refill", "capacity=2: push pop push | steal steal",
                "push pop push against two steals: the thief may read what pop restored", reach::bounded},
    client_line{"two_items", "capacity=2: push push pop pop | steal steal",
                "push push pop pop against two steals: a thief may read either store of pop", reach::bounded},
    client_line{"three_items", "capacity=4: push push push pop pop pop | half pop",
                "three pops against a thief that takes two items at once", reach::bounded},
    client_line{"overwrite_half", "capacity=4 maximum=4 push*4: push push | half",
                "slots that one claim frees are overwritten only after the thief has read them all", reach::bounded},
    client_line{"half_pushed", "capacity=4 push*4: pop pop pop pop | half pop",
                "a thief claims several items at once, and the owner pops the others", reach::bounded},
    client_line{"stale_look", "capacity=4 push*3: pop pop push push pop | half",
                "the owner pushes where it popped: a thief that looked before must not get what it saw",
                reach::bounded},
    client_line{"deep", "capacity=8 push*8: pop*8 | half half", "a depth at which the tag is raised twice",
                reach::bounded},
    client_line{"wrap_around", "capacity=2 maximum=2 push*2: pop push push pop push | steal steal",
                "push, pop and steal on a ring of two: slots are overwritten", reach::bounded},
    client_line{"wrap_around_half", "capacity=4 maximum=4 push*4: pop push pop push | half half",
                "push, pop and thefts of half on a ring of four: slots are overwritten", reach::bounded},
    client_line{"lap_back", "capacity=2 maximum=2 push*2: push pop pop | half",
                "the owner pushes into the next lap of its ring, and pops back into the one before", reach::bounded},
    client_line{"growth", "capacity=1: push push push pop | half half",
                "two growths while a thief takes halves: no item is forgotten, no ring's fields race", reach::bounded},
    client_line{"growth_half", "capacity=4 push*4: push push pop | half half",
                "the victim grows while a thief reads half of the items", reach::bounded},
    // Growth beyond the maximum throws, which Relacy cannot have.
    client_line{"half_of_none", "capacity=2 own=2 push push: pop | half(0,0) half(0,1)",
                "a thief that asks for no item takes none and touches nothing"},
    client_line{"no_room", "capacity=4 own=1 own-maximum=1 room=0 fill(1) push*3: pop | half",
                "the thief's own deque is full and may not grow: the thief takes one item"},
    client_line{"little_room", "capacity=8 own=2 own-maximum=2 room=1 fill(1) push*5: pop pop | half",
                "the thief's own deque has room for fewer items than half"},
    client_line{"destruction", "capacity=1 own=1 leave: push push push | half half",
                "items left, rings retired: all memory comes back when the deques go", reach::bounded},
    client_line{"stale_bottom", "capacity=8 push*5: pop pop pop | steal | half",
                "two thieves: one reads a new top and an old bottom", reach::bounded},
    client_line{"two_halves", "capacity=4 push*4: pop pop | half | half", "two thieves take halves, and the owner pops",
                reach::bounded},
    client_line{"raided", "capacity=4: push push push | half pop | steal(1)",
                "a thief's own deque is stolen from while it is being filled", reach::bounded},
    client_line{"raided_full", "capacity=4 own=1 fill(1) push*3: pop | half | steal(1)",
                "a thief's own deque grows for what it steals while another thief steals from it", reach::bounded},
    // After some other programs in one process Relacy reports a race here: a read of a ring that is older than the
    // bottom that the thief has acquired. In a process of its own it reports none. The cause is not known.
    client_line{"mutual", "capacity=1 fill(1,3) fill(2,3): | half(2) pop | half(1) pop",
                "two threads take halves of each other's items"},
    client_line{"crowd", "capacity=8 own=1 push*5: pop pop push pop | half half | half",
                "a thief of two halves, one of one, and an owner that pops, pushes and pops", reach::sampled},
    client_line{"crowd_of_raiders", "capacity=4 own=1 push*4: pop push pop pop | half pop | steal(1) half",
                "a victim, a thief that takes half and pops, and a thief that steals from both", reach::sampled},
};

/// Tags of one bit: the owner's second change of `top` that meets no theft renews.
template <class Model>
using short_tags_client = tagged_client<with_rules<Model, tagged_rules{.tag_bits = 1}>>;

inline constexpr std::array short_tags_lines{
    client_line{"renewal", "capacity=8 moves=2 push*3 pop pop push*4 pop: pop pop pop pop | half steal",
                "the tags are used up: the owner renews and moves two items, under a thief", reach::bounded},
    client_line{"renewal_wraps", "capacity=4 maximum=4 moves=2 push*4 pop pop pop push*2: push pop pop pop | steal",
                "a renewal in a full ring of four, whose slots thieves have just left", reach::bounded},
    client_line{"renewal_crowd", "capacity=4 maximum=4 moves=2 push*4: pop pop push push pop pop push pop | half half",
                "the tags are used up at every second change, under a thief of two halves", reach::bounded},
    client_line{"renewal_two_thieves", "capacity=4 moves=1 push*3 pop pop push*2: pop pop push pop | half | half",
                "the tags are used up under two thieves", reach::bounded},
};

/// Deques that have two indices left when they are made.
template <class Model>
using last_indices_client =
    tagged_client<with_rules<Model, tagged_rules{.first = tagged_word<tagged_rules{}.tag_bits>::last - 2}>>;

// The refused push throws, which Relacy cannot have.
inline constexpr std::array last_indices_lines{
    client_line{"last_index", "capacity=4 push: push beyond pop pop | half",
                "the indices come to their end: a push is refused, and what is there can be popped and stolen"}};

inline constexpr std::array tagged_mutants{
    mutant{"push.room relaxed", {"push.room", change::weaken}, no_load_buffering},
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, {}},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"pop.reserve relaxed", {"pop.reserve", change::weaken}, old_release_sequences, true},
    mutant{"pop.fence acq_rel", {"pop.fence", change::weaken, order::acq_rel}, {}},
    mutant{"pop.fence removed", {"pop.fence", change::drop}, {}},
    mutant{"renew.publish relaxed", {"renew.publish", change::weaken}, {}},
    mutant{"steal.fence acq_rel", {"steal.fence", change::weaken, order::acq_rel}, {}},
    mutant{"steal.fence removed", {"steal.fence", change::drop}, {}},
    mutant{"steal.bottom relaxed", {"steal.bottom", change::weaken}, {}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"half.publish relaxed", {"half.publish", change::weaken}, {}},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, {}},
    mutant{"renew.claim a blind store", {"renew.claim", change::blind_store}, {}},
    mutant{"pop.reserve left out", {"pop.reserve", change::drop}, {}},
    mutant{"pop.restore left out", {"pop.restore", change::drop}, {}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, {}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, {}},
    mutant{"renewal forgets an item", {"renew.copy", change::drop_first}, {}},
    mutant{"renewal publishes nothing", {"renew.publish", change::drop}, {}},
    mutant{"a half forgets an item", {"half.item", change::drop_first}, {}},
    mutant{"a half publishes nothing", {"half.publish", change::drop}, {}},
};

/// Deques with one rule made wrong.
template <class Model, class Wrong>
struct ruled_by : Model {
  static constexpr auto replaced(tagged_rules /*r*/) { return Wrong{}; }
};

/// Raising the tag changes nothing.
struct untagged_rules : tagged_rules {
  constexpr untagged_rules() : tagged_rules{.tag_bits = 0} {}
};
template <class Model>
using untagged_client = tagged_client<ruled_by<Model, untagged_rules>>;
/// The owner takes one more of the items freely.
struct bold_rules : tagged_rules {
  static constexpr index first_free(index t, index high) {
    return std::max(t + 1, tagged_rules::first_free(t, high - 1));
  }
};
template <class Model>
using bold_client = tagged_client<ruled_by<Model, bold_rules>>;
/// The owner takes all but the last freely, as from a Chase-Lev deque.
struct reckless_rules : tagged_rules {
  static constexpr index first_free(index t, index /*high*/) { return t + 1; }
};
template <class Model>
using reckless_client = tagged_client<ruled_by<Model, reckless_rules>>;
/// The owner forgets the bottoms before the last pop.
struct forgetful_rules : tagged_rules {
  static constexpr bool is_higher(index /*bottom*/, index /*high*/) { return true; }
};
template <class Model>
using forgetful_client = tagged_client<ruled_by<Model, forgetful_rules>>;
/// Thieves take one more than half.
struct greedy_rules : tagged_rules {
  static constexpr index share(index size) { return size / 2 + 1; }
};
template <class Model>
using greedy_client = tagged_client<ruled_by<Model, greedy_rules>>;
/// Thieves publish what they have not claimed yet.
struct hasty_rules : tagged_rules {
  constexpr hasty_rules() : tagged_rules{.claims_before_it_publishes = false} {}
};
template <class Model>
using hasty_client = tagged_client<ruled_by<Model, hasty_rules>>;

inline constexpr std::array untagged_lines{client_line{"no_tag", "capacity=4 push*3: pop pop push push pop | half",
                                                       "stale_look without a tag: raising it changes nothing"}};
inline constexpr std::array bold_lines{client_line{"one_too_free", "capacity=4 push*3: pop pop push push pop | half",
                                                   "stale_look: the owner takes one item too many freely"}};
inline constexpr std::array reckless_lines{client_line{"claims_the_last_only",
                                                       "capacity=4 push*4: pop pop pop pop | half pop",
                                                       "half_pushed: the owner changes top for the last item only"}};
inline constexpr std::array forgetful_lines{client_line{"high_forgotten",
                                                        "capacity=4 push*4: pop pop pop pop | half pop",
                                                        "half_pushed: the highest bottom is that of the last pop"}};
inline constexpr std::array greedy_lines{client_line{"more_than_half", "capacity=4 push*4: pop pop pop pop | half pop",
                                                     "half_pushed: a thief takes one more than half"}};
inline constexpr std::array hasty_lines{client_line{"published_before_claimed",
                                                    "capacity=4 push*4: pop pop | half | half",
                                                    "two_halves: a thief publishes what it then fails to claim"}};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_tagged = specified_client<Model, tagged_deque, deque_options, tagged_promise>;
template <class Model>
using every_renewing =
    specified_client<with_rules<Model, tagged_rules{.tag_bits = 1}>, tagged_deque, deque_options, renewing_promise>;

template <class Model>
using every_onward_tagged = onward_client<Model, tagged_deque, deque_options, onward_promise>;

struct tagged_suite {
  static constexpr const auto& orders = tagged_orders;
  static constexpr const auto& mutants = tagged_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<tagged_client>(tagged_lines);
    to.template lines<short_tags_client>(short_tags_lines);
    to.template lines<last_indices_client>(last_indices_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<untagged_client>(untagged_lines);
    to.template lines<bold_client>(bold_lines);
    to.template lines<reckless_client>(reckless_lines);
    to.template lines<forgetful_client>(forgetful_lines);
    to.template lines<greedy_client>(greedy_lines);
    to.template lines<hasty_client>(hasty_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_tagged>();
    to.template specified<every_renewing>();
    to.template specified<every_onward_tagged>();
  }
};

}  // namespace licit::suites

#endif
