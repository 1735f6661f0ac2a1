/// Models by which an algorithm is another: one of its rules is replaced, or the atomic operations of one site are done
/// otherwise.
#ifndef LICIT_SUITES_ALTERED_HPP
#define LICIT_SUITES_ALTERED_HPP

#include <licit/deque/order.hpp>

namespace licit::suites {

template <class Site, fixed_string Name>
inline constexpr bool is_at = Site::entry.site == Name.view();

/// Rules of a structure replaced by others (licit/deque/rules.hpp), beside those that the model replaces.
template <class Model, auto Rules>
struct with_rules : Model {
  static constexpr auto replaced(decltype(Rules) /*usual*/) { return Rules; }
  template <class Other>
    requires requires(Other usual) { Model::replaced(usual); }
  static constexpr auto replaced(Other usual) {
    return Model::replaced(usual);
  }
};

/// Rules that are chosen when a program runs, so that one client class, compiled once, serves several. A suite writes a
/// type with their names and makes it what a policy's `replaced` returns:
///
///     struct chosen_steal_rules { chosen_rule<&steal_rules::looks_again> looks_again; };
template <class Rules>
inline Rules chosen{};

template <class Rules, class T>
constexpr Rules owner_of(T Rules::* /*rule*/) {
  return {};
}
template <auto Rule>
struct chosen_rule {
  operator bool() const { return chosen<decltype(owner_of(Rule))>.*Rule; }  // NOLINT(google-explicit-constructor)
};

/// While it lives, these rules are chosen; otherwise the right ones are.
template <class Rules>
class choice_of {
 public:
  explicit choice_of(Rules now) { chosen<Rules> = now; }
  ~choice_of() { chosen<Rules> = {}; }
  choice_of(const choice_of&) = delete;
  choice_of& operator=(const choice_of&) = delete;
};

/// Rules by a function of the usual ones, unless the model itself replaces these.
template <class Model, auto Replaced>
struct with_choice : Model {
  template <class Rules>
    requires requires(Rules usual) { Model::replaced(usual); } || requires(Rules usual) { Replaced(usual); }
  static constexpr auto replaced(Rules usual) {
    if constexpr (requires { Model::replaced(usual); }) {
      return Model::replaced(usual);
    } else {
      return Replaced(usual);
    }
  }
};

/// What is one read-modify-write is a load, and then a store.
template <class Model, fixed_string Name>
struct torn : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      if constexpr (!is_at<Site, Name>) return base::compare_exchange(expected, desired, s);
      const T before = look();
      if (before == expected) return base::store(desired, order::release, "torn.store"), true;
      expected = before;
      return false;
    }
    template <class Site>
    T exchange(T value, Site s) {
      if constexpr (!is_at<Site, Name>) return base::exchange(value, s);
      return replace(value);
    }
    template <class Site>
    T fetch_add(T value, Site s) {
      if constexpr (!is_at<Site, Name>) return base::fetch_add(value, s);
      const T before = look();
      base::store(static_cast<T>(before + value), order::release, "torn.store");
      return before;
    }
    template <class Site>
    T fetch_sub(T value, Site s) {
      if constexpr (!is_at<Site, Name>) return base::fetch_sub(value, s);
      const T before = look();
      base::store(static_cast<T>(before - value), order::release, "torn.store");
      return before;
    }
    T fetch_sub(T value, order o, const char* label) { return base::fetch_sub(value, o, label); }  // a client's own
    template <class Site>
    T fetch_and(T value, Site s) {
      if constexpr (!is_at<Site, Name>) return base::fetch_and(value, s);
      const T before = look();
      base::store(static_cast<T>(before & value), order::release, "torn.store");
      return before;
    }
    template <class Site>
    T fetch_or(T value, Site s) {
      if constexpr (!is_at<Site, Name>) return base::fetch_or(value, s);
      const T before = look();
      base::store(static_cast<T>(before | value), order::release, "torn.store");
      return before;
    }
    template <class Site>
    T fetch_xor(T value, Site s) {
      if constexpr (!is_at<Site, Name>) return base::fetch_xor(value, s);
      const T before = look();
      base::store(static_cast<T>(before ^ value), order::release, "torn.store");
      return before;
    }

   private:
    T look() const { return base::load(order::acquire, "torn.load"); }
    T replace(T value) {
      const T before = look();
      base::store(value, order::release, "torn.store");
      return before;
    }
  };
};

/// A compare-exchange or an update by a number has another one added, which may come round.
template <class Model, fixed_string Name, auto Difference>
struct miscounting : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      if constexpr (is_at<Site, Name>) desired += static_cast<T>(Difference);
      return base::compare_exchange(expected, desired, s);
    }
    template <class Site>
    T fetch_add(T value, Site s) {
      if constexpr (is_at<Site, Name>) value += static_cast<T>(Difference);
      return base::fetch_add(value, s);
    }
    template <class Site>
    T fetch_sub(T value, Site s) {
      if constexpr (is_at<Site, Name>) value += static_cast<T>(Difference);
      return base::fetch_sub(value, s);
    }
  };
};

}  // namespace licit::suites

#endif
