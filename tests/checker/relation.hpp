/// Relations over a few events, as bit matrices.
#ifndef LICIT_TESTS_CHECKER_RELATION_HPP
#define LICIT_TESTS_CHECKER_RELATION_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace licit::checker_test {

class relation {
 public:
  static constexpr std::size_t limit = 32;
  using set = std::uint32_t;

  explicit relation(std::size_t size) : size_{size} {}

  static relation identity(std::size_t size, set on) {
    relation r{size};
    for (std::size_t i = 0; i != size; ++i) r.rows_[i] = on & (set{1} << i);
    return r;
  }

  void add(std::size_t from, std::size_t to) { rows_[from] |= set{1} << to; }
  [[nodiscard]] bool has(std::size_t from, std::size_t to) const { return (rows_[from] >> to & 1U) != 0; }

  friend relation operator|(relation a, const relation& b) {
    for (std::size_t i = 0; i != a.size_; ++i) a.rows_[i] |= b.rows_[i];
    return a;
  }
  friend relation operator&(relation a, const relation& b) {
    for (std::size_t i = 0; i != a.size_; ++i) a.rows_[i] &= b.rows_[i];
    return a;
  }
  friend relation operator-(relation a, const relation& b) {
    for (std::size_t i = 0; i != a.size_; ++i) a.rows_[i] &= ~b.rows_[i];
    return a;
  }
  /// Composition.
  friend relation operator*(const relation& a, const relation& b) {
    relation r{a.size_};
    for (std::size_t i = 0; i != a.size_; ++i) {
      for (std::size_t j = 0; j != a.size_; ++j) {
        if (a.has(i, j)) r.rows_[i] |= b.rows_[j];
      }
    }
    return r;
  }

  [[nodiscard]] relation inverse() const {
    relation r{size_};
    for (std::size_t i = 0; i != size_; ++i) {
      for (std::size_t j = 0; j != size_; ++j) {
        if (has(i, j)) r.add(j, i);
      }
    }
    return r;
  }
  [[nodiscard]] relation maybe() const { return *this | identity(size_, ~set{0}); }
  [[nodiscard]] relation plus() const {
    relation r = *this;
    for (std::size_t k = 0; k != size_; ++k) {
      for (std::size_t i = 0; i != size_; ++i) {
        if (r.has(i, k)) r.rows_[i] |= r.rows_[k];
      }
    }
    return r;
  }
  [[nodiscard]] relation star() const { return plus().maybe(); }
  [[nodiscard]] bool irreflexive() const {
    for (std::size_t i = 0; i != size_; ++i) {
      if (has(i, i)) return false;
    }
    return true;
  }
  [[nodiscard]] bool acyclic() const { return plus().irreflexive(); }
  [[nodiscard]] bool empty() const {
    for (std::size_t i = 0; i != size_; ++i) {
      if (rows_[i] != 0) return false;
    }
    return true;
  }

 private:
  std::size_t size_;
  std::array<set, limit> rows_{};
};

}  // namespace licit::checker_test

#endif
