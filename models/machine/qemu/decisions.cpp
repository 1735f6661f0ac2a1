#include "machine/qemu/decisions.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace licit::qemu {

void decisions::begin(const strategy& random) {
  random_ = random;
  taken_.clear();
}

void decisions::begin(list script) {
  random_.reset();
  script_ = std::move(script);
  taken_.clear();
}

std::size_t decisions::thread(std::span<const unsigned> candidates, bool stays) {
  if (candidates.size() == 1) return 0;
  return take(random_ ? random_->thread(candidates, stays) : next_of_script(candidates.size()));
}

std::size_t decisions::value(std::size_t n) {
  n = std::min<std::size_t>(n, std::numeric_limits<list::value_type>::max());
  if (n == 1) return 0;
  return take(random_ ? random_->value(n) : next_of_script(n));
}

void decisions::give_way(unsigned thread) {
  if (random_) random_->give_way(thread);
}

std::size_t decisions::next_of_script(std::size_t n) {
  const std::size_t at = taken_.size();
  return at < script_.size() ? std::min<std::size_t>(script_[at], n - 1) : 0;
}

std::size_t decisions::take(std::size_t which) {
  taken_.push_back(static_cast<list::value_type>(which));
  return which;
}

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
