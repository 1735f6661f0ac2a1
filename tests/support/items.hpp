/// Payloads that carry a number, so that a test can tell them apart, and one that counts what is alive.
#ifndef LICIT_TESTS_SUPPORT_ITEMS_HPP
#define LICIT_TESTS_SUPPORT_ITEMS_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace licit_test {

using number = std::uint64_t;

/// A heap object that counts itself: a leak or a second destruction shows as a wrong `live()`.
class counted {
 public:
  explicit counted(number n) : number_{n} { live_.fetch_add(1); }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { live_.fetch_sub(1); }

  [[nodiscard]] number value() const { return number_; }
  [[nodiscard]] static std::int64_t live() { return live_.load(); }

 private:
  static inline std::atomic<std::int64_t> live_{0};
  number number_;
};

/// Trivially copyable, without a default constructor.
struct no_default {
  explicit no_default(number n) : value{n} {}
  number value;
};

/// A small struct of two fields, which must arrive together.
struct twins {
  std::uint32_t one;
  std::uint32_t other;
};

/// How a payload type is made from a number, and its number read.
template <class T>
struct item {
  static T make(number n) { return T(n); }
  static number read(const T& value) { return static_cast<number>(value); }
};

template <>
struct item<no_default> {
  static no_default make(number n) { return no_default(n); }
  static number read(const no_default& value) { return value.value; }
};

template <>
struct item<twins> {
  static twins make(number n) { return {static_cast<std::uint32_t>(n), ~static_cast<std::uint32_t>(n)}; }
  static number read(const twins& value) { return value.one == ~value.other ? value.one : ~number{0}; }
};

/// Every eighth is a null pointer, which is an item like any other.
template <>
struct item<std::unique_ptr<counted>> {
  static std::unique_ptr<counted> make(number n) { return n % 8 == 7 ? nullptr : std::make_unique<counted>(n); }
  static number read(const std::unique_ptr<counted>& value) { return value ? value->value() : ~number{0}; }
};

/// Counts what is alive: frames, callables.
struct counts_itself {
  explicit counts_itself(std::atomic<int>& alive) : alive{&alive} { ++alive; }
  counts_itself(const counts_itself& o) : alive{o.alive} { ++*alive; }
  counts_itself(counts_itself&& o) noexcept : alive{std::exchange(o.alive, nullptr)} {}
  counts_itself& operator=(counts_itself) = delete;
  ~counts_itself() {
    if (alive != nullptr) --*alive;
  }
  std::atomic<int>* alive;
};

}  // namespace licit_test

#endif
