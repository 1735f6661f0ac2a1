/// Mutants of the wake-up protocol's atomic operations: a policy, but for one operation.
#ifndef LICIT_PROOF_CREW_MUTANTS_HPP
#define LICIT_PROOF_CREW_MUTANTS_HPP

#include <cstdint>

#include "suites/altered.hpp"

namespace licit::proof {

using suites::is_at;

template <class Base>
struct without_token : Base {
  template <class T>
  struct atomic : Base::template atomic<T> {
    using Base::template atomic<T>::atomic;
    template <class Site>
    T exchange(T value, Site s) {
      if constexpr (is_at<Site, "unpark.swap">) return T{1};
      return Base::template atomic<T>::exchange(value, s);
    }
  };
};
template <class Base>
struct without_wake : Base {
  template <class T>
  struct atomic : Base::template atomic<T> {
    using Base::template atomic<T>::atomic;
    void futex_wake_one(const char* /*label*/) const {}
  };
};
template <class Base>
struct trusting_wakes : Base {
  template <class T>
  struct atomic : Base::template atomic<T> {
    using Base::template atomic<T>::atomic;
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      return Base::template atomic<T>::compare_exchange(expected, desired, s) || is_at<Site, "park.take">;
    }
  };
};
/// The publisher finds nobody parked, without a look.
template <class Base>
struct without_claim : Base {
  template <class T>
  struct atomic : Base::template atomic<T> {
    using Base::template atomic<T>::atomic;
    template <class Site, class... More>
    T load(Site s, More... more) const {
      if constexpr (requires { Site::entry; }) {
        if constexpr (is_at<Site, "claim.look">) return T{0};
      }
      return Base::template atomic<T>::load(s, more...);
    }
  };
};
/// A claim does not count the worker that it wakes as searching.
template <class Base>
struct uncounted_claim : Base {
  template <class T>
  struct atomic : Base::template atomic<T> {
    using Base::template atomic<T>::atomic;
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      if constexpr (is_at<Site, "claim.take">) desired = desired - T{std::uint64_t{1} << 48};
      return Base::template atomic<T>::compare_exchange(expected, desired, s);
    }
  };
};

}  // namespace licit::proof

#endif
