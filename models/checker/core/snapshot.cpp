#include "core/snapshot.hpp"

#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>

#include "core/fiber.hpp"

namespace licit::checker::detail {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t next) {
  constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;
  return (std::rotl(hash, 29) ^ next) * multiplier;
}

}  // namespace

/// Four words at a time, each with a hash of its own, 33 times what it was and the word: a collision is looked at more
/// closely, and no more.
std::uint64_t hash_of_stack(const std::byte* frame, const std::byte* bottom) {
  using pair = std::uint64_t __attribute__((vector_size(16)));
  pair a{1, 2};
  pair b{3, 4};
  for (; bottom - frame >= 32; frame += 32) {
    std::array<pair, 2> words;
    std::memcpy(words.data(), frame, sizeof words);
    a += (a << 5) + words[0];
    b += (b << 5) + words[1];
  }
  std::uint64_t hash = mixed(mixed(mixed(a[0], a[1]), b[0]), b[1]);
  for (; frame != bottom; ++frame) hash = mixed(hash, static_cast<std::uint64_t>(*frame));
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
