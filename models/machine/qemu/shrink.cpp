#include "shrink.hpp"

#include <algorithm>
#include <utility>

namespace licit::qemu {

shrink::shrink(decisions::list failing)
    : smallest_{std::move(failing)}, chunk_{std::max<std::size_t>(size(smallest_), 1)} {}

std::size_t shrink::size(const decisions::list& taken) {
  return static_cast<std::size_t>(std::ranges::count_if(taken, [](auto which) { return which != 0; }));
}

std::optional<decisions::list> shrink::propose() {
  const std::size_t all = size(smallest_);
  if (all == 0) return std::nullopt;
  if (from_ >= all) {
    if (chunk_ == 1 && !progress_) return std::nullopt;
    chunk_ = std::max<std::size_t>(std::min(chunk_, all) / 2, 1);
    from_ = 0;
    progress_ = false;
  }
  decisions::list script = smallest_;
  std::size_t number = 0;
  for (auto& which : script) {
    if (which == 0) continue;
    if (number >= from_ && number < from_ + chunk_) which = 0;
    ++number;
  }
  return script;
}

void shrink::judge(bool failed, const decisions::list& taken) {
  // What was taken can be longer than the script, never less plain by count, or the search might not end.
  if (failed && size(taken) < size(smallest_)) {
    smallest_ = taken;
    progress_ = true;
  } else {
    from_ += chunk_;
  }
}

}  // namespace licit::qemu
