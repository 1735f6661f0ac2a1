#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <thread>

#include <licit/deque/futex.hpp>

#include <climits>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace licit::inline v0 {

#if defined(__linux__)

namespace {

/// EAGAIN (another value), EINTR and ETIMEDOUT are all returns for the caller to look again.
void call(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* most) noexcept {
  static_assert(sizeof(word) == sizeof(std::uint32_t), "the kernel looks at the word itself");
  (void)syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, most, nullptr, 0);
}

}  // namespace

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) noexcept {
  call(word, FUTEX_WAIT, old, nullptr);
}

void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t old, std::chrono::nanoseconds most) noexcept {
  if (most <= std::chrono::nanoseconds::zero()) return;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(most);
  const timespec relative{.tv_sec = static_cast<time_t>(seconds.count()),
                          .tv_nsec = static_cast<long>((most - seconds).count())};
  call(word, FUTEX_WAIT, old, &relative);
}

void futex_wake_one(const std::atomic<std::uint32_t>& word) noexcept { call(word, FUTEX_WAKE, 1, nullptr); }
void futex_wake_all(const std::atomic<std::uint32_t>& word) noexcept { call(word, FUTEX_WAKE, INT_MAX, nullptr); }

#else

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) noexcept { word.wait(old); }

void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t old, std::chrono::nanoseconds most) noexcept {
  if (most <= most.zero() || word.load() != old) return;
  // std::atomic has no wait with a limit.
  std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(most, std::chrono::milliseconds(1)));
}

void futex_wake_one(const std::atomic<std::uint32_t>& word) noexcept {
  const_cast<std::atomic<std::uint32_t>&>(word).notify_one();  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}
void futex_wake_all(const std::atomic<std::uint32_t>& word) noexcept {
  const_cast<std::atomic<std::uint32_t>&>(word).notify_all();  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

#endif

}  // namespace licit::inline v0
