/// A thread's whole private state: to know a loop that has come back to where it was.
#ifndef LICIT_CHECKER_CORE_SNAPSHOT_HPP
#define LICIT_CHECKER_CORE_SNAPSHOT_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace licit::checker::detail {

/// The thread's stack and registers, and the program's own memory, before one of its operations. Two equal ones, with
/// nothing but reads between them that read the same, say that the thread goes round for ever. What the program keeps
/// in memory that it got elsewhere is not seen.
struct snapshot {
  std::size_t index;  ///< of the event that comes next
  std::vector<std::byte> state;

  [[nodiscard]] bool is_of(const std::vector<std::byte>& other) const {  // g++ 12 compares std::byte one by one
    return state.size() == other.size() && std::memcmp(state.data(), other.data(), state.size()) == 0;
  }
};

/// Of a stack, from a frame to where it ends: cheap, and enough to know most loops that are none.
struct fingerprint {
  std::size_t index;  ///< of the event that comes next
  std::uint64_t hash;
};
std::uint64_t hash_of_stack(const std::byte* frame, const std::byte* bottom);

/// Whether snapshots can be taken: not where a sanitizer keeps variables off the stack.
bool snapshots_work();

/// Of the calling thread, whose stack ends at `bottom`, and of the memory named.
[[gnu::noinline]] void take_snapshot(const std::byte* bottom, std::span<const std::span<const std::byte>> memory,
                                     std::vector<std::byte>& into);

}  // namespace licit::checker::detail

#endif
