/// Models whose state words are changed by a load and a store.
#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_TORN_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_TORN_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

enum class tears : int { wakes, suspends, completions, releases, joins, looks_before_it_wakes };

template <class Model, tears What>
struct torn : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;
    template <class Site>
    T fetch_or(T bits, Site s) {
      if constexpr (What == tears::wakes) return in_two_steps([&](T old) { return old | bits; });
      if constexpr (What == tears::looks_before_it_wakes) {
        const T seen = this->load(order::acquire);
        if ((seen & bits) == bits) return seen;
      }
      return base::fetch_or(bits, s);
    }
    template <class Site>
    T fetch_xor(T bits, Site s) {
      if constexpr (What == tears::suspends) return in_two_steps([&](T old) { return old ^ bits; });
      return base::fetch_xor(bits, s);
    }
    template <class Site>
    T fetch_add(T number, Site s) {
      constexpr bool is_join = Site::entry.site == "join.register";
      constexpr bool is_completion = Site::entry.site == "complete.publish";
      if constexpr ((What == tears::joins && is_join) || (What == tears::completions && is_completion)) {
        return in_two_steps([&](T old) { return old + number; });
      }
      return base::fetch_add(number, s);
    }
    template <class Site>
    T fetch_sub(T number, Site s) {
      if constexpr (What == tears::releases) return in_two_steps([&](T old) { return old - number; });
      return base::fetch_sub(number, s);
    }

   private:
    template <class Change>
    T in_two_steps(Change change) {
      const T old = this->load(order::acquire);
      this->store(change(old), order::release);
      return old;
    }
  };
};

template <class Model>
struct forgetful : Model {
  static constexpr bool ignores_notifications = true;
};

template <class Model>
struct deaf : Model {
  static constexpr bool ignores_joiners = true;
};

template <class Model>
struct confused : Model {
  static constexpr bool forgets_yields = true;
};

}  // namespace licit::models::on_task_state

#endif
