/// The inject queue: client programs, mutants.
#ifndef LICIT_SUITES_INJECT_QUEUE_HPP
#define LICIT_SUITES_INJECT_QUEUE_HPP

#include <array>
#include <cstdint>
#include <string_view>

#include "suites/altered.hpp"
#include "suites/every/inject_client.hpp"
#include "suites/every/parts.hpp"
#include "suites/inject_queue/client.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<inject_queue_orders> inject_queue_site_rules{
    {"push.ticket", "tail"},      {"batch.tail", "tail"},    {"batch.ticket", "tail"},  {"return.tail", "tail"},
    {"return.ticket", "tail"},    {"extend.tail", "tail"},   {"move.tail", "tail"},     {"look.tail", "tail"},
    {"pop.again", "tail"},        {"advance.tail", "tail"},  {"size.tail", "tail"},     {"look.head", "head"},
    {"pop.claim", "head"},        {"advance.claim", "head"}, {"advance.look", "head"},  {"advance.head", "head"},
    {"size.head", "head"},        {"push.item", "cell"},     {"extend.fill", "cell"},   {"pop.item", "cell"},
    {"pop.poison", "cell"},       {"extend.next", "next"},   {"extend.link", "next"},   {"advance.next", "next"},
    {"finish.count", "finished"}, {"obtain.look", "spare"},  {"obtain.spare", "spare"}, {"recycle.spare", "spare"},
    {"recycle.look", "spare"},    {"pop.kept", "kept"},      {"keep.top", "kept"},      {"keep.push", "kept"},
    {"drain.take", "kept"},       {"empty.kept", "kept"},    {"push.closed", "closed"}, {"close.flag", "closed"},
    {"closed.flag", "closed"},
};

/// In these a segment has one cell.
inline constexpr std::array one_cell_lines{
    client_line{"next_segment", "push push | pop pop", "a taker follows a pusher from segment to segment"},
    client_line{"pushers_at_the_end", "push push | push",
                "two pushers meet at the end of a segment: one of them makes the next"},
    client_line{"pushers_and_taker", "push: push pop pop | push",
                "a segment is not freed while a late pusher has a ticket of it"},
    client_line{"takers_at_the_end", "push push: pop pop | pop",
                "two takers meet at the end of a segment: one of them moves on"},
    client_line{"batch_at_the_end", "push push | batch(1)", "a batch meets a segment that another pusher made"},
    client_line{"destruction", "leave push: push push | pop", "items left in several segments: all memory comes back"},
    client_line{"recycled", "push push pop pop: push pop push | pop",
                "a segment is used again while a taker may still look at its last life", reach::none, false,
                "look.head"},
    client_line{"lives", "push push push: pop pop push | any! pop!",
                "ends in two lives of one segment are not taken for one: the queue does not seem empty"},
    client_line{"two_pushers", "push | push | pop", "two pushers, and a taker that may come before them"},
    client_line{"without_memory", "starved=1: push push | pop(2)", "a push that gets no memory has pushed nothing"},
    client_line{"given_back", "starved=1 push push pop pop: push | push pop push",
                "a segment comes back after a push had looked at it and got no memory for the next", reach::none, false,
                "move.tail look.head"},
};
inline constexpr std::array two_cells_lines{
    client_line{"batch", "batch(3) | pop(2)", "a batch spans segments, and a taker takes a batch"},
};
inline constexpr std::array three_cells_lines{
    client_line{"one_segment", "push push | pop pop", "a pusher and a taker meet at the cells of a segment"},
    client_line{"two_takers", "push: push | pop | pop", "two takers and a pusher"},
    client_line{"batch_overtaken", "batch(2) | pop(2) pop(2)",
                "a taker that comes before the items of a batch leaves them in order"},
};
inline constexpr std::array linked_lines{
    client_line{"kept", "push_certain: push_certain push_certain | pop pop",
                "an item that is pushed for certain, without memory, is not lost"},
    client_line{"kept_by_two", "push_certain*3: pop push_certain | pop(2)",
                "two takers of items that were pushed for certain: the items that one puts back are not lost"},
};

/// What parking asks of a queue. The pusher pushes, and then looks whether somebody parked; the other says that it
/// parks, and then looks whether there is an item. Each has a seq_cst fence between the two.
template <class Model>
class no_false_empty : one_cell_client<Model> {
 public:
  static constexpr program_info about{
      "no_false_empty", "empty() and pop see a push that comes before them, by a fence or by happens-before", 2};

  no_false_empty() : one_cell_client<Model>(clients) {
    Model::name(parked_, "parked");
    for (const call& c : clients.before) (void)this->perform(0, c);
  }
  void thread(unsigned i) {
    const call& push = clients.thread[0].begin()[0];
    const call& pop = clients.thread[1].begin()[0];
    if (i == 0) {
      (void)this->perform(0, push);
      Model::fence(order::seq_cst);
      noticed_ = parked_.load(order::relaxed) == 1;
    } else {
      parked_.store(1, order::relaxed);
      Model::fence(order::seq_cst);
      found_ = !this->queue().empty();
      popped_ = this->perform(1, pop);
    }
  }
  void finish() {
    if (!Model::stalled(0) && !Model::stalled(1)) {
      Model::check(noticed_ || found_, "lost: an item was pushed, and neither noticed the other");
      Model::check(noticed_ || popped_, "lost: an item was pushed, and pop did not find it");
    }
    this->settle();
  }

 private:
  static constexpr line clients = parse("push push pop pop: push | pop", vocabulary_of<one_cell_client<Model>>());

  typename Model::template atomic<int> parked_;
  bool noticed_ = false;  // thread 0's
  bool found_ = false;    // thread 1's
  bool popped_ = false;   // thread 1's
};

/// What a shutdown does. The thread that closes the queue then takes the items that there are, and leaves none of a
/// pusher that found it open.
template <class Model>
class pushed_while_closed : one_cell_client<Model> {
 public:
  static constexpr program_info about{
      "closed", "the pusher or the closing thread sees an item that is pushed while the queue is closed", 2};

  pushed_while_closed() : one_cell_client<Model>(clients) {}
  void thread(unsigned i) {
    if (i == 0) {
      const bool late = this->queue().closed();
      const bool in = this->perform(0, clients.thread[0].begin()[0]);
      Model::check(!late || !in, "an item came in after the queue was closed");
      Model::fence(order::seq_cst);
      sees_to_it_itself_ = this->queue().closed();
    } else {
      Model::check(this->queue().close(), "another thread closed the queue");
      Model::fence(order::seq_cst);
      while (this->perform(1, clients.thread[1].begin()[0])) {
      }
      Model::check(this->queue().closed(), "a queue that was closed is open");
    }
  }
  void finish() {
    if (Model::stalled(0) || Model::stalled(1)) return;
    Model::check(sees_to_it_itself_ || this->queue().empty(), "lost: neither thread sees the item");
  }

 private:
  static constexpr line clients = parse("push | pop", vocabulary_of<one_cell_client<Model>>());

  bool sees_to_it_itself_ = false;  // thread 0's
};

inline constexpr std::array inject_queue_mutants{
    mutant{"push.ticket relaxed", {"push.ticket", change::weaken}},
    mutant{"push.item relaxed", {"push.item", change::weaken}},
    mutant{"batch.ticket relaxed", {"batch.ticket", change::weaken}},
    mutant{"extend.next relaxed", {"extend.next", change::weaken}},
    mutant{"extend.link relaxed", {"extend.link", change::weaken}},
    mutant{"move.tail relaxed", {"move.tail", change::weaken}},
    mutant{"return.ticket relaxed", {"return.ticket", change::weaken}},
    mutant{"look.tail relaxed", {"look.tail", change::weaken}},
    mutant{"pop.claim relaxed", {"pop.claim", change::weaken}},
    mutant{"pop.item relaxed", {"pop.item", change::weaken}},
    mutant{"pop.poison relaxed", {"pop.poison", change::weaken}},
    mutant{"advance.claim relaxed", {"advance.claim", change::weaken}},
    mutant{"advance.tail relaxed", {"advance.tail", change::weaken}},
    mutant{"advance.head relaxed", {"advance.head", change::weaken}},
    mutant{"finish.count relaxed", {"finish.count", change::weaken}},
    mutant{"obtain.spare relaxed", {"obtain.spare", change::weaken}},
    mutant{"recycle.spare relaxed", {"recycle.spare", change::weaken}},
    mutant{"keep.push relaxed", {"keep.push", change::weaken}},
    mutant{"drain.take relaxed", {"drain.take", change::weaken}},
    mutant{"push.item a blind store", {"push.item", change::blind_store}},
    mutant{"batch.ticket a blind store", {"batch.ticket", change::blind_store}},
    mutant{"extend.link a blind store", {"extend.link", change::blind_store}},
    mutant{"move.tail a blind store", {"move.tail", change::blind_store}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}},
    mutant{"advance.claim a blind store", {"advance.claim", change::blind_store}},
    mutant{"advance.head a blind store", {"advance.head", change::blind_store}},
    mutant{"recycle.spare a blind store", {"recycle.spare", change::blind_store}},
    mutant{"keep.push a blind store", {"keep.push", change::blind_store}},
    mutant{"a new segment is not filled", {"extend.fill", change::drop}},
};

enum class inject_fault {
  cell_left,         ///< a taker that finds no item leaves the cell as it is
  cell_trusted,      ///< a pusher does not look whether its cell was taken
  ticket_uncounted,  ///< a pusher that comes after the last cell looks at the tail, and takes no ticket
  claim_uncounted,   ///< a taker that comes after the last cell looks at the head, and claims nothing
  freed_at_once,     ///< a segment goes when both ends have left it
};

/// One operation gone wrong. Segments have one cell.
template <class Model, inject_fault Which>
struct faulty : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using right = typename Model::template atomic<T>;
    using policy = short_segments<Model, 1>;

   public:
    using right::right;

    template <class Site>
    T exchange(T value, Site s) {
      if constexpr (Which == inject_fault::cell_left && is_at<Site, "pop.poison">) return T{};
      return right::exchange(value, s);
    }
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      if constexpr (Which == inject_fault::claim_uncounted && is_at<Site, "advance.claim">) return true;
      const bool won = right::compare_exchange(expected, desired, s);
      return won || (Which == inject_fault::cell_trusted && is_at<Site, "push.item">);
    }
    template <class Site>
    T fetch_add(T value, Site s) {
      if constexpr (Which == inject_fault::ticket_uncounted && is_at<Site, "push.ticket">) {
        const T seen = right::load(order::acquire, "push.ticket");
        if (licit::detail::inject_word<policy>(seen).tickets() != 0) return seen;
      }
      const T before = right::fetch_add(value, s);
      if constexpr (Which == inject_fault::freed_at_once && is_at<Site, "finish.count">) {
        using segment = licit::detail::inject_segment<policy>;
        if (value > segment::left / 2 && before > segment::left / 2) return segment::unused - value;
      }
      return before;
    }
  };
};
/// Takers read the head, and then the tail.
template <class Model>
using head_first = with_rules<Model, inject_queue_rules{.reads_tail_first = false}>;

template <class Model>
using cell_left_client = one_cell_client<faulty<Model, inject_fault::cell_left>>;
template <class Model>
using cell_trusted_client = one_cell_client<faulty<Model, inject_fault::cell_trusted>>;
template <class Model>
using ticket_uncounted_client = one_cell_client<faulty<Model, inject_fault::ticket_uncounted>>;
template <class Model>
using claim_uncounted_client = one_cell_client<faulty<Model, inject_fault::claim_uncounted>>;
template <class Model>
using freed_at_once_client = one_cell_client<faulty<Model, inject_fault::freed_at_once>>;
template <class Model>
using head_first_client = one_cell_client<head_first<Model>>;

inline constexpr std::array cell_left_lines{client_line{
    "cell_left", "push push | pop pop", "a taker that comes before the item does not say so: the item is lost"}};
inline constexpr std::array cell_trusted_lines{client_line{
    "cell_trusted", "push push | pop pop", "a pusher does not look whether its taker came first: the item is lost"}};
inline constexpr std::array ticket_uncounted_lines{
    client_line{"ticket_uncounted", "push: push pop pop | push", "a pusher reads a segment that it has no ticket of"}};
inline constexpr std::array claim_uncounted_lines{
    client_line{"claim_uncounted", "push push: pop pop | pop", "a taker reads a segment that it has no claim of"}};
inline constexpr std::array freed_at_once_lines{client_line{
    "freed_at_once", "push: push pop pop | push", "a segment is freed while a late pusher has a ticket of it"}};
inline constexpr std::array head_first_lines{
    client_line{"lives_mixed_up", "push push push: pop pop push | any! pop!",
                "a head that was read before the tail belongs to another life of its segment"}};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_inject =
    specified_inject_client<Model, inject_queue<std::uint64_t, short_segments<Model, 3>>, inject_promise>;
template <class Model>
using every_inject_at_ends =
    specified_inject_client<Model, inject_queue<std::uint64_t, short_segments<Model, 1>>, inject_at_ends_promise>;

inline constexpr std::string_view without_memory =
    "acts where there is no memory for a segment, which generated clients do not lack";
inline constexpr std::string_view used_again =
    "needs a segment that is used again: more calls, or more executions, than the search has";
inline constexpr std::array inject_queue_unreached{
    unreached{"return.ticket relaxed", without_memory}, unreached{"keep.push relaxed", without_memory},
    unreached{"drain.take relaxed", without_memory},    unreached{"keep.push a blind store", without_memory},
    unreached{"look.tail relaxed", used_again},         unreached{"advance.tail relaxed", used_again}};

struct inject_queue_suite {
  static constexpr const auto& orders = inject_queue_orders;
  static constexpr const auto& mutants = inject_queue_mutants;
  static constexpr const auto& unreached = inject_queue_unreached;

  template <class List>
  static void programs(List& to) {
    to.template lines<one_cell_client>(one_cell_lines);
    to.template lines<two_cells_client>(two_cells_lines);
    to.template lines<three_cells_client>(three_cells_lines);
    to.template lines<linked_client>(linked_lines);
    to.template add<no_false_empty>();
    to.template add<pushed_while_closed>();
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<cell_left_client>(cell_left_lines);
    to.template lines<cell_trusted_client>(cell_trusted_lines);
    to.template lines<ticket_uncounted_client>(ticket_uncounted_lines);
    to.template lines<claim_uncounted_client>(claim_uncounted_lines);
    to.template lines<freed_at_once_client>(freed_at_once_lines);
    to.template lines<head_first_client>(head_first_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_inject>();
    to.template specified<every_inject_at_ends>();
  }
};

}  // namespace licit::suites

#endif
