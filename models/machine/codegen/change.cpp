#include "change.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <stdexcept>

namespace licit::codegen {

namespace {

constexpr std::array orders{order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst};

/// Whether operations.cpp knows it for this operation.
bool possible(const row& r, std::string_view how) {
  if (how == "removed") return r.kind == operation::store || is_fence(r.kind);
  if (how == "release_fence") return r.kind == operation::store || r.kind == operation::compare_exchange;
  if (how == "std_fence") return r.kind == operation::fence;
  if (how == "acquire_fence") return r.kind == operation::load || r.kind == operation::compare_exchange;
  const auto* const named = std::ranges::find(orders, how, [](order o) { return name(o); });
  if (named == orders.end()) return false;
  row with = r;
  with.success = *named;
  return lawful(with);
}

/// How the row is changed, or nothing.
std::string_view change_of(std::size_t row_number, const std::vector<change>& changes) {
  const auto found = std::ranges::find(changes, row_number, &change::row);
  return found == changes.end() ? std::string_view{} : std::string_view{found->how};
}

}  // namespace

change parse_change(std::string_view text, const structure& s) {
  const std::size_t equals = text.find('=');
  const std::string_view site = text.substr(0, equals);
  std::string how(equals == std::string_view::npos ? "" : text.substr(equals + 1));
  std::ranges::replace(how, '-', '_');
  const auto found = std::ranges::find(s.rows, site, &row::site);
  if (found == s.rows.end()) {
    throw std::invalid_argument(fmt::format("{}: the table {} has no site {}", text, s.name, site));
  }
  if (!possible(*found, how)) {
    throw std::invalid_argument(fmt::format("{}: a {} cannot be made {}", text, name(found->kind),
                                            how.empty() ? "nothing: <site>=<change> is meant" : how));
  }
  return {static_cast<std::size_t>(found - s.rows.begin()), how};
}

order order_of(const structure& s, std::size_t row_number, const std::vector<change>& changes) {
  const std::string_view how = change_of(row_number, changes);
  if (how.empty() || how == "std_fence") return s.rows[row_number].success;
  if (how == "release_fence") return order::release;
  if (how == "acquire_fence") return order::acquire;
  const auto* const named = std::ranges::find(orders, how, [](order o) { return name(o); });
  return named == orders.end() ? order::relaxed : *named;
}

std::string described(const structure& s, std::size_t row_number, const std::vector<change>& changes) {
  const row& r = s.rows[row_number];
  const std::string_view how = change_of(row_number, changes);
  const std::string failure = r.kind == operation::compare_exchange ? "/" + std::string(name(r.failure)) : "";
  return fmt::format("{} {}{}", name(r.kind), how.empty() ? name(r.success) : how, failure);
}

}  // namespace licit::codegen
