/// Sinks for a run queue's overflow: one that keeps what it gets, and can be told to refuse.
#ifndef LICIT_TESTS_SUPPORT_SINKS_HPP
#define LICIT_TESTS_SUPPORT_SINKS_HPP

#include <cstddef>
#include <new>
#include <span>
#include <vector>

namespace licit_test {

template <class T>
class keeping_sink {
 public:
  bool refusing = false;

  void reserve(std::size_t items) {
    if (refusing) throw std::bad_alloc();
    kept_.reserve(kept_.size() + items);
    reserved_ = items;
  }
  void take(std::span<const T> items) noexcept {
    overrun_ = overrun_ || items.size() > reserved_;
    for (const T& item : items) kept_.push_back(item);
    batches_.push_back(items.size());
  }

  [[nodiscard]] const std::vector<T>& kept() const { return kept_; }
  [[nodiscard]] const std::vector<std::size_t>& batches() const { return batches_; }
  [[nodiscard]] bool overrun() const { return overrun_; }  ///< whether a batch was larger than what was reserved

 private:
  std::vector<T> kept_;
  std::vector<std::size_t> batches_;
  std::size_t reserved_ = 0;
  bool overrun_ = false;
};

}  // namespace licit_test

#endif
