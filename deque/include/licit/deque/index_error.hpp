/// The error of a structure whose indices have come to their end.
#ifndef LICIT_DEQUE_INDEX_ERROR_HPP
#define LICIT_DEQUE_INDEX_ERROR_HPP

#include <cstdint>
#include <stdexcept>
#include <string>

namespace licit::inline v0 {

/// A push found no index left for its item. Nothing has changed: the caller still has the item, and those in the deque
/// can be popped and stolen. A new deque begins anew.
class index_error : public std::length_error {
 public:
  explicit index_error(std::int64_t last)
      : std::length_error("licit: push on a deque that has used up its " + std::to_string(last) +
                          " indices: make another") {}
};

}  // namespace licit::inline v0

#endif
