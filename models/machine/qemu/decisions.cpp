#include "decisions.hpp"

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

}  // namespace licit::qemu
