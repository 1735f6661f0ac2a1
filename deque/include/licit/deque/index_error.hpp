/// The error of a structure that has used up its indices.
#ifndef LICIT_DEQUE_INDEX_ERROR_HPP
#define LICIT_DEQUE_INDEX_ERROR_HPP

#include <cstdint>
#include <stdexcept>
#include <string>

namespace licit::inline v0 {

/// Thrown by a push that finds no index left. Nothing has changed: the caller still has the item, and those in the
/// deque can be popped and stolen. A new deque starts with all its indices.
class index_error : public std::length_error {
 public:
  explicit index_error(std::int64_t last)
      : std::length_error("licit: push on a deque that has used up its " + std::to_string(last) +
                          " indices: make another") {}
};

}  // namespace licit::inline v0

#endif
