#include "survey.hpp"

#include <bit>

namespace licit::qemu {

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
