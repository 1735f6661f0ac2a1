/// The default memory of tasks and coroutine frames.
#ifndef LICIT_SCHEDULER_DEFAULT_MEMORY_HPP
#define LICIT_SCHEDULER_DEFAULT_MEMORY_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <utility>

namespace licit::inline v0 {

namespace detail {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

inline constexpr bool keeps_blocks = !sanitized;  // a sanitizer is to see each block end

/// Small blocks that a thread has freed, for its next allocations: for each size a list, of limited length.
class free_blocks {
 public:
  static constexpr std::size_t step = 64;
  static constexpr std::size_t sizes = 16;
  static constexpr std::size_t most = 1024;  ///< steps of each size: 64 KiB, and at most 1 MiB together

  static constexpr std::size_t size_of(std::size_t bytes) { return (bytes + step - 1) / step; }
  static constexpr bool fits(std::size_t bytes) { return bytes - 1 < sizes * step; }

  /// Of this many steps, or null.
  void* take(std::size_t size) noexcept {
    list& from = lists_[size - 1];
    node* const first = from.first;
    if (first == nullptr) return nullptr;
    from.first = first->next;
    ++from.room;
    return first;
  }
  /// False: there are enough.
  bool give(void* place, std::size_t size) noexcept {
    list& to = lists_[size - 1];
    if (to.room == 0) return false;
    --to.room;
    to.first = ::new (place) node{to.first};
    return true;
  }

  free_blocks(const free_blocks&) = delete;
  free_blocks& operator=(const free_blocks&) = delete;

 private:
  friend class kept_blocks;
  struct node {
    node* next;
  };
  struct list {
    node* first = nullptr;
    std::size_t room = 0;  ///< 0 before the thread's first block, and after the end of the thread's variables
  };
  constexpr free_blocks() = default;

  std::array<list, sizes> lists_{};
  bool begun_ = false;  ///< the lists have had their room
};

/// A thread's blocks. They need no initialisation, and the guard frees them when the thread ends.
class kept_blocks {
 public:
  static free_blocks& here() noexcept { return blocks; }
  /// Before the thread gives its first block.
  static void begin() noexcept {
    static thread_local guard at_the_end;
    (void)&at_the_end;
    if (std::exchange(blocks.begun_, true)) return;
    for (std::size_t i = 0; i != free_blocks::sizes; ++i) blocks.lists_[i].room = free_blocks::most / (i + 1);
  }

 private:
  struct guard {
    ~guard() {
      for (free_blocks::list& one : blocks.lists_) {
        while (one.first != nullptr) ::operator delete(std::exchange(one.first, one.first->next));
        one.room = 0;
      }
    }
  };
  static inline constinit thread_local free_blocks blocks{};
};

/// Uses plain new and delete, behind lists of small free blocks. libstdc++'s std::pmr::new_delete_resource always
/// requests an alignment, for which glibc bypasses the thread's own cache.
class plain_new final : public std::pmr::memory_resource {
 public:
  /// Under a sanitizer too a block has its whole steps: a file that was compiled without one may free it to a list.
  void* take(std::size_t bytes) {
    if (!free_blocks::fits(bytes)) return ::operator new(bytes);
    const std::size_t size = free_blocks::size_of(bytes);
    if (keeps_blocks) {
      if (void* const kept = kept_blocks::here().take(size)) return kept;
    }
    return ::operator new(size * free_blocks::step);
  }
  void give(void* place, std::size_t bytes) noexcept {
    if (!free_blocks::fits(bytes)) return ::operator delete(place);
    give_steps(place, free_blocks::size_of(bytes));
  }
  /// The same of a block that has so many steps.
  void give_steps(void* place, std::size_t size) noexcept {
    if (!keeps_blocks) return ::operator delete(place);
    if (!kept_blocks::here().give(place, size)) give_back(place, size);
  }

 private:
  /// The thread has enough of these, or none yet.
  [[gnu::noinline]] static void give_back(void* place, std::size_t size) noexcept {
    kept_blocks::begin();
    if (!kept_blocks::here().give(place, size)) ::operator delete(place);
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (is_usual(alignment)) return take(bytes);
    return ::operator new(bytes, std::align_val_t{alignment});
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) noexcept override {
    if (is_usual(alignment)) return give(place, bytes);
    ::operator delete(place, std::align_val_t{alignment});
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  static bool is_usual(std::size_t alignment) { return alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__; }
};

/// Never destroyed: a handle in a static variable may outlive it.
union lasting_memory {
  constexpr lasting_memory() : resource{} {}
  ~lasting_memory() {}  // NOLINT(modernize-use-equals-default): it has a member that is not trivial
  plain_new resource;
};
inline constinit lasting_memory memory_of_tasks{};

}  // namespace detail

/// Any thread. Lives to the end of the program. As lock-free as new and delete, and throws std::bad_alloc. A thread
/// keeps freed blocks for its next allocations, of each multiple of 64 bytes up to 1,024 at most 64 KiB, and frees them
/// when it ends.
inline std::pmr::memory_resource& default_memory() noexcept { return detail::memory_of_tasks.resource; }

namespace detail {

// As members of the memory resource, without a virtual call if it is the default memory. The alignment is usual.
inline void* allocate(std::pmr::memory_resource& from, std::size_t bytes) {
  if (&from == &memory_of_tasks.resource) [[likely]]
    return memory_of_tasks.resource.take(bytes);
  return from.allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
inline void deallocate(std::pmr::memory_resource& from, void* place, std::size_t bytes) noexcept {
  if (&from == &memory_of_tasks.resource) [[likely]]
    return memory_of_tasks.resource.give(place, bytes);
  from.deallocate(place, bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}

}  // namespace detail

}  // namespace licit::inline v0

#endif
