/// What an owner and its stealers share: the structure, freed with the last handle, and the items left in it.
#ifndef LICIT_DEQUE_SHARED_DEQUE_HPP
#define LICIT_DEQUE_SHARED_DEQUE_HPP

#include <optional>
#include <type_traits>

#include <licit/deque/chase_lev.hpp>
#include <licit/deque/payload.hpp>

namespace licit::inline v0::detail {

/// The type of a structure's options: its own `options_type`, or deque_options.
template <class Structure>
struct options_of {
  using type = deque_options;
};
template <class Structure>
  requires requires { typename Structure::options_type; }
struct options_of<Structure> {
  using type = typename Structure::options_type;
};

template <class T, class Policy, template <class, class> class Structure>
class shared_deque {
 public:
  using items = payload<T>;
  using structure = Structure<typename items::slot_value, Policy>;
  using options_type = typename detail::options_of<structure>::type;

  explicit shared_deque(const options_type& options) : deque{options} {}

  /// Destroys the items that nobody took. Trivial items need no such loop, whose pops have a full fence each.
  ~shared_deque() {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      while (auto left = deque.pop()) (void)items::adopt(*left);
    }
  }

  shared_deque(const shared_deque&) = delete;
  shared_deque& operator=(const shared_deque&) = delete;

  structure deque;
};

}  // namespace licit::inline v0::detail

#endif
