/// The idle set: client programs of the set alone, mutants. Those with workers that sleep are in idle_set/sleepers.hpp.
#ifndef LICIT_SUITES_IDLE_SET_HPP
#define LICIT_SUITES_IDLE_SET_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/deque/order.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/metrics/watchdog.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/idle_client.hpp"
#include "suites/every/parts.hpp"
#include "suites/idle_set/deeds.hpp"
#include "suites/idle_set/sleepers.hpp"
#include "suites/program.hpp"

namespace licit::suites {

/// Counters instead of the set: who searches, who is parked and which are three atomics, each right by itself. Every
/// access is seq_cst: it is no matter of orders.
template <class Model>
class three_counters {
 public:
  explicit three_counters(std::size_t /*workers*/) {}

  bool park(std::size_t self, bool searching) {
    bits_.fetch_or(bit(self), order::seq_cst, "park.bit");
    parked_.fetch_add(1, order::seq_cst, "park.parked");
    if (searching) return searching_.fetch_sub(1, order::seq_cst, "park.searching") == 1;
    return searching_.load(order::seq_cst, "park.look") == 0;
  }

  std::optional<std::size_t> claim() {
    if (searching_.load(order::seq_cst, "claim.searching") != 0) return std::nullopt;
    return claim_any();
  }

  std::optional<std::size_t> claim_any() {
    std::uint64_t bits = bits_.load(order::seq_cst, "claim.bits");
    while (bits != 0) {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(bits));
      if (bits_.compare_exchange(bits, bits & (bits - 1), order::seq_cst, order::seq_cst, "claim.clear")) {
        parked_.fetch_sub(1, order::seq_cst, "claim.parked");
        searching_.fetch_add(1, order::seq_cst, "claim.count");
        return lowest;
      }
    }
    return std::nullopt;
  }

  bool retract(std::size_t self) {
    if ((bits_.fetch_and(~bit(self), order::seq_cst, "retract.bit") & bit(self)) == 0) return false;
    parked_.fetch_sub(1, order::seq_cst, "retract.parked");
    searching_.fetch_add(1, order::seq_cst, "retract.count");
    return true;
  }

  bool begin_search() {
    searching_.fetch_add(1, order::seq_cst, "begin.count");
    return true;
  }
  bool end_search() { return searching_.fetch_sub(1, order::seq_cst, "end.count") == 1; }

  [[nodiscard]] bool is_parked(std::size_t self) const {
    return (bits_.load(order::seq_cst, "parked.look") & bit(self)) != 0;
  }
  [[nodiscard]] std::size_t parked() const { return parked_.load(order::seq_cst, "count.parked"); }
  [[nodiscard]] std::size_t searching() const { return searching_.load(order::seq_cst, "count.searching"); }

 private:
  static std::uint64_t bit(std::size_t self) { return std::uint64_t{1} << self; }

  typename Model::template atomic<std::uint64_t> bits_;
  typename Model::template atomic<std::uint64_t> parked_;
  typename Model::template atomic<std::uint64_t> searching_;
};

/// parked.look reads either the head or the bits, and has no name.
inline const site_rules_for<idle_set_orders> idle_set_site_rules{
    {"park.bit", "bits"},   {"park.count", "head"},   {"claim.look", "head"},
    {"claim.bits", "bits"}, {"retract.look", "head"}, {"retract.clear", "bits"},
    {"begin.look", "head"}, {"end.count", "head"},    {"count.look", "head"},
};

/// A set; nobody sleeps. A worker is given by its number, or is that of the thread.
///
///     park(w,s)            worker w parks; s = 1: it was counted as searching; succeeds if nobody searches now
///     claim claim-any      any thread; succeeds if it brings a worker
///     retract(w) begin(w)  worker w takes itself out; begins to search
///     end(w)               worker w ends its search; succeeds if it was the last
///     awake(w)             succeeds if worker w is not in the set
///     write read           a plain cell, whose writer's claim the reader must have seen
///     bring                this worker has work in its queue
///     look(w)              looks for the work in worker w's queue, which must be there
///
/// At the end so many search (`searching`), and so many were told that they were the last (`last`), if the line says
/// so.
template <class Model, template <class> class Set>
class idle_set_client_of {
 public:
  enum : std::uint8_t {
    park_word,
    claim_word,
    claim_any_word,
    retract_word,
    begin_word,
    end_word,
    awake_word,
    write_word,
    read_word,
    bring_word,
    look_word
  };
  static constexpr std::array words{"park",  "claim", "claim-any", "retract", "begin", "end",
                                    "awake", "write", "read",      "bring",   "look"};
  enum : std::uint8_t { workers, searching, last };
  static constexpr std::array settings{"workers", "searching", "last"};

  explicit idle_set_client_of(const line& l)
      : line_{l}, all_{l.setting(workers, 1)}, queues_{l.count(bring_word) == 0 ? 0 : all_.workers()} {}

  static const char* refuses(const line& l) {
    const std::size_t all = l.setting(workers, 1);
    return all == 0 || all > line::most_threads ? "workers is from 1 to 4" : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    const bool any_thread = c.word == claim_word || c.word == claim_any_word || c.word == write_word ||
                            c.word == read_word || c.word == bring_word;
    if (any_thread && c.numbers != 0) return no_numbers;
    const bool is_free = any_thread && c.word != bring_word;
    if (!is_free && c.at(0, thread) >= l.setting(workers, 1)) return no_such_worker;
    if (c.word == look_word) return l.count(bring_word) == 0 ? "nobody brings work" : nullptr;
    const bool ends = c.word == end_word || (c.word == park_word && c.at(1, 0) != 0);
    if (ends && l.count(begin_word) + l.count(claim_word) + l.count(claim_any_word) + l.count(retract_word) == 0) {
      return "no worker searches: begin, claim and retract make one search";
    }
    return any_thread || is_only_user(l, c.at(0, thread)) ? nullptr : "another thread is this worker too";
  }

  bool perform(unsigned thread, const call& c) {
    const std::size_t w = c.at(0, thread);
    switch (c.word) {
      case park_word: return told_last(thread, all_.park(w, c.at(1, 0) != 0));
      case claim_word: return all_.claim(thread).has_value();
      case claim_any_word: return all_.claim_any(thread).has_value();
      case retract_word: return all_.retract(w);
      case begin_word: return all_.begin_search(w);
      case end_word: return told_last(thread, all_.end_search(w));
      case awake_word: return !all_.is_parked(w);
      case write_word: work_.write(5); return true;
      case read_word: Model::check(work_.read() == 5, "the work is not what was written"); return true;
      case bring_word: queues_[thread].store(1, order::relaxed, "bring"); return true;
      default: return look(w);
    }
  }

  /// Nobody knows what a thread that was stopped for good was doing.
  void settle() {
    if (!all_.settle()) return;
    unsigned lasts = 0;
    for (const unsigned n : lasts_) lasts += n;
    Model::check(all_.searches() == line_.setting(searching, all_.searches()),
                 "more or fewer workers search than the program lets");
    Model::check(lasts == line_.setting(last, lasts), "nobody was the last searcher, or two were");
  }
  void leave() {}

 private:
  /// Whether no two threads are this worker. The calls before the colon are nobody's.
  static bool is_only_user(const line& l, std::size_t worker) {
    unsigned users = 0;
    for (unsigned t = 0; t != l.threads; ++t) {
      bool uses = false;
      for (const call& c : l.thread[t]) {
        const bool by_worker = c.word == park_word || c.word == retract_word || c.word == begin_word ||
                               c.word == end_word || c.word == awake_word;
        uses |= c.what == call::kind::word && by_worker && c.at(0, t) == worker;
      }
      users += uses ? 1U : 0U;
    }
    return users <= 1;
  }
  bool told_last(unsigned thread, bool was) {
    lasts_[thread] += was ? 1 : 0;
    return was;
  }
  bool look(std::size_t worker) {
    Model::fence(order::seq_cst, "look.fence");
    Model::check(queues_[worker].load(order::relaxed, "look") == 1,
                 "the last searcher misses the work of one that left before it");
    return true;
  }

  const line& line_;
  idle_set_deeds<Model, Set> all_;
  typename Model::template plain<int> work_;
  cells<typename Model::template atomic<int>, line::most_threads> queues_;
  std::array<unsigned, line::most_threads> lasts_{};  // each entry one thread's
};
template <class Model>
using idle_set_client = idle_set_client_of<Model, idle_set>;

inline constexpr std::string_view claimed_awake = "park awake read? | write claim";
inline constexpr std::string_view two_claimers = "workers=2 park(0) park(1): claim | claim-any!";
inline constexpr std::string_view one_of_two = "workers=2 searching=1 park(0) park(1): claim | claim";
inline constexpr std::string_view retracted = "park retract | claim";
inline constexpr std::string_view retracted_beside_others = "workers=2 park(0) park(1): retract | claim claim-any";
inline constexpr std::string_view retracted_of_two = "workers=2: park | park retract | claim-any";
inline constexpr std::string_view parked_again = "workers=2 park(1): park awake park(0,1)? | claim claim";
inline constexpr std::string_view last_searcher = "workers=3 last=1 begin(0) begin(1): park(0,1) | end";
inline constexpr std::string_view three_workers = "workers=3 begin(0) park(2): park(0,1) | park retract end? | claim";

/// A thread that is left in a claim would go round once more: it was overtaken twice, by changes that cancel each
/// other.
inline constexpr std::array idle_set_lines{
    client_line{"claimed_awake", claimed_awake,
                "a worker that finds itself claimed before it sleeps sees what was written before"},
    client_line{"two_claimers", two_claimers,
                "two parked workers, two claimers: one worker is woken, since it searches then; another on demand"},
    client_line{"one_of_two", one_of_two,
                "one of two claimers wakes a worker, the other leaves it to that worker to wake more"},
    client_line{"retracted", retracted, "a worker takes itself out while another thread claims it"},
    client_line{"retracted_beside_others", retracted_beside_others,
                "a worker takes itself out while a claim takes it, or the other"},
    client_line{"retracted_of_two", retracted_of_two, "a worker takes itself out while others park and claim"},
    client_line{"parked_again", parked_again, "a worker that was claimed parks again while others claim"},
    client_line{"half_search", "workers=3 searching=2: begin | begin | begin",
                "half of the workers, rounded up, are let search, and no more"},
    client_line{"handed_on", "workers=3 begin(0) begin(1): bring end look(1)? | bring end look(0)?",
                "the last searcher to leave sees the work of those that left before"},
    client_line{"handed_on_parking", "workers=3 begin(0) begin(1): bring end | park(1,1) look(0)?",
                "the last searcher, which parks, sees the work of those that left before"},
    client_line{
        "last_searcher", last_searcher,
        "two workers end their search, one by parking, one since it found work: one is told that it is the last"},
    client_line{.name = "three_workers",
                .text = three_workers,
                .property = "one worker parks as a searcher, one claims, one parks and begins to search again",
                .goes_round = "claim."},
};

/// The set takes its few workers for many: their bits are in words of their own, which so many share.
template <class Model, std::size_t InWord = 1>
using wide = with_rules<Model, idle_set_rules{.few = 0, .in_word = InWord}>;
template <class Model>
using wide_idle_set_client = idle_set_client<wide<Model>>;
template <class Model>
using shared_word_client = idle_set_client<wide<Model, 2>>;

/// As in `three_workers`; or a claimer has passed a bit's word before the bit came, and the bit that it was to have was
/// retracted.
inline constexpr std::array wide_idle_set_lines{
    client_line{"wide_claimed_awake", claimed_awake, "claimed_awake, each worker's bit in a word of its own"},
    client_line{"wide_two_claimers", two_claimers, "two_claimers, each worker's bit in a word of its own"},
    client_line{"wide_one_of_two", one_of_two, "one_of_two, each worker's bit in a word of its own"},
    client_line{"wide_retracted", retracted, "retracted, each worker's bit in a word of its own"},
    client_line{.name = "wide_retracted_of_two",
                .text = retracted_of_two,
                .property = "retracted_of_two, each worker's bit in a word of its own",
                .goes_round = "claim."},
    client_line{"wide_parked_again", parked_again, "parked_again, each worker's bit in a word of its own"},
    client_line{"wide_last_searcher", last_searcher, "last_searcher, each worker's bit in a word of its own"},
};
inline constexpr std::array shared_word_lines{
    client_line{"wide_retracted_beside_others", retracted_beside_others,
                "retracted_beside_others, the workers' bits in words that two share"},
    client_line{.name = "wide_three_workers",
                .text = three_workers,
                .property = "three_workers, the workers' bits in words that two share",
                .goes_round = "claim."},
};

/// A claim that passes over the bits a second time has missed the one that it is entitled to (I52). In `one_pass` each
/// word is looked at by two claims.
template <class Model>
struct looking_once : wide<Model> {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class... How>
    T load(How... how) const {
      if constexpr ((claims_bits<How>() || ...)) Model::check(++looks_ <= 2, "a claim has missed its bit");
      return base::load(how...);
    }

   private:
    template <class How>
    static consteval bool claims_bits() {
      if constexpr (requires { How::entry; }) return is_at<How, "claim.bits">;
      return false;
    }

    mutable unsigned looks_ = 0;
  };
};
template <class Model>
using looking_once_client = idle_set_client<looking_once<Model>>;
inline constexpr std::array one_pass_lines{
    client_line{"one_pass", "workers=2 park(1) claim end(1): park(1) | claim",
                "a claimer that has taken a unit of the count sees the bit that it stands for"}};

inline constexpr std::array idle_set_mutants{
    mutant{"park.count relaxed", {"park.count", change::weaken}},
    mutant{"end.count relaxed", {"end.count", change::weaken}},
    mutant{"claim.take acquire", {"claim.take", change::weaken, order::acquire}},
    mutant{"claim.take release", {"claim.take", change::weaken, order::release}},
    mutant{"claim.clear relaxed", {"claim.clear", change::weaken}},
    mutant{"parked.look relaxed", {"parked.look", change::weaken}},
    mutant{"claim.take a blind store", {"claim.take", change::blind_store}},
    mutant{"retract.take a blind store", {"retract.take", change::blind_store}},
    mutant{"begin.count a blind store", {"begin.count", change::blind_store}},
};

// As the head has them.
inline constexpr std::int64_t one_parked = std::int64_t{1} << 32;
inline constexpr std::int64_t one_searching = std::int64_t{1} << 48;

template <class Model>
using uncounted_claim_client = idle_set_client<miscounting<Model, "claim.take", -one_searching>>;
template <class Model>
using uncounted_end_client = idle_set_client<miscounting<Model, "end.count", -one_searching>>;
template <class Model>
using bitless_park_client = idle_set_client<miscounting<Model, "park.count", -1>>;
template <class Model>
using torn_parking_client = idle_set_client<torn<Model, "park.count">>;
template <class Model>
using three_counters_client = idle_set_client_of<Model, three_counters>;
template <class Model>
using unitless_claim_client = shared_word_client<miscounting<Model, "claim.take", one_parked>>;
template <class Model>
using torn_clear_client = shared_word_client<torn<Model, "claim.clear">>;
template <class Model>
using kept_unit_client = shared_word_client<miscounting<Model, "retract.return", -one_parked>>;
template <class Model>
using wide_sleepers = sleepers_client<wide<Model>>;
template <class Model>
using shared_word_sleepers = sleepers_client<wide<Model, 2>>;

/// The watchdog sleeps while the worker is parked. Thread 0 takes the worker out of the set, wakes up as the worker,
/// and tells the watchdog, which must not sleep any more while the worker is awake.
template <class Model, int Fault>
class watchdog_program {
 public:
  enum : std::uint8_t { no_fault, tells_before, tells_nothing };

  watchdog_program() { (void)idle_.park(0, false); }
  void thread(unsigned i) {
    if (i == 0) {
      if (Fault == tells_before) asleep_.unpark();
      Model::check(idle_.claim().has_value(), "the worker is parked");
      if (Fault == no_fault) asleep_.unpark();
    } else {
      while (licit::detail::sleep_while_all_parked(asleep_, [this] { return idle_.parked() == 1; })) {
      }
    }
  }
  void finish() {}

 private:
  idle_set<Model> idle_{1};
  parker<Model> asleep_;
};

template <class Model>
class watchdog_sleeps : public watchdog_program<Model, 0> {
 public:
  static constexpr program_info about{"watchdog_sleeps", "a watchdog that sleeps is awake while a worker is", 2,
                                      reach::none, true};
};
template <class Model>
class watchdog_told_before : public watchdog_program<Model, 1> {
 public:
  static constexpr program_info about{"watchdog_told_before",
                                      "a token that is left before the worker is out of the set is taken in vain", 2,
                                      reach::none, true};
};
template <class Model>
class watchdog_told_nothing : public watchdog_program<Model, 2> {
 public:
  static constexpr program_info about{"watchdog_told_nothing", "a worker that wakes tells the watchdog nothing", 2,
                                      reach::none, true};
};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_idle_set = specified_idle_client<Model, idle_set<Model>, idle_promise>;

inline constexpr std::string_view bits_apart =
    "acts where each worker's bit is in a word of its own: there the set is specified in no one order";
inline constexpr std::array idle_set_unreached{unreached{"claim.take release", bits_apart},
                                               unreached{"claim.clear relaxed", bits_apart}};

struct idle_set_suite {
  static constexpr const auto& orders = idle_set_orders;
  static constexpr const auto& mutants = idle_set_mutants;
  static constexpr const auto& unreached = idle_set_unreached;

  template <class List>
  static void programs(List& to) {
    to.template lines<idle_set_client>(idle_set_lines);
    to.template lines<wide_idle_set_client>(wide_idle_set_lines);
    to.template lines<shared_word_client>(shared_word_lines);
    to.template lines<looking_once_client>(one_pass_lines);
    to.template lines<sleepers_client>(sleepers_lines);
    to.template lines<wide_sleepers>(wide_sleepers_lines);
    to.template lines<shared_word_sleepers>(shared_word_sleepers_lines);
    to.template add<watchdog_sleeps>();
  }
  template <class List>
  static void broken(List& to) {
    one<uncounted_claim_client>(to, "claim_counts_no_searcher", one_of_two,
                                "a worker that is woken is not counted as searching");
    one<uncounted_end_client>(to, "end_counts_nothing", last_searcher, "a worker that ends its search stays counted");
    one<bitless_park_client>(to, "park_without_bit", retracted, "a worker parks, is counted, and has no bit");
    one<torn_parking_client>(to, "park_in_two_steps", parked_again, "a worker that parks overwrites others' counts");
    one<three_counters_client>(to, "counters_apart", one_of_two, "three atomics instead of one word: two are woken");
    one<unitless_claim_client>(to, "claim_takes_no_unit", two_claimers, "a claim takes a bit and leaves the count");
    one<torn_clear_client>(to, "clear_in_two_steps", two_claimers, "a bit that two claimers see is taken by both");
    one<kept_unit_client>(to, "unit_not_returned", retracted_beside_others,
                          "a worker that is claimed as it retracts keeps another's unit");
    to.template lines<sleepers_client>(broken_sleepers_lines);
    to.template lines<shared_word_sleepers>(broken_shared_word_sleepers_lines);
    to.template add<watchdog_told_before>();
    to.template add<watchdog_told_nothing>();
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_idle_set>();
  }

 private:
  template <template <class> class Client, class List>
  static void one(List& to, std::string_view name, std::string_view text, std::string_view property) {
    to.template lines<Client>(std::array{client_line{name, text, property}});
  }
};

}  // namespace licit::suites

#endif
