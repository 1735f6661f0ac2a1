/// The default memory of tasks and coroutine frames.
#ifndef LICIT_SCHEDULER_DEFAULT_MEMORY_HPP
#define LICIT_SCHEDULER_DEFAULT_MEMORY_HPP

#include <cstddef>
#include <memory_resource>
#include <new>

namespace licit::inline v0 {

namespace detail {

/// Uses plain new and delete. libstdc++'s std::pmr::new_delete_resource always requests an alignment, for which glibc
/// bypasses the thread's own cache.
class plain_new final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (is_usual(alignment)) return ::operator new(bytes);
    return ::operator new(bytes, std::align_val_t{alignment});
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) noexcept override {
#if defined(__cpp_sized_deallocation)
    if (is_usual(alignment)) return ::operator delete(place, bytes);
    ::operator delete(place, bytes, std::align_val_t{alignment});
#else  // clang before 19 has it only with -fsized-deallocation
    (void)bytes;
    if (is_usual(alignment)) return ::operator delete(place);
    ::operator delete(place, std::align_val_t{alignment});
#endif
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;  // there is one
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

/// Any thread. Lives to the end of the program. As lock-free as new and delete, and throws std::bad_alloc.
inline std::pmr::memory_resource& default_memory() noexcept { return detail::memory_of_tasks.resource; }

}  // namespace licit::inline v0

#endif
