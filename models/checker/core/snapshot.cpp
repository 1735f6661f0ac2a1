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

/// Four words at a time, each with a hash of its own: one product need not wait for another.
std::uint64_t hash_of_stack(const std::byte* frame, const std::byte* bottom) {
  std::uint64_t a = 1;
  std::uint64_t b = 2;
  std::uint64_t c = 3;
  std::uint64_t d = 4;
  const auto word = [](const std::byte* from) {
    std::uint64_t w = 0;
    std::memcpy(&w, from, sizeof w);
    return w;
  };
  constexpr std::ptrdiff_t size = sizeof(std::uint64_t);
  for (; bottom - frame >= 4 * size; frame += 4 * size) {
    a = mixed(a, word(frame));
    b = mixed(b, word(frame + size));
    c = mixed(c, word(frame + 2 * size));
    d = mixed(d, word(frame + 3 * size));
  }
  for (; bottom - frame >= size; frame += size) a = mixed(a, word(frame));
  for (; frame != bottom; ++frame) a = mixed(a, static_cast<std::uint64_t>(*frame));
  return mixed(mixed(mixed(a, b), c), d);
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
