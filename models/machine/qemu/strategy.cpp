#include "machine/qemu/strategy.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace licit::qemu {

namespace {

// Executions in which most loads read the latest value reach deep states; those in which none must, shallow rare ones.
constexpr std::array<std::uint64_t, 8> stalenesses{0, 1, 1, 2, 4, 4, 8, 8};
constexpr std::uint64_t most_changes = 3;

scheduling one_of(scheduling how, checker::detail::random_numbers& random) {
  constexpr std::array<scheduling, 4> all{scheduling::random, scheduling::sticky, scheduling::standing,
                                          scheduling::pct};
  return how == scheduling::mixed ? all[random.below(all.size())] : how;
}

}  // namespace

strategy::strategy(scheduling how, std::uint64_t seed, std::uint64_t number, unsigned threads)
    : random_{seed, number},
      how_{one_of(how, random_)},
      stickiness_{std::uint64_t{2} << random_.below(4)},
      staleness_{stalenesses[random_.below(stalenesses.size())]} {
  if (how_ == scheduling::pct) draw_priorities(threads);
  if (how_ == scheduling::standing) draw_stop(threads);
}

// Neither the thread's length nor how far the others must get is known: few accesses as often as many.
void strategy::draw_stop(unsigned threads) {
  stopped_ = static_cast<unsigned>(random_.below(threads));
  until_stop_ = random_.below(std::uint64_t{2} << random_.below(6));
  left_ = std::uint64_t{8} << random_.below(6);
}

void strategy::draw_priorities(unsigned threads) {
  priorities_.resize(threads);
  for (unsigned i = 0; i != threads; ++i) priorities_[i] = first_lowered + 1 + i;
  for (std::size_t i = threads; i > 1; --i) std::swap(priorities_[i - 1], priorities_[random_.below(i)]);
  // An execution's length is not known: so many accesses that some executions change priorities early, some late.
  const std::uint64_t accesses = std::uint64_t{8} << random_.below(6);
  changes_.resize(random_.below(most_changes + 1));
  for (std::uint64_t& change : changes_) change = 1 + random_.below(accesses + 1);
}

std::size_t strategy::thread(std::span<const unsigned> candidates, bool stays) {
  ++access_;
  if (how_ == scheduling::pct) return by_priority(candidates);
  if (how_ == scheduling::standing && stands(candidates[0], stays)) return beside_it(candidates, stays);
  if (how_ != scheduling::random && stays && random_.below(stickiness_) != 0) return 0;
  return random_.below(candidates.size());
}

bool strategy::stands(unsigned running, bool stays) {
  if (stays && running == stopped_ && until_stop_ != 0) --until_stop_;
  return until_stop_ == 0 && left_ != 0;
}

std::size_t strategy::beside_it(std::span<const unsigned> candidates, bool stays) {
  --left_;
  const bool runs = stays && candidates[0] != stopped_;
  if (runs && random_.below(stickiness_) != 0) return 0;
  const std::size_t chosen = random_.below(candidates.size());
  return candidates[chosen] == stopped_ ? (chosen + 1) % candidates.size() : chosen;
}

std::size_t strategy::by_priority(std::span<const unsigned> candidates) {
  if (std::ranges::find(changes_, access_) != changes_.end()) give_way(candidates[0]);
  const auto first = std::ranges::max_element(candidates, {}, [this](unsigned thread) { return priorities_[thread]; });
  return static_cast<std::size_t>(first - candidates.begin());
}

void strategy::give_way(unsigned thread) {
  if (how_ == scheduling::pct) priorities_[thread] = lowest_--;
}

std::size_t strategy::value(std::size_t n) { return random_.below(8) < staleness_ ? random_.below(n) : 0; }

namespace {

constexpr std::uint64_t size = 8;

}  // namespace

void survey::begin(std::uint64_t begin, std::uint64_t end) {
  begin_ = begin;
  places_.assign((end - begin) / size + 2, {});
}

void survey::saw(unsigned thread, std::uint64_t address, std::uint64_t bytes, bool writes) {
  for (std::uint64_t i = (address - begin_) / size; i <= (address + bytes - 1 - begin_) / size; ++i) {
    places_[i].accessed |= static_cast<std::uint8_t>(1U << thread);
    places_[i].written = places_[i].written || writes;
  }
}

bool survey::meet(std::uint64_t address, std::uint64_t bytes) const {
  for (std::uint64_t i = (address - begin_) / size; i <= (address + bytes - 1 - begin_) / size; ++i) {
    const place& p = places_[i];
    if (p.accessed == 0 || (p.written && std::popcount(p.accessed) > 1)) return true;
  }
  return false;
}

}  // namespace licit::qemu
