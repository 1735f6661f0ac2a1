/// For guests/joins.cpp with a mutant: every file of the guest is compiled with this one in front. licit::join is
/// compiled for licit::native alone, so the memory policy that knows mutants takes that name in all that is included
/// afterwards. The mutants are those of the suite `fork` (models/suites/fork.hpp), by the kill matrix's names. One of
/// them is chosen when the guest starts. Each order is a constant all the same: an operation with a mutant is compiled
/// once by the order of its site and once by the mutant's.
#ifndef LICIT_MODELS_QEMU_JOINS_POLICY_HPP
#define LICIT_MODELS_QEMU_JOINS_POLICY_HPP

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include <licit/deque/asymmetric.hpp>
#include <licit/deque/native.hpp>
#include <licit/scheduler/fork/fork_orders.hpp>

#include "machine/stress/row.hpp"
#include "suites/altered.hpp"

namespace licit::inline v0 {
struct fork_rules;
namespace detail {
struct worker_rules;
}
}  // namespace licit::inline v0

namespace licit::qemu::guest {

using stress::row;
using suites::change;

struct rows_of_joins {
  static constexpr const auto& table = fork_orders;
  static constexpr std::array rows{
      row{"job.begin relaxed", true, {{"job.begin", change::weaken}}, {}},
      row{"job.complete relaxed", true, {{"job.complete", change::weaken}}, {}},
      row{"job.look relaxed", true, {{"job.look", change::weaken}}, {}},
      row{"no offer.fence", true, {{"offer.fence", change::drop}}, {}},
      row{"alert.fence acq_rel", true, {{"alert.fence", change::weaken, order::acq_rel}}, {}},
      row{"no alert.fence", true, {{"alert.fence", change::drop}}, {}},
      row{"look.fence acq_rel", true, {{"look.fence", change::weaken, order::acq_rel}}, {}},
      row{"no look.fence", true, {{"look.fence", change::drop}}, {}},
      row{"no look.heavy", true, {{"look.heavy", change::drop}}, {}},
      row{"no tell_of.heavy", true, {{"tell_of.heavy", change::drop}}, {}},
      row{"begin.fence acq_rel", true, {{"begin.fence", change::weaken, order::acq_rel}}, {}},
      row{"no begin.fence", true, {{"begin.fence", change::drop}}, {}},
      row{"guest.enter relaxed", true, {{"guest.enter", change::weaken}}, {}},
      row{"guest.leave relaxed", true, {{"guest.leave", change::weaken}}, {}},
  };
};
inline constexpr std::size_t ordering_rows = rows_of_joins::rows.size();

/// Which of them: `ordering_rows` is none. Set before there are threads.
inline std::size_t weakened = ordering_rows;

/// The rules of fork and join, by run-time choice. A joiner does not spin: it looks once, and sleeps, as in the suite.
template <class Rules>
struct chosen_fork_rules : Rules {
  unsigned spins = 0;
  bool pauses = false;
  suites::chosen_rule<&Rules::wakes_idle> wakes_idle;
  suites::chosen_rule<&Rules::wakes_joiners> wakes_joiners;
  suites::chosen_rule<&Rules::only_descendants> only_descendants;
  suites::chosen_rule<&Rules::passes_on> passes_on;
  suites::chosen_rule<&Rules::looks_again> looks_again;
  suites::chosen_rule<&Rules::waits_after_exception> waits_after_exception;
  suites::chosen_rule<&Rules::drops_second_exception> drops_second_exception;
  suites::chosen_rule<&Rules::wakes_at_begin> wakes_at_begin;
};
template <class Rules>
struct chosen_worker_rules : Rules {
  suites::chosen_rule<&Rules::passes_on> passes_on;
};
inline bool announces_torn = false;  ///< a joiner announces its sleep by a load and a store

template <class Site>
inline constexpr bool has_rows = [] {
  for (const row& r : rows_of_joins::rows) {
    if (std::string_view(Site::entry.site) == r.changes[0].site)
      return std::is_same_v<Site, site<fork_orders, Site::index>>;
  }
  return false;
}();

/// The site as that row has it.
template <class Site, std::size_t Row>
struct altered_site {
  static constexpr checker::live_row now = stress::altered<rows_of_joins, Row>::template at<Site>();
  static constexpr licit::row entry = [] {
    licit::row changed = Site::entry;
    changed.success = now.success;
    changed.failure = now.failure;
    return changed;
  }();
};

/// Calls `perform(site)`: by the site's own order, or by that of the chosen row if it is a row of the site.
template <std::size_t Row = 0, class Site, class Perform>
[[gnu::always_inline]] inline decltype(auto) by_row(Site s, Perform&& perform) {
  if constexpr (!has_rows<Site> || Row == ordering_rows) {
    return perform(s);
  } else if constexpr (std::string_view(Site::entry.site) == rows_of_joins::rows[Row].changes[0].site) {
    if (weakened == Row) return perform(altered_site<Site, Row>());
    return by_row<Row + 1>(s, perform);
  } else {
    return by_row<Row + 1>(s, perform);
  }
}
template <class Site>
inline bool left_out() {
  bool is = false;
  if constexpr (has_rows<Site>) {
    is = weakened != ordering_rows && rows_of_joins::rows[weakened].changes[0].how == change::drop &&
         rows_of_joins::rows[weakened].changes[0].site == std::string_view(Site::entry.site);
  }
  return is;
}

struct tested : native {
  template <class T>
  struct atomic : native::atomic<T> {
    using base = native::atomic<T>;
    using base::base;
    template <class Site>
    T load(Site s) const {
      return by_row(s, [this](auto now) { return this->base::load(now); });
    }
    template <class Site>
    void store(T value, Site s) {
      by_row(s, [&, this](auto now) { this->base::store(value, now); });
    }
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      if constexpr (suites::is_at<Site, "job.announce">) {
        if (announces_torn) return torn(expected, desired);
      }
      return by_row(s, [&, this](auto now) { return this->base::compare_exchange(expected, desired, now); });
    }
    template <class Site>
    T exchange(T value, Site s) {
      return by_row(s, [&, this](auto now) { return this->base::exchange(value, now); });
    }
    template <class Site>
    T fetch_or(T value, Site s) {
      return by_row(s, [&, this](auto now) { return this->base::fetch_or(value, now); });
    }

   private:
    bool torn(T& expected, T desired) {
      const T before = this->value_.load(std::memory_order_acquire);
      if (before == expected) return this->value_.store(desired, std::memory_order_release), true;
      expected = before;
      return false;
    }
  };

  template <class Site>
  static void fence(Site s) {
    if (left_out<Site>()) return;
    by_row(s, [](auto now) { native::fence(now); });
  }
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };

  template <class Rules>
    requires std::is_same_v<Rules, fork_rules>
  static constexpr auto replaced(Rules /*usual*/) {
    return chosen_fork_rules<Rules>{};
  }
  template <class Rules>
    requires std::is_same_v<Rules, licit::detail::worker_rules>
  static constexpr auto replaced(Rules /*usual*/) {
    return chosen_worker_rules<Rules>{};
  }
};

}  // namespace licit::qemu::guest

/// The library's fences, which choose between membarrier and full ones, but those of a row that leaves them out.
template <>
struct licit::late_asymmetric_policy<licit::qemu::guest::tested>
    : licit::asymmetric_policy<licit::qemu::guest::tested> {
  struct fences : licit::late_fences {
    fences() = default;
    explicit fences(const licit::late_fences& as) : licit::late_fences(as) {}
    template <class Site>
    void operator()(Site s) const {
      if (!licit::qemu::guest::left_out<Site>()) licit::late_fences::operator()(s);
    }
  };
};

namespace licit::inline v0 {
using licit::qemu::guest::tested;
}
#define native tested
#define LICIT_MUTANTS

#endif
