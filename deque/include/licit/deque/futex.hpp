/// Sleeping on a word of memory: Linux's futex; elsewhere the wait and notify of std::atomic.
#ifndef LICIT_DEQUE_FUTEX_HPP
#define LICIT_DEQUE_FUTEX_HPP

#include <atomic>
#include <chrono>
#include <cstdint>

namespace licit::inline v0 {

/// Any thread; blocks. Sleeps if the word is `old`, until a wake-up, or returns for no reason: the caller must look
/// again. Compare and sleep are one step with respect to wake-ups of the same word. Orders no other memory.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) noexcept;

/// The same, for at most `most`.
void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t old, std::chrono::nanoseconds most) noexcept;

/// Any thread; a system call that does not block. Wakes a thread (or all threads) that sleep on the word. The word may
/// be gone by then: the call does not access it, and at worst another thread wakes for no reason.
void futex_wake_one(const std::atomic<std::uint32_t>& word) noexcept;
void futex_wake_all(const std::atomic<std::uint32_t>& word) noexcept;

}  // namespace licit::inline v0

#endif
