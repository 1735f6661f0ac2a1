/// Relations over the events of a candidate, with the operators that cat has.
#ifndef LICIT_MODELS_ARM_RELATION_HPP
#define LICIT_MODELS_ARM_RELATION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace licit::arm {

class relation {
 public:
  explicit relation(std::size_t events) : events_(events), words_((events + 63) / 64), bits_(events * words_) {}

  /// Those pairs of which f(a, b) holds.
  template <class Function>
  static relation where(std::size_t events, Function f) {
    relation r(events);
    for (std::size_t a = 0; a != events; ++a) {
      for (std::size_t b = 0; b != events; ++b) {
        if (f(a, b)) r.add(a, b);
      }
    }
    return r;
  }
  /// [S]: the events of which f(a) holds, each with itself.
  template <class Function>
  static relation identity(std::size_t events, Function f) {
    relation r(events);
    for (std::size_t a = 0; a != events; ++a) {
      if (f(a)) r.add(a, a);
    }
    return r;
  }

  void add(std::size_t a, std::size_t b) { bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64); }
  [[nodiscard]] bool has(std::size_t a, std::size_t b) const {
    return (bits_[a * words_ + b / 64] >> (b % 64) & 1) != 0;
  }
  [[nodiscard]] std::size_t events() const { return events_; }

  /// Union.
  friend relation operator|(relation a, const relation& b) {
    for (std::size_t k = 0; k != a.bits_.size(); ++k) a.bits_[k] |= b.bits_[k];
    return a;
  }
  friend relation operator&(relation a, const relation& b) {
    for (std::size_t k = 0; k != a.bits_.size(); ++k) a.bits_[k] &= b.bits_[k];
    return a;
  }
  /// Composition: cat's semicolon.
  friend relation operator*(const relation& a, const relation& b) {
    relation r(a.events_);
    for (std::size_t x = 0; x != a.events_; ++x) {
      for (std::size_t y = 0; y != a.events_; ++y) {
        if (a.has(x, y)) r.merge(x, b, y);
      }
    }
    return r;
  }
  [[nodiscard]] relation inverse() const {
    return where(events_, [&](std::size_t a, std::size_t b) { return has(b, a); });
  }
  [[nodiscard]] bool empty() const {
    return std::ranges::all_of(bits_, [](std::uint64_t w) { return w == 0; });
  }
  /// The transitive closure.
  [[nodiscard]] relation closure() const {
    relation r = *this;
    for (std::size_t k = 0; k != events_; ++k) {
      for (std::size_t a = 0; a != events_; ++a) {
        if (r.has(a, k)) r.merge(a, r, k);
      }
    }
    return r;
  }
  /// The events of a cycle, in its order; none if there is none.
  [[nodiscard]] std::vector<std::size_t> cycle() const;

 private:
  void merge(std::size_t row, const relation& other, std::size_t of) {
    for (std::size_t k = 0; k != words_; ++k) bits_[row * words_ + k] |= other.bits_[of * words_ + k];
  }

  std::size_t events_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace licit::arm

#endif
