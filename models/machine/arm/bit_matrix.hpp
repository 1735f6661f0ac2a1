/// Rows of bits that grow both ways: sets of events.
#ifndef LICIT_MODELS_ARM_BIT_MATRIX_HPP
#define LICIT_MODELS_ARM_BIT_MATRIX_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace licit::arm {

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
