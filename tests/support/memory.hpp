/// A memory resource that counts what it gave and can be told to fail.
#ifndef LICIT_TESTS_SUPPORT_MEMORY_HPP
#define LICIT_TESTS_SUPPORT_MEMORY_HPP

#include <cstddef>
#include <map>
#include <memory_resource>
#include <new>
#include <stdexcept>

namespace licit_test {

/// One thread at a time. Remembers each block's size and alignment, because a deallocate that states others is wrong.
class counting_memory final : public std::pmr::memory_resource {
 public:
  bool failing = false;

  [[nodiscard]] std::size_t live_bytes() const { return live_bytes_; }
  [[nodiscard]] std::size_t live_blocks() const { return blocks_.size(); }
  [[nodiscard]] std::size_t largest() const { return largest_; }
  [[nodiscard]] std::size_t refused() const { return refused_; }
  /// Blocks that were given back with another size or alignment than they were asked for, or that were never given.
  [[nodiscard]] std::size_t wrong_returns() const { return wrong_returns_; }

 private:
  struct shape {
    std::size_t bytes;
    std::size_t alignment;
    bool operator==(const shape&) const = default;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (failing) {
      ++refused_;
      throw std::bad_alloc();
    }
    void* place = std::pmr::new_delete_resource()->allocate(bytes, alignment);
    blocks_.emplace(place, shape{bytes, alignment});
    live_bytes_ += bytes;
    if (bytes > largest_) largest_ = bytes;
    return place;
  }

  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    const auto block = blocks_.find(place);
    if (block == blocks_.end()) {
      ++wrong_returns_;
      return;
    }
    const shape given = block->second;
    if (given != shape{bytes, alignment}) ++wrong_returns_;
    blocks_.erase(block);
    live_bytes_ -= given.bytes;
    std::pmr::new_delete_resource()->deallocate(place, given.bytes, given.alignment);
  }

  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::map<void*, shape> blocks_;
  std::size_t live_bytes_ = 0;
  std::size_t largest_ = 0;
  std::size_t refused_ = 0;
  std::size_t wrong_returns_ = 0;
};

}  // namespace licit_test

#endif
