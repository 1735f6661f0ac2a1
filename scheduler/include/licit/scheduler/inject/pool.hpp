/// Allocation of the inject queue's segments.
#ifndef LICIT_SCHEDULER_INJECT_POOL_HPP
#define LICIT_SCHEDULER_INJECT_POOL_HPP

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>

#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/inject/segment.hpp>

namespace licit::inline v0::detail {

/// Any thread. Keeps one unused segment, so that a queue whose takers keep up does not allocate.
template <class Policy>
class inject_pool {
  template <fixed_string Name>
  static constexpr auto at = site_of<inject_queue_orders, Name>;

 public:
  using segment = inject_segment<Policy>;

  explicit inject_pool(std::pmr::memory_resource& memory) : memory_{memory} {}
  /// Frees the spare segment. Segments in use belong to their users.
  ~inject_pool() {
    if (segment* spare = spare_.load(at<"destroy.spare">); spare != nullptr) destroy(*spare);
  }
  inject_pool(const inject_pool&) = delete;
  inject_pool& operator=(const inject_pool&) = delete;

  /// A new segment for the caller alone. Throws what the memory resource throws.
  segment* obtain() {
    if (spare_.load(at<"obtain.look">) != nullptr) {
      segment* again = spare_.exchange(nullptr, at<"obtain.spare">);  // reads recycle.spare
      if (again != nullptr) return renew(again);
    }
    return make();
  }
  /// Makes a segment that the caller has alone as good as new.
  static segment* renew(segment* s) {
    std::destroy_at(s);
    return std::construct_at(s);
  }
  /// Gives back units of a segment, and recycles it if they were the last.
  void finish(segment& s, std::uint64_t units) {
    if (s.finish(units)) recycle(s);
  }
  /// Keeps or frees a segment that the caller has alone.
  void recycle(segment& s) {
    segment* none = nullptr;
    const bool room = spare_.load(at<"recycle.look">) == nullptr;
    if (room && spare_.compare_exchange(none, &s, at<"recycle.spare">)) return;  // read by obtain.spare
    destroy(s);
  }
  void destroy(segment& s) noexcept {
    std::destroy_at(&s);
    memory_.deallocate(&s, sizeof(segment), alignment);
  }

 private:
  static constexpr std::size_t alignment = rules_of<inject_queue_rules, Policy>().alignment;

  segment* make() {
    void* place = memory_.allocate(sizeof(segment), alignment);
    if (inject_word<Policy>::fits(place)) return ::new (place) segment();
    memory_.deallocate(place, sizeof(segment), alignment);
    throw std::bad_alloc();
  }

  std::pmr::memory_resource& memory_;
  typename Policy::template atomic<segment*> spare_;
};

}  // namespace licit::inline v0::detail

#endif
