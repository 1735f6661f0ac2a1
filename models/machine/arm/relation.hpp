/// Relations over the events of a candidate, with the operators that cat has.
#ifndef LICIT_MODELS_ARM_RELATION_HPP
#define LICIT_MODELS_ARM_RELATION_HPP

#include <algorithm>
#include <bit>
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

using word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;

/// Pointers to rows hold until a row is added or the matrix widened.
class bit_matrix {
 public:
  /// `rows` empty rows; those that were are gone. Their width stays.
  void reset(std::size_t rows) {
    count_ = 0;
    used_ = 1;
    add(rows);
  }

  /// So many empty rows more. Gives the number of the first.
  std::size_t add(std::size_t rows) {
    const std::size_t first = count_;
    count_ += rows;
    if (words_.size() < count_ * stride_) words_.resize(std::max(count_ * stride_, 2 * words_.size()));
    std::fill_n((*this)[first], rows * stride_, word{0});
    return first;
  }

  /// Room for columns below `columns`.
  void widen(std::size_t columns) {
    used_ = std::max<std::size_t>(1, (columns + word_bits - 1) / word_bits);
    if (used_ <= stride_) return;
    const std::size_t wider = std::max(used_, 2 * stride_);
    std::vector<word> all(std::max(count_ * wider, words_.size()));
    for (std::size_t r = 0; r != count_; ++r) std::copy_n((*this)[r], stride_, all.data() + r * wider);
    words_ = std::move(all);
    stride_ = wider;
  }

  [[nodiscard]] std::size_t rows() const { return count_; }
  [[nodiscard]] std::size_t words() const { return used_; }  ///< of a row, that may have bits
  word* operator[](std::size_t row) { return words_.data() + row * stride_; }
  const word* operator[](std::size_t row) const { return words_.data() + row * stride_; }

  [[nodiscard]] bool test(std::size_t row, std::size_t column) const { return has((*this)[row], column); }
  void set(std::size_t row, std::size_t column) { (*this)[row][column / word_bits] |= word{1} << (column % word_bits); }
  void merge(std::size_t row, const word* other) {
    word* into = (*this)[row];
    for (std::size_t k = 0; k != used_; ++k) into[k] |= other[k];
  }
  void copy(std::size_t row, const word* other) { std::copy_n(other, used_, (*this)[row]); }
  void clear(std::size_t row) { std::fill_n((*this)[row], used_, word{0}); }

  /// f(column) of each bit of a row of any matrix as wide as this.
  template <class Function>
  void each(const word* row, Function f) const {
    for (std::size_t k = 0; k != used_; ++k) {
      for (word rest = row[k]; rest != 0; rest &= rest - 1) {
        f(k * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

  static bool has(const word* row, std::size_t column) {
    return ((row[column / word_bits] >> (column % word_bits)) & 1) != 0;
  }

 private:
  std::vector<word> words_;
  std::size_t stride_ = 2;
  std::size_t used_ = 1;
  std::size_t count_ = 0;
};

}  // namespace licit::arm

#endif
