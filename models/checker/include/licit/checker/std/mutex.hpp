/// std::mutex, its locks and std::condition_variable over the checker. Internal: a program includes std.hpp.
#ifndef LICIT_CHECKER_STD_MUTEX_HPP
#define LICIT_CHECKER_STD_MUTEX_HPP

#include <mutex>
#include <source_location>
#include <utility>

#include <licit/checker/model.hpp>
#include <licit/checker/std/site.hpp>

namespace licit::checker::standard {

using std::adopt_lock;
using std::adopt_lock_t;
using std::defer_lock;
using std::defer_lock_t;
using std::try_to_lock;
using std::try_to_lock_t;

/// Waits forever if nobody unlocks. `try_lock` may fail spuriously, as the standard's.
class mutex {
  using where = std::source_location;

 public:
  void lock(where at = where::current()) { lock_.lock(checker::detail::label_at(at)); }
  bool try_lock(where at = where::current()) { return lock_.try_lock(checker::detail::label_at(at)); }
  void unlock(where at = where::current()) { lock_.unlock(checker::detail::label_at(at)); }

 private:
  model::mutex lock_;
};

template <class Mutex>
class [[nodiscard]] lock_guard {
  using where = std::source_location;

 public:
  using mutex_type = Mutex;
  explicit lock_guard(Mutex& m, where at = where::current()) : mutex_{m}, at_{at} { m.lock(at); }
  lock_guard(Mutex& m, adopt_lock_t /*adopt*/, where at = where::current()) : mutex_{m}, at_{at} {}
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;
  ~lock_guard() { mutex_.unlock(at_); }

 private:
  Mutex& mutex_;
  where at_;
};

template <class Mutex>
class unique_lock {
  using where = std::source_location;

 public:
  using mutex_type = Mutex;
  unique_lock() = default;
  explicit unique_lock(Mutex& m, where at = where::current()) : mutex_{&m}, at_{at} { lock(at); }
  unique_lock(Mutex& m, defer_lock_t /*defer*/, where at = where::current()) : mutex_{&m}, at_{at} {}
  unique_lock(Mutex& m, adopt_lock_t /*adopt*/, where at = where::current()) : mutex_{&m}, owns_{true}, at_{at} {}
  unique_lock(Mutex& m, try_to_lock_t /*try*/, where at = where::current())
      : mutex_{&m}, owns_{m.try_lock(at)}, at_{at} {}
  unique_lock(unique_lock&& other) noexcept { swap(other); }
  unique_lock& operator=(unique_lock&& other) noexcept {
    unique_lock(std::move(other)).swap(*this);
    return *this;
  }
  ~unique_lock() {
    if (owns_) mutex_->unlock(at_);
  }

  void lock(where at = where::current()) {
    model::check(mutex_ != nullptr && !owns_, "unique_lock::lock: it has a mutex and has not locked it");
    mutex_->lock(at);
    owns_ = true;
  }
  bool try_lock(where at = where::current()) {
    model::check(mutex_ != nullptr && !owns_, "unique_lock::try_lock: it has a mutex and has not locked it");
    return owns_ = mutex_->try_lock(at);
  }
  void unlock(where at = where::current()) {
    model::check(owns_, "unique_lock::unlock: it has locked its mutex");
    mutex_->unlock(at);
    owns_ = false;
  }
  void swap(unique_lock& other) noexcept {
    std::swap(mutex_, other.mutex_);
    std::swap(owns_, other.owns_);
    std::swap(at_, other.at_);
  }
  Mutex* release() noexcept {
    owns_ = false;
    return std::exchange(mutex_, nullptr);
  }
  [[nodiscard]] bool owns_lock() const noexcept { return owns_; }
  explicit operator bool() const noexcept { return owns_; }
  [[nodiscard]] Mutex* mutex() const noexcept { return mutex_; }

 private:
  Mutex* mutex_ = nullptr;
  bool owns_ = false;
  where at_;
};

/// Of one mutex.
template <class Mutex>
class [[nodiscard]] scoped_lock : public lock_guard<Mutex> {
 public:
  explicit scoped_lock(Mutex& m, std::source_location at = std::source_location::current())
      : lock_guard<Mutex>(m, at) {}
};

/// Wakes nobody spuriously, but whoever is about to wait when another is notified. It has no waits with a time limit.
class condition_variable {
  using where = std::source_location;

 public:
  void wait(unique_lock<mutex>& lock, where at = where::current()) {
    const char* const label = checker::detail::label_at(at);
    const unsigned seen = round_.load(order::relaxed, label);
    lock.unlock(at);
    round_.wait(seen, order::relaxed, label);
    lock.lock(at);
  }
  template <class Predicate>
  void wait(unique_lock<mutex>& lock, Predicate holds, where at = where::current()) {
    while (!holds()) wait(lock, at);
  }
  void notify_one(where at = where::current()) {
    const char* const label = checker::detail::label_at(at);
    round_.fetch_add(1, order::relaxed, label);
    round_.notify_one(label);
  }
  void notify_all(where at = where::current()) {
    const char* const label = checker::detail::label_at(at);
    round_.fetch_add(1, order::relaxed, label);
    round_.notify_all(label);
  }

 private:
  model::atomic<unsigned> round_;
};

}  // namespace licit::checker::standard

#endif
