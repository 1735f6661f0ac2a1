/// Parkers by other rules.
#ifndef LICIT_MODELS_PROGRAMS_PARKER_OTHERWISE_HPP
#define LICIT_MODELS_PROGRAMS_PARKER_OTHERWISE_HPP

#include <cstddef>

#include "programs/altered.hpp"
#include "programs/parker/gone.hpp"
#include "programs/parker/token.hpp"
#include "programs/parker/two_unparkers.hpp"

namespace licit::models::on_parker {

/// Unpark leaves a token alone that is there already.
template <class Model>
struct looking_first : Model {
  static constexpr std::size_t unpark_steps = 3;

  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    T exchange(T value, Site s) {
      if (base::load(order::relaxed, "unpark.look") == value) return value;
      return base::exchange(value, s);
    }
  };
};

/// Unpark compares: its exchange is one of what it has seen, and fails if there is a token.
template <class Model>
struct comparing : Model {
  static constexpr std::size_t unpark_steps = 5;

  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    T exchange(T value, Site /*site*/) {
      T seen = base::load(order::relaxed, "unpark.look");
      while (seen != value && !base::compare_exchange(seen, value, order::release, order::relaxed, "unpark.compare")) {
      }
      return seen;
    }
  };
};

/// Unpark wakes nobody.
template <class Model>
struct silent : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
   public:
    using Model::template atomic<T>::atomic;
    void futex_wake_one(const char* /*label*/) const {}
  };
};

/// Park takes every wake-up for its token.
template <class Model>
struct credulous : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      base::compare_exchange(expected, desired, s);
      return true;
    }
  };
};

/// Park takes its token by a store.
template <class Model>
struct storing : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    bool compare_exchange(T& expected, T desired, Site /*site*/) {
      if (base::load(order::acquire, "park.look") != expected) return false;
      base::store(desired, order::relaxed, "park.store");
      return true;
    }
  };
};

template <class Model>
struct unpark_looks_first : two_unparkers<looking_first<Model>> {
  static constexpr program_info about{"unpark_looks_first",
                                      "an unpark that finds a token there does not swap: its message is not brought", 3,
                                      reach::none, true};
};

template <class Model>
struct unpark_compares : two_unparkers<comparing<Model>> {
  static constexpr program_info about{
      "unpark_compares", "an unpark by a compare-exchange that may leave the token alone", 3, reach::none, true};
};

template <class Model>
struct unpark_wakes_nobody : token<silent<Model>> {
  static constexpr program_info about{"unpark_wakes_nobody", "the token is there, and its thread sleeps", 2,
                                      reach::none, true};
};

template <class Model>
struct park_trusts_wakes : token<credulous<Model>> {
  static constexpr program_info about{"park_trusts_wakes", "a wake-up for no reason is taken for a token", 2,
                                      reach::none, true};
};

template <class Model>
struct park_stores : two_unparkers<storing<Model>> {
  static constexpr program_info about{"park_stores", "a token is taken by a store: an unpark in between is lost", 3,
                                      reach::none, true};
};

template <class Model>
struct park_begins_in_two_steps : token<torn<Model, "park.begin">> {
  static constexpr program_info about{"park_begins_in_two_steps", "a token that comes in between is overwritten", 2,
                                      reach::none, true};
};

}  // namespace licit::models::on_parker

#endif
