#include "core/snapshot.hpp"

#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>

#include "core/fiber.hpp"

namespace licit::checker::detail {

/// Four at a time, each on its own: one product need not wait for another.
std::uint64_t hash_of_stack(const std::byte* frame, const std::byte* bottom) {
  constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;
  using words = std::array<std::uint64_t, 4>;
  words hashes{1, 2, 3, 4};
  const auto mix = [&](std::size_t size) {
    words next{};
    std::memcpy(next.data(), frame, size);
    for (std::size_t i = 0; i != hashes.size(); ++i) hashes[i] = (std::rotl(hashes[i], 29) ^ next[i]) * multiplier;
    frame += size;
  };
  while (frame + sizeof(words) <= bottom) mix(sizeof(words));
  mix(static_cast<std::size_t>(bottom - frame));
  std::uint64_t hash = 0;
  for (const std::uint64_t h : hashes) hash = (std::rotl(hash, 5) ^ h) * multiplier;
  return hash;
}

bool snapshots_work() { return !under_asan; }

void clear_stack_below() {
  constexpr std::size_t enough = 2048;  // for the frames down to take_snapshot's
  std::array<std::byte, enough> below;
  std::memset(below.data(), 0, below.size());
  asm volatile("" : : "r"(below.data()) : "memory");  // the stores are wanted
}

void take_snapshot(const std::byte* bottom, std::span<const std::span<const std::byte>> memory,
                   std::vector<std::byte>& into) {
  std::jmp_buf registers;  // they come to lie on the stack, which is copied
  std::memset(&registers, 0, sizeof registers);
  if (setjmp(registers) != 0) return;  // nobody jumps
  into.assign(reinterpret_cast<const std::byte*>(&registers), bottom);
  for (const auto part : memory) into.insert(into.end(), part.begin(), part.end());
}

}  // namespace licit::checker::detail
