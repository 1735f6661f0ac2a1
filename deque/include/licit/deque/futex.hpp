/// Sleeping on a word of memory: Linux's futex; elsewhere the wait and notify of std::atomic.
#ifndef LICIT_DEQUE_FUTEX_HPP
#define LICIT_DEQUE_FUTEX_HPP

#include <atomic>
#include <chrono>
#include <cstdint>

namespace licit::inline v0 {

/// Any thread; blocks. Sleeps if the word is `old`, until a wake, or for no reason: the caller looks again. Compare and
/// sleep are one step towards wakes of the same word. It promises nothing about other memory.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) noexcept;

/// The same, but not for longer than that.
void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t old, std::chrono::nanoseconds most) noexcept;

/// Any thread; a kernel call, does not block. Wakes a thread that sleeps on the word, if there is one. The word may be
/// gone by then: nothing is read or written there, and at worst somebody else wakes for no reason.
void futex_wake_one(const std::atomic<std::uint32_t>& word) noexcept;
void futex_wake_all(const std::atomic<std::uint32_t>& word) noexcept;

}  // namespace licit::inline v0

#endif
