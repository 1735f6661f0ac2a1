/// Memory that a process and those that it forks see alike.
#ifndef LICIT_CHECKER_PARALLEL_SHARED_ARRAY_HPP
#define LICIT_CHECKER_PARALLEL_SHARED_ARRAY_HPP

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <sys/mman.h>
#include <system_error>

namespace licit::checker::detail {

/// Atomics, zero at first. Made before the fork.
template <class T>
class shared_array {
  static_assert(std::atomic<T>::is_always_lock_free, "a lock would be each process's own");

 public:
  /// Throws std::system_error when there is no memory.
  explicit shared_array(std::size_t size) : bytes_{size * sizeof(std::atomic<T>)} {
    void* const at = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "licit: shared memory");
    data_ = static_cast<std::atomic<T>*>(at);
    std::uninitialized_value_construct_n(data_, size);
  }
  shared_array(const shared_array&) = delete;
  shared_array& operator=(const shared_array&) = delete;
  ~shared_array() { ::munmap(data_, bytes_); }

  std::atomic<T>& operator[](std::size_t i) { return data_[i]; }
  const std::atomic<T>& operator[](std::size_t i) const { return data_[i]; }

 private:
  std::size_t bytes_;
  std::atomic<T>* data_;
};

}  // namespace licit::checker::detail

#endif
