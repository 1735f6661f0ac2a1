/// The split deque: client programs, mutants, broken rules.
#ifndef LICIT_SUITES_SPLIT_HPP
#define LICIT_SUITES_SPLIT_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/checker/site_rules.hpp>
#include <licit/deque/split.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/client.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<split_orders> split_site_rules{
    {"steal.word", "word"},
    {"room.word", "word"},
    {"answer.publish", "word"},
    {"reclaim.word", "word"},
    {"renumber.word", "word"},
    {"size.word", "word"},
    {"make.ring", "ring"},
    {"grow.publish", "ring"},
    {"push.own", "bottom"},
    {"pop.own", "bottom"},
    {"half.own", "bottom"},
    {"size.bottom", "bottom"},
    {"renumber.bottom", "bottom"},
    {"push.end", "end"},
    {"ask.end_seen", "end"},
    {"ask.end", "end"},
    {"turn.end_seen", "end"},
    {"turn.end", "end"},
    {"answer.end", "end"},
    {"pop.begin", "begin"},
    {"ask.begin_seen", "begin"},
    {"ask.begin", "begin"},
    {"half.asked", "begin"},
    {"turn.begin_seen", "begin"},
    {"turn.begin", "begin"},
    {"answer.begin", "begin"},
    {"push.item", "slot", ghost_role::overwrite},
    {"grow.copy", "slot", ghost_role::overwrite},
    {"steal.item", "slot", ghost_role::guess},
    {"grow.read", nullptr, ghost_role::certain},
    {"steal.claim", nullptr, ghost_role::claim},
};

/// One deque, deque 0, whose owner is thread 0; the others are its thieves. A thief that says `half` has a deque of its
/// own, deque i of thread i, with as many slots as the setting `own` (by default 4).
///
///     ask          a steal while nothing is public: it brings nothing, and asks the owner to publish
///     lose         a steal that succeeds if it brings nothing
///     seek         a steal that must not find the deque empty; it may be lost
///     size         size() must not be 0
///     unload       the thief pops all that it has in its own deque
///     offer(n)     before the colon: n items, all of them public, and no request. It opens 2n - 1 items.
template <class Model>
class split_client {
 public:
  static constexpr bool self_contained = true;
  enum : std::uint8_t {
    push_word,
    pop_word,
    steal_word,
    ask_word,
    lose_word,
    seek_word,
    size_word,
    half_word,
    unload_word,
    offer_word
  };
  static constexpr std::array words{"push", "pop", "steal", "ask", "lose", "seek", "size", "half", "unload"};
  static constexpr std::array before{"offer"};
  enum : std::uint8_t { capacity, maximum, own };
  static constexpr std::array settings{"capacity", "maximum", "own"};

  explicit split_client(const line& l)
      : deque_{options(l)}, maximum_{options(l).maximum_capacity}, items_{count(l)}, room_{l.setting(own, 4)} {
    for (unsigned t = 1; t != l.threads; ++t) {
      if (l.thread[t].count(half_word) != 0) {
        own_[t].emplace(deque_options{.initial_capacity = room_, .maximum_capacity = room_});
      }
    }
  }

  static const char* refuses(const line& l) {
    for (const call& c : l.before) {
      if (c.word == offer_word && c.at(0, 1) == 0) return "an offer has at least one item";
    }
    return count(l) > most_items ? too_many_items : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word == push_word || c.word == pop_word) return thread != owner ? owners_only : nullptr;
    if (c.word == half_word && thread == owner) return "the owner does not steal from itself";
    return c.word == steal_word && c.at(0, 0) >= l.threads ? no_such_deque : nullptr;
  }
  /// A thief that fills no deque of its own.
  static bool interchangeable(const line& /*l*/, unsigned thread, const call& c) {
    return thread != owner && c.word != half_word && c.word != unload_word && (c.word != steal_word || c.at(0, 0) == 0);
  }

  void prepare(const call& c) { offer(c.at(0, 1)); }
  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case push_word: return push();
      case pop_word: return pop();
      case steal_word: return c.at(0, 0) == 0 ? static_cast<bool>(steal(thread)) : rob(c.at(0, 0));
      case ask_word: return ask();
      case lose_word: return !steal(thread);
      case seek_word: return seek(thread);
      case size_word: return is_sized();
      case half_word: return half(thread, c.at(0, most));
      default: return unload(thread);
    }
  }

  /// What is left is taken; then every item pushed has been. A thread that was stopped for good may have some in its
  /// hands, and what is private in its deque.
  void settle() {
    int in_hand = 0;
    for (unsigned t = 1; t != line::most_threads; ++t) {
      if (!Model::stalled(t)) {
        unload(t);
        continue;
      }
      in_hand += 1;
      if (!own_[t]) continue;
      while (const auto left = own_[t]->steal()) items_.take(*left);
      in_hand += static_cast<int>(own_[t]->size() + most - 1);
    }
    if (Model::stalled(owner)) {
      while (const auto left = deque_.steal()) items_.take(*left);
      in_hand += static_cast<int>(deque_.size()) + 1;
    } else {
      if (kept_ != 0) items_.take(kept_);
      while (pop()) {
      }
    }
    items_.settle(in_hand);
  }
  void leave() {
    Model::check(deque_.size() <= static_cast<std::size_t>(items_.opened()), "more items left than were pushed");
  }

 private:
  using deque_type = split_deque<int, Model>;

  static constexpr unsigned owner = 0;
  static constexpr std::size_t most = 3;  // items of a theft of half

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth copies each
  // item by a load and a store. A turn to another lap is four of them, and so is an answer to a request. Each claim of
  // a thief may make the owner's reclaim begin again.
  static constexpr std::size_t push_operations = 4 + 2 + 4 + 4;
  [[nodiscard]] std::size_t pop_operations() const { return 4 + 4 + 4 + 4 + items_.most(); }
  static constexpr std::size_t steal_operations = 6;
  static constexpr std::size_t half_operations = 4 + 2 * most + 4 + 4 + 4;

  static deque_options options(const line& l) {
    deque_options o{.initial_capacity = l.setting(capacity, 1)};
    o.maximum_capacity = l.setting(maximum, o.maximum_capacity);
    return o;
  }
  static std::size_t count(const line& l) {
    std::size_t items = l.count(push_word);
    for (const call& c : l.before) items += c.word == offer_word ? 2 * c.at(0, 1) - 1 : 0;
    return items;
  }

  /// False when the deque is full: the item is then kept for the next push.
  bool push() {
    if (kept_ == 0) kept_ = items_.open();
    if (!pushed_into_room()) return false;
    mine_[depth_++] = kept_;
    kept_ = 0;
    return true;
  }
  /// The error says that there is no room: size, which acquires, would hide what push itself must acquire.
  bool pushed_into_room() {
    const auto push = [&] { Model::within(push_operations + 2 * deque_.capacity(), [&] { deque_.push(kept_); }); };
    if constexpr (requires { Model::exceptions; }) {
      if (deque_.size() == maximum_) return false;  // never too low for the owner: otherwise there is room
      push();
    } else {
      try {
        push();
      } catch (const capacity_error&) {
        return false;
      }
    }
    return true;
  }
  /// LIFO: a popped item is the youngest that was not popped before; no item means that all were stolen.
  bool pop() {
    const auto got = Model::within(pop_operations(), [&] { return deque_.pop(); });
    if (!got) {
      depth_ = 0;
      return false;
    }
    Model::check(depth_ != 0 && *got == mine_[depth_ - 1], "LIFO: pop did not return the owner's youngest item");
    --depth_;
    items_.take(*got);
    return true;
  }
  void offer(std::size_t items) {
    for (std::size_t i = 2; i < 2 * items; ++i) push();
    ask();
    push();  // publishes half
    for (std::size_t i = 1; i < items; ++i) pop();
  }

  /// FIFO: each thief's items come in the order of their push.
  stolen<int> steal(unsigned thread) {
    const auto got = Model::within(steal_operations, [&] { return deque_.steal(); });
    if (got) take_in_order(*got, thread);
    return got;
  }
  bool ask() {
    Model::check(!deque_.steal(), "a steal brought an item though nothing was public");
    return true;
  }
  bool seek(unsigned thread) {
    const auto got = steal(thread);
    Model::check(!got.is_empty(), "steal said that a deque with an item in it is empty");
    return static_cast<bool>(got);
  }
  bool is_sized() {
    Model::check(deque_.size() != 0, "size said that a deque with an item in it is empty");
    return true;
  }
  /// From a thief's own deque, one item.
  bool rob(std::size_t from) {
    if (!own_[from]) return false;
    const auto got = own_[from]->steal();
    if (got) items_.take(*got);
    return static_cast<bool>(got);
  }
  /// With one public item at most, half is a steal.
  bool half(unsigned thread, std::size_t at_most) {
    if constexpr (deque_type::most_public == 1) return static_cast<bool>(steal(thread));
    const auto got =
        Model::within(at_most == 0 ? 0 : half_operations, [&] { return deque_.steal_half(*own_[thread], at_most); });
    if (!got) {
      Model::check(at_most != 0 || got.is_empty(), "a theft of no item was lost");
      return false;
    }
    Model::check(got.moved() < at_most && got.moved() <= room_, "steal_half brought more than it may");
    take_in_order(*got, thread);
    first_[thread] = *got;
    return true;
  }
  /// What is left of the thread's last theft, youngest first.
  bool unload(unsigned thread) {
    if (!own_[thread]) return false;
    int younger = static_cast<int>(items_.most()) + 1;
    while (const auto got = own_[thread]->pop()) {
      Model::check(*got > first_[thread] && *got < younger, "LIFO: what came along is not in the order of its push");
      younger = *got;
      items_.take(*got);
    }
    return true;
  }
  void take_in_order(int item, unsigned thread) {
    Model::check(item > last_[thread], "FIFO: a thief got an older item after a younger one");
    last_[thread] = item;
    items_.take(item);
  }

  deque_type deque_;
  const std::size_t maximum_;
  account<Model> items_;
  const std::size_t room_;
  std::array<made_later<deque_type>, line::most_threads> own_;
  std::array<int, most_items> mine_{};           // owner's: pushed and not popped, oldest first
  std::size_t depth_ = 0;                        // of mine_
  int kept_ = 0;                                 // owner's: opened, and not pushed
  std::array<int, line::most_threads> last_{};   // each entry one thread's: what it stole last
  std::array<int, line::most_threads> first_{};  // each entry one thief's: what its last theft of half gave it
};

inline constexpr std::array split_lines{
    client_line{"last_public", "capacity=1 offer(1): pop | steal",
                "owner and thief race for the last item, a public one: one of them gets it", reach::full},
    client_line{"last_public_two_thieves", "capacity=1 offer(1): pop | steal | steal",
                "owner and two thieves race for the last item, a public one", reach::bounded},
    client_line{"request", "capacity=2: push pop push | steal steal",
                "a thief asks, the owner pushes, pops and pushes: what is published is taken once", reach::bounded},
    client_line{"private_part", "capacity=2: push push pop pop | steal steal",
                "two items and two steals: the owner publishes one, and takes it back", reach::bounded},
    client_line{"taken_back", "capacity=8 offer(3): pop pop pop | steal steal",
                "the owner takes half of what is public back, and then the rest, while a thief steals twice",
                reach::bounded},
    client_line{"empty_pop", "capacity=1 ask: pop push pop pop | steal",
                "pops on an empty deque, before and after an item that a thief may take", reach::bounded},
    client_line{
        "returned_word", "capacity=1 offer(1): pop ask push | steal",
        "the owner takes an item back and publishes another in its place: a slow thief gets neither by its word",
        reach::bounded},
    client_line{"overwrite", "capacity=1 maximum=1 ask: push push | steal",
                "one slot: the owner overwrites it only after the thief has read it", reach::full},
    client_line{"lap", "capacity=2 maximum=2 offer(1): push push push | steal steal",
                "a ring of two whose slots are overwritten while a thief steals twice", reach::bounded},
    client_line{"lap_two_thieves", "capacity=2 maximum=2 offer(1): push push push | steal | steal",
                "two thieves on a ring of two that is overwritten under them", reach::sampled},
    client_line{"growth", "capacity=1 offer(1): push push pop | steal steal steal",
                "a growth while a thief steals: no item is forgotten, no ring's fields race", reach::bounded},
    client_line{"growth_two_thieves", "capacity=1 offer(1): push push push | steal | steal",
                "two growths under two thieves: each may hold another ring", reach::sampled},
    client_line{"half_of_none", "capacity=2 offer(2): pop | half(0) half(1)",
                "a thief that asks for no item takes none and touches nothing"},
    client_line{"destruction", "capacity=1 ask leave: push push push | steal",
                "items left, rings retired: all memory comes back when the deque goes", reach::bounded},
    client_line{"two_thieves", "capacity=4 offer(2): pop pop | steal | steal",
                "two thieves of two items, and an owner that takes back what is left", reach::bounded},
    client_line{"crowd", "capacity=4 offer(2): pop push pop | steal steal | steal",
                "two thieves, one of two steals, and an owner that pops, pushes and pops", reach::sampled},
    client_line{"no_false_empty", "capacity=1: push tell push | told seek",
                "a steal is not empty while there is an item whose push happens before it", reach::bounded},
    client_line{"answered", "capacity=4 push*2: told pop tell(2) | ask tell told(2) steal!",
                "a thief asks, the owner does one more operation: the thief gets an item", reach::full},
    client_line{"asked_again", "capacity=8 ask: push told push tell(2) | steal lose tell told(2) steal!",
                "a request that comes while another is answered is answered too, or stands", reach::bounded},
    client_line{"asked_while_growing", "capacity=2 push*2: push told push tell(2) | ask tell told(2) steal!",
                "a request that comes while the owner grows the ring stands, and its next push answers it",
                reach::bounded},
    client_line{"asked_while_growing_popped", "capacity=1 push: push told pop tell(2) | ask tell told(2) steal!",
                "a request that comes while the owner grows the ring stands, and its next pop answers it",
                reach::bounded},
    client_line{"asked_while_turning",
                "capacity=2 offer(1) push: told push told(2) pop tell(3) | steal! tell ask tell(2) told(3) steal!",
                "a request that comes while the owner turns to the next lap of its ring stands", reach::bounded},
    client_line{"lap_back", "capacity=2 maximum=2 offer(1) push: told push pop pop | steal tell steal",
                "the owner pushes into the next lap of its ring and pops back into the one before", reach::bounded},
    client_line{"half", "capacity=8 offer(3): pop push pop | half unload",
                "half of three by one claim, while the owner takes them back", reach::bounded},
    client_line{"half_two_thieves", "capacity=8 offer(3): pop pop | half unload | half unload",
                "two thieves of half, and an owner that takes back", reach::sampled},
    client_line{"half_little_room", "capacity=16 own=1 offer(5): pop pop | half unload half",
                "a thief with room for one takes one beside the one that it is given", reach::bounded},
    client_line{"half_stolen_from", "capacity=8 offer(3): pop | half unload | steal(1) steal(1)",
                "a thief's own deque is stolen from while it is filled", reach::sampled},
    client_line{"half_overwrite", "capacity=8 maximum=8 offer(4) push*4: push push | half unload",
                "the slots of a theft of half are overwritten only after all of them were read", reach::bounded},
    client_line{"half_of_growing", "capacity=8 offer(3) push*5: push | half unload",
                "the victim grows under a theft of two items", reach::bounded},
    client_line{"half_returned_word", "capacity=8 offer(3): pop pop pop ask push push | half unload",
                "a slow theft of half, and other items published where those were", reach::bounded},
    client_line{"half_again", "capacity=4 ask: push push push push | half half unload",
                "two thefts of half and a request: what the second brings lies above what the first did",
                reach::sampled},
};

// Words in which the rare is near.

/// One value of the tag is all there are: each reclaim takes everything back, and begins the indices elsewhere.
template <class Model>
using one_tag_client = split_client<with_rules<Model, split_rules{.tag_bits = 0}>>;
template <class Model>
using two_tags_client = split_client<with_rules<Model, split_rules{.tag_bits = 1}>>;
template <class Model>
using one_public_client = split_client<with_rules<Model, split_rules{.count_bits = 1}>>;
/// One claim before top's 48 bits are through.
template <class Model>
using last_top_client = split_client<with_rules<Model, split_rules{.first = (licit::detail::index{1} << 48) - 1}>>;

inline constexpr std::array one_tag_lines{
    client_line{"renumbered", "capacity=1 offer(1): pop ask push | steal",
                "every reclaim begins the indices elsewhere: a slow thief's word does not return, nor its slot",
                reach::bounded},
    client_line{"not_empty_while_renumbered", "capacity=4 offer(2): pop | size seek",
                "steal and size see an item that stays while the indices begin elsewhere", reach::bounded},
};
inline constexpr std::array two_tags_lines{
    client_line{"renumbered_later", "capacity=1 offer(1): pop ask push pop ask push | steal",
                "a tag of one bit: the second reclaim begins the indices elsewhere", reach::bounded},
};
inline constexpr std::array one_public_lines{
    client_line{"full_word", "capacity=4 ask: push push pop | steal steal",
                "the word has room for one public item: a request stands while there is one", reach::bounded},
};
inline constexpr std::array last_top_lines{
    client_line{"top_wraps", "capacity=4 offer(2): pop push pop | steal steal",
                "top goes through its last value to zero while a thief steals twice", reach::bounded},
};

inline constexpr std::array split_mutants{
    mutant{"room.word relaxed", {"room.word", change::weaken}, no_load_buffering},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"answer.publish relaxed", {"answer.publish", change::weaken}, {}},
    mutant{"renumber.word relaxed", {"renumber.word", change::weaken}, {}},
    mutant{"steal.word relaxed", {"steal.word", change::weaken}, {}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"size.word relaxed", {"size.word", change::weaken}, {}},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"reclaim.take a blind store", {"reclaim.take", change::blind_store}, {}},
    mutant{"ask.end left out", {"ask.end", change::drop}, {}},
    mutant{"ask.begin left out", {"ask.begin", change::drop}, {}},
    mutant{"turn.end a blind store", {"turn.end", change::blind_store}, {}},
    mutant{"turn.begin a blind store", {"turn.begin", change::blind_store}, {}},
    mutant{"push.bottom left out", {"push.bottom", change::drop}, {}},
    mutant{"pop.bottom left out", {"pop.bottom", change::drop}, {}},
    mutant{"renumber.bottom left out", {"renumber.bottom", change::drop}, {}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, {}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, {}},
};

/// The tag goes round, as if no thief could hold a word for so long.
template <class Model>
using tagless_client = split_client<with_rules<Model, split_rules{.tag_bits = 0, .renumbers = false}>>;
template <class Model>
using wrapping_client = split_client<with_rules<Model, split_rules{.tag_bits = 1, .renumbers = false}>>;
/// A thief may find its request standing that is about to be cleared.
template <class Model>
using clearing_late_client = split_client<with_rules<Model, split_rules{.clears_first = false}>>;

inline constexpr std::array tagless_lines{
    client_line{"without_tag", "capacity=1 offer(1): pop ask push | steal",
                "returned_word where the word has no tag: it returns"},
    client_line{"half_without_tag", "capacity=8 offer(3): pop pop pop ask push push | half unload",
                "half_returned_word where the word has no tag: it returns under a theft of half"},
};
inline constexpr std::array wrapping_lines{
    client_line{"tag_that_wraps", "capacity=1 offer(1): pop ask push pop ask push | steal",
                "renumbered_later where a tag of one bit goes round: the word returns"}};
inline constexpr std::array clearing_late_lines{
    client_line{"request_lost", "capacity=8 ask: push told push tell(2) | steal lose tell told(2) steal!",
                "asked_again where a request is cleared after its answer: the next may go with it"}};
/// What thieves are not promised, shown: it is wrong of the deque as it is.
inline constexpr std::array unpromised_lines{client_line{"without_the_owner", "capacity=2 push: | steal steal!",
                                                         "a thief gets a private item though the owner does nothing"}};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_split = specified_client<Model, split_deque, deque_options, split_promise>;
template <class Model>
using every_renumbering =
    specified_client<with_rules<Model, split_rules{.tag_bits = 0}>, split_deque, deque_options, renumbering_promise>;

inline constexpr std::string_view request_in_a_turn =
    "loses a request that comes while the owner turns to the next lap: the specification promises an answer only where "
    "the owner does nothing at the same time";
inline constexpr std::array split_unreached{unreached{"turn.end a blind store", request_in_a_turn},
                                            unreached{"turn.begin a blind store", request_in_a_turn}};

struct split_suite {
  static constexpr const auto& orders = split_orders;
  static constexpr const auto& mutants = split_mutants;
  static constexpr const auto& unreached = split_unreached;

  template <class List>
  static void programs(List& to) {
    to.template lines<split_client>(split_lines);
    to.template lines<one_tag_client>(one_tag_lines);
    to.template lines<two_tags_client>(two_tags_lines);
    to.template lines<one_public_client>(one_public_lines);
    to.template lines<last_top_client>(last_top_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<tagless_client>(tagless_lines);
    to.template lines<wrapping_client>(wrapping_lines);
    to.template lines<clearing_late_client>(clearing_late_lines);
    to.template lines<split_client>(unpromised_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_split>();
    to.template specified<every_renumbering>();
  }
};

}  // namespace licit::suites

#endif
