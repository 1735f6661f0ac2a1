/// Ordering tables: which memory order each atomic operation has, with which operations it synchronises, and why.
///
/// An algorithm never names a memory order. It names a *site* (`at<"push.publish">`), and the site's row in the
/// structure's table holds the order. In production a row is a compile-time constant; a checker works on a run-time
/// copy of the table whose rows it can weaken.
///
/// To write a table of your own you need `order`, `table`, the functions of `rows`, `site_of` and `fixed_string`
/// (examples/ring_orders.cpp). To read one, or to write a policy, you also need `row`, `operation`, `partners` and
/// `site`. The rest is in `licit::detail`.
#ifndef LICIT_DEQUE_ORDER_HPP
#define LICIT_DEQUE_ORDER_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include <licit/deque/errors.hpp>

namespace licit::inline v0 {

enum class order : std::uint32_t { relaxed, acquire, release, acq_rel, seq_cst };
enum class operation : std::uint32_t {
  load,
  store,
  compare_exchange,
  update,  ///< a read-modify-write that always writes: exchange, fetch_add and the like
  fence,
  light_fence,  ///< seq_cst towards heavy fences only, and free: the compiler's half
  heavy_fence,  ///< a seq_cst fence that is one for the light ones too: a kernel call
};

namespace detail {

constexpr std::string_view name(order o) {
  constexpr std::array<std::string_view, 5> names{"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return names[static_cast<std::size_t>(o)];
}

constexpr std::string_view name(operation o) {
  constexpr std::array<std::string_view, 7> names{"load",  "store",       "compare_exchange", "update",
                                                  "fence", "light_fence", "heavy_fence"};
  return names[static_cast<std::size_t>(o)];
}

constexpr bool is_fence(operation o) {
  return o == operation::fence || o == operation::light_fence || o == operation::heavy_fence;
}

}  // namespace detail

/// The sites with which a site synchronises. A fixed array, so that tables are constants.
class partners {
 public:
  static constexpr std::size_t limit = 8;

  constexpr partners(std::initializer_list<std::string_view> sites) : count_{sites.size()} {
    std::ranges::copy(sites, sites_.begin());  // more than `limit` does not compile
  }
  [[nodiscard]] constexpr const std::string_view* begin() const { return sites_.data(); }
  [[nodiscard]] constexpr const std::string_view* end() const { return sites_.data() + count_; }
  [[nodiscard]] constexpr bool empty() const { return count_ == 0; }
  [[nodiscard]] constexpr bool contains(std::string_view site) const { return std::ranges::find(*this, site) != end(); }

 private:
  std::array<std::string_view, limit> sites_{};
  std::size_t count_;
};

struct row {
  std::string_view site;
  operation kind;
  order success;
  order failure;  ///< of a compare_exchange that fails; `relaxed` for every other operation
  partners pairs;
  std::string_view reason;
};

namespace rows {
constexpr row load(std::string_view site, order o, partners pairs, std::string_view reason) {
  return {site, operation::load, o, order::relaxed, pairs, reason};
}
constexpr row store(std::string_view site, order o, partners pairs, std::string_view reason) {
  return {site, operation::store, o, order::relaxed, pairs, reason};
}
constexpr row compare_exchange(std::string_view site, order success, order failure, partners pairs,
                               std::string_view reason) {
  return {site, operation::compare_exchange, success, failure, pairs, reason};
}
constexpr row update(std::string_view site, order o, partners pairs, std::string_view reason) {
  return {site, operation::update, o, order::relaxed, pairs, reason};
}
constexpr row fence(std::string_view site, order o, partners pairs, std::string_view reason) {
  return {site, operation::fence, o, order::relaxed, pairs, reason};
}
/// The asymmetric pair (C++ Concurrency TS 2, P1202).
constexpr row light_fence(std::string_view site, partners pairs, std::string_view reason) {
  return {site, operation::light_fence, order::seq_cst, order::relaxed, pairs, reason};
}
constexpr row heavy_fence(std::string_view site, partners pairs, std::string_view reason) {
  return {site, operation::heavy_fence, order::seq_cst, order::relaxed, pairs, reason};
}
}  // namespace rows

namespace detail {
/// Whether the operation can have these orders: a load does not release, a store does not acquire.
constexpr bool lawful(const row& r) {
  const auto releases = [](order o) { return o == order::release || o == order::acq_rel; };
  if (r.kind == operation::load && releases(r.success)) return false;
  if (r.kind == operation::store && (r.success == order::acquire || r.success == order::acq_rel)) return false;
  const bool asymmetric = r.kind == operation::light_fence || r.kind == operation::heavy_fence;
  if (asymmetric && r.success != order::seq_cst && r.success != order::relaxed) return false;
  return !releases(r.failure);
}

/// A constant expression cannot compare the two, which are in no common array: the compiler says so, and shows them.
constexpr bool inconsistent_row(const char* site, const char* objection) { return site < objection; }
}  // namespace detail

template <std::size_t N>
struct table {
  std::string_view structure;
  std::array<row, N> rows;

  consteval table(std::string_view name, const row (&list)[N]) : structure{name}, rows{std::to_array(list)} {}

  /// The row's position. A site that the table does not have is a compile-time error.
  [[nodiscard]] constexpr std::size_t find(std::string_view site) const {
    for (std::size_t i = 0; i != N; ++i) {
      if (rows[i].site == site) return i;
    }
    detail::raise(std::logic_error("this site has no row in the structure's ordering table"));
  }

  /// What is wrong with a row; empty: nothing. No site twice, orders that the operation can have, every row gives a
  /// reason, every non-relaxed site names a partner, and each partner names it back.
  [[nodiscard]] constexpr std::string_view objection(const row& r) const {
    if (std::ranges::count_if(rows, [&](const row& o) { return o.site == r.site; }) != 1)
      return "its site stands twice";
    if (r.reason.empty()) return "it gives no reason";
    if (!detail::lawful(r)) return "the operation cannot have this order";
    const bool ordered = r.success != order::relaxed || r.failure != order::relaxed;
    if (ordered && r.pairs.empty()) return "it is ordered and names no partner";
    if (!ordered && !r.pairs.empty()) return "it is relaxed and names a partner";
    for (const std::string_view partner : r.pairs) {
      if (!rows[find(partner)].pairs.contains(r.site)) return "its partner does not name it back";
    }
    return "";
  }

  /// Whether there is an objection to no row.
  [[nodiscard]] consteval bool is_consistent() const {
    for (const row& r : rows) {
      if (!objection(r).empty()) return false;
    }
    return true;
  }

  /// True; a table that is not consistent does not compile, and the compiler's message has the row and the objection.
  [[nodiscard]] consteval bool consistent() const {
    for (const row& r : rows) {
      const std::string_view wrong = objection(r);
      // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): both are literals
      if (!wrong.empty()) return detail::inconsistent_row(r.site.data(), wrong.data());
    }
    return true;
  }
};

/// A string that can be a template argument.
template <std::size_t N>
struct fixed_string {
  std::array<char, N> text{};
  consteval fixed_string(const char (&literal)[N]) { std::copy_n(literal, N, text.begin()); }  // NOLINT: implicit
  [[nodiscard]] constexpr std::string_view view() const { return {text.data(), N - 1}; }
};

/// One row of one table, as a type: what an atomic operation is given in place of a memory order.
template <const auto& Table, std::size_t Row>
struct site {
  static constexpr const auto& in = Table;
  static constexpr std::size_t index = Row;
  static constexpr const row& entry = Table.rows[Row];
};

template <const auto& Table, fixed_string Name>
inline constexpr site<Table, Table.find(Name.view())> site_of{};

namespace detail {
/// Of the table for the policy's fences. A site that only one of the tables has exists under that one's policies only.
template <class Policy, const auto& Symmetric, const auto& Asymmetric, fixed_string Name>
consteval auto site_by() {
  if constexpr (Policy::asymmetric) {
    return site<Asymmetric, Asymmetric.find(Name.view())>{};
  } else {
    return site<Symmetric, Symmetric.find(Name.view())>{};
  }
}
}  // namespace detail

}  // namespace licit::inline v0

#endif
