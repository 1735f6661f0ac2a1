/// What an owner and its stealers share: the structure, freed with the last handle, and the items left in it.
#ifndef LICIT_DEQUE_SHARED_DEQUE_HPP
#define LICIT_DEQUE_SHARED_DEQUE_HPP

#include <optional>
#include <type_traits>

#include <licit/deque/chase_lev.hpp>
#include <licit/deque/payload.hpp>

namespace licit::inline v0 {

template <class T, class Policy, template <class, class> class Structure>
class shared_deque {
 public:
  using items = payload<T>;

  explicit shared_deque(const deque_options& options) : deque{options} {}

  /// Destroys the items that nobody took: each is adopted and dropped. A pop has a full fence, so not without need.
  ~shared_deque() {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      while (auto left = deque.pop()) (void)items::adopt(*left);
    }
  }

  shared_deque(const shared_deque&) = delete;
  shared_deque& operator=(const shared_deque&) = delete;

  Structure<typename items::slot_value, Policy> deque;
};

}  // namespace licit::inline v0

#endif
