#include "relacy/recorder.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "relacy/engine.hpp"

namespace licit::models::relacy {

void recorder::reset() {
  count_ = 0;
  visited_.fill(false);
  failure_.fill('\0');
}

void recorder::add(std::string_view site, std::string_view verb, std::int64_t first, std::int64_t second, order o) {
  if (count_ == most_steps) return;
  entries_[count_++] = {rl::thread_index(), site, verb, first, second, o};
}

bool recorder::first_visit(std::size_t site) {
  const bool first = !visited_[site];
  visited_[site] = true;
  return first;
}

void recorder::failed(std::string_view property) {
  failure_.fill('\0');
  std::copy_n(property.begin(), std::min(property.size(), failure_.size() - 1), failure_.begin());
}

std::string_view recorder::failure() { return failure_.data(); }

std::string recorder::history() {
  constexpr int column = 46;
  std::string out;
  for (std::size_t i = 0; i != count_; ++i) {
    const entry& e = entries_[i];
    std::string what(e.verb);
    if (e.verb == "claims") {
      what = fmt::format("{} {} -> {}", e.verb, e.first, e.second);
    } else if (e.verb == "fails to claim") {
      what = fmt::format("{} {}, found {}", e.verb, e.first, e.second);
    } else if (e.verb != "fence") {
      what = fmt::format("{} {}", e.verb, e.first);
    }
    out +=
        fmt::format("{:{}}{:<15}{} [{}]\n", "", 2 + (column * e.thread), e.site, what, licit::detail::name(e.ordering));
  }
  return out;
}

}  // namespace licit::models::relacy
