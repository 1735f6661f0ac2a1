// Measured work and span: the report, the cost of a steal, and what measuring itself costs.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include <licit/scheduler.hpp>
#include <licit/scheduler/clock.hpp>
#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/fork/measure_span.hpp>
#include <licit/scheduler/processors.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/threads.hpp>

namespace licit::inline v0 {

namespace {

/// From a fork to the step after its join; 0: nobody came until `end`.
std::uint64_t steal_once(std::uint64_t end) {
  constexpr std::uint64_t patience = 1'000'000;  // the thief may need this thread's processor
  std::atomic<bool> stolen = false;
  bool came = false;
  const std::thread::id self = std::this_thread::get_id();
  const std::uint64_t begun = detail::steady_nanoseconds::now();
  join(
      [&] {
        for (std::uint64_t now = begun; !(came = stolen) && now < end; now = detail::steady_nanoseconds::now()) {
          if (now - begun > patience) std::this_thread::yield();
        }
      },
      [&] { stolen = std::this_thread::get_id() != self; });
  return came ? detail::steady_nanoseconds::now() - begun : 0;
}

/// The least of 101. Where others have the processors, it goes on for half a second until one is plausible.
std::chrono::nanoseconds measured_steal(join_fences fences) {
  constexpr int rounds = 101;
  constexpr std::uint64_t most = 50'000;
  constexpr std::uint64_t at_most = 500'000'000;
  // It does not sleep between two rounds.
  scheduler thief({.workers = 1, .spins = 10'000, .guests = 1, .join_fences = fences});
  std::uint64_t least = most;
  thief.enter([&] {
    const std::uint64_t end = detail::steady_nanoseconds::now() + at_most;
    for (int i = 0; (i < rounds || least == most) && detail::steady_nanoseconds::now() < end; ++i) {
      const std::uint64_t one = steal_once(end);
      if (one != 0) least = std::min(least, one);
    }
  });
  return std::chrono::nanoseconds(least);
}

}  // namespace

std::chrono::nanoseconds cost_of_a_steal(join_fences fences) {
  if (fences == join_fences::full) {
    static const std::chrono::nanoseconds without_membarrier = measured_steal(join_fences::full);
    return without_membarrier;
  }
  static const std::chrono::nanoseconds measured = measured_steal(fences);
  return measured;
}

namespace detail {

/// A side that nobody steals from. Its scheduler, if it has one, may be one that makes no membarrier call.
struct measurement::lone_side {
  lone_side()
      : idle{1},
        crew{idle,
             0,
             [this](std::size_t /*none*/) -> parker<>& { return unused; },
             {.guests = 1, .fences = late_fences::full()}} {
    crew.at_side(0).set_stack(this_stack().half, this_stack().end);
    this_context().forks = &crew.at_side(0);
  }
  ~lone_side() { this_context().forks = nullptr; }
  lone_side(const lone_side&) = delete;
  lone_side& operator=(const lone_side&) = delete;

  parker<> unused;
  idle_set<> idle;
  fork_crew<> crew;
};

namespace {

std::uint64_t processor_time() noexcept {
  timespec ran{};
  (void)::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
  return static_cast<std::uint64_t>(ran.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(ran.tv_nsec);
}

/// What measuring adds to a strand: the least that forks with empty halves took, each of which ends three.
std::int64_t overhead_of(fork_side<native>& side, const span_meter& meter) {
  constexpr std::int64_t forks = 32;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int round = 0; round != 8; ++round) {
    strand mine(side, meter);
    for (std::int64_t i = 0; i != forks; ++i) {
      strand_fork both;
      both.open(mine);
      both.turn();
      both.close();
    }
    least = std::min(least, mine.take().work);
  }
  return std::max<std::int64_t>(least / (3 * forks), 0);
}

}  // namespace

measurement::measurement(span_report& into, const span_options& options)
    : lone_{this_context().forks == nullptr ? std::make_unique<lone_side>() : nullptr},
      into_{into},
      side_{*this_context().forks},
      outer_{side_.measured()},
      meter_{options.clock != nullptr ? options.clock : &steady_nanoseconds::now,
             options.clock != nullptr ? nullptr : &processor_time},
      processors_{std::min(side_.threads(), usable_processors())} {
  if (options.burden.has_value() && options.burden->count() < 0) {
    throw std::invalid_argument("licit: measure_span: a burden below zero");
  }
  if (options.burden.has_value() && *options.burden > std::chrono::hours(1)) {  // a chain of millions can be added up
    throw std::invalid_argument("licit: measure_span: a burden of more than an hour");
  }
  if (outer_ != nullptr) {
    outer_->count();
    meter_ = outer_->meter();
  } else {
    const join_fences fences = side_.passes().may_be_asymmetric() ? join_fences::chosen : join_fences::full;
    meter_.burden = (options.burden.has_value() ? *options.burden : cost_of_a_steal(fences)).count();
    meter_.overhead = overhead_of(side_, meter_);
  }
  begun_ns_ = steady_nanoseconds::now();
  all_.emplace(side_, meter_);
}

measurement::~measurement() {
  const span_totals took = all_->take();  // NOLINT(bugprone-unchecked-optional-access): set by the constructor
  const std::uint64_t ended = steady_nanoseconds::now();
  all_.reset();
  const auto time = [](std::int64_t ns) { return std::chrono::nanoseconds(std::max<std::int64_t>(ns, 0)); };
  into_ = {.work = time(took.work),
           .span = time(took.span),
           .burdened_span = time(took.burdened),
           .elapsed = std::chrono::nanoseconds(ended - begun_ns_),
           .burden = std::chrono::nanoseconds(meter_.burden),
           .forks = took.forks,
           .forks_in_chain = static_cast<std::uint64_t>(took.in_forks),
           .steals = took.steals,
           .threads = side_.threads(),
           .processors = processors_};
  if (outer_ == nullptr) return;
  outer_->then(took);
  outer_->resume();
}

}  // namespace detail

double span_report::expected_speed_up(std::size_t processors) const {
  const auto all = static_cast<double>(work.count());
  const double share = 1 / static_cast<double>(std::max<std::size_t>(processors, 1));
  const double time = all * share + static_cast<double>(burdened_span.count()) * (1 - share);
  return time <= 0 ? 1 : all / time;
}

namespace {

/// Three significant digits, without an exponent, in any locale.
std::string digits(double number) {
  int after = 0;
  for (double n = std::abs(number); after != 3 && n < 99.95 && n != 0; n *= 10) ++after;
  const double scale = std::pow(10, after);
  const auto rounded = static_cast<std::uint64_t>(std::llround(number * scale));
  std::string made = std::to_string(rounded / static_cast<std::uint64_t>(scale));
  if (after == 0) return made;
  const std::string part = std::to_string(rounded % static_cast<std::uint64_t>(scale));
  return made + "." + std::string(static_cast<std::size_t>(after) - part.size(), '0') + part;
}

std::string text_of(std::chrono::nanoseconds time) {
  const auto ns = static_cast<double>(time.count());
  if (ns < 1e3) return std::to_string(time.count()) + " ns";
  if (ns < 1e6) return digits(ns / 1e3) + " us";
  if (ns < 1e9) return digits(ns / 1e6) + " ms";
  return digits(ns / 1e9) + " s";
}

std::string many(std::size_t number, std::string_view what) {
  return std::to_string(number).append(what).append(number == 1 ? "" : "s");
}

}  // namespace

std::string verdict(const span_report& r) {
  const double most = r.burdened_parallelism();
  if (r.forks == 0) return "Nothing forks: more processors would not help.";
  if (most <= 1) {
    return "More processors would not help: with its steals, the longest chain takes longer than all parts together. "
           "Fewer forks, with larger leaves, would shorten it.";
  }
  const double gain = r.expected_speed_up(2 * r.processors) / r.expected_speed_up(r.processors);
  const std::string_view how = gain >= 1.5 ? "would help" : gain >= 1.15 ? "would help a little" : "would hardly help";
  std::string made = "More processors ";
  made += how;
  made += ": " + std::to_string(2 * r.processors) + " in place of " + std::to_string(r.processors) + " would make it " +
          digits(gain) + " times faster. No number makes it more than " + digits(most) + " times faster than one.";
  if (gain < 1.5 && r.parallelism() > 2 * most) made += " Fewer forks, with larger leaves, would raise that.";
  return made;
}

std::string text_table(const span_report& r) {
  struct line {
    std::string_view name;
    std::string value, meaning;
  };
  const std::chrono::nanoseconds bound = r.work / static_cast<std::int64_t>(r.processors) + r.burdened_span;
  const std::array lines{
      line{"work T1", text_of(r.work), "all parts, one after the other"},
      line{"span Tinf", text_of(r.span), "the longest chain of parts"},
      line{"span, burdened", text_of(r.burdened_span), "with a steal a fork, of " + text_of(r.burden)},
      line{"parallelism", digits(r.parallelism()), "T1/Tinf"},
      line{"parallelism, burdened", digits(r.burdened_parallelism()), "T1/Tinf, burdened"},
      line{"time TP", text_of(r.elapsed),
           "on " + many(r.threads, " thread") + ", " + many(r.processors, " processor") +
               "; T1/processors + Tinf, burdened: " + text_of(bound)},
      line{"speed-up", digits(r.speed_up()), "T1/TP"},
      line{"forks", std::to_string(r.forks), std::to_string(r.forks_in_chain) + " on the chain with the most"},
      line{"steals", std::to_string(r.steals), digits(r.steals_of_bound()) + " of threads x Tinf in forks"},
  };
  std::string made;
  for (const line& each : lines) {
    made += each.name;
    made.append(23 - each.name.size(), ' ');
    made.append(each.value.size() < 10 ? 10 - each.value.size() : 0, ' ');
    made += each.value + "   " + each.meaning + '\n';
  }
  made += "expected speed-up on ";
  for (std::size_t p = 1; p <= 64; p *= 2)
    made += (p == 1 ? "" : ", ") + std::to_string(p) + ": " + digits(r.expected_speed_up(p));
  return made + " processors\n" + verdict(r) + '\n';
}

}  // namespace licit::inline v0
