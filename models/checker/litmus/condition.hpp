/// Propositions about final states.
#ifndef LICIT_MODELS_LITMUS_CONDITION_HPP
#define LICIT_MODELS_LITMUS_CONDITION_HPP

#include <cstdint>
#include <string_view>
#include <vector>

namespace licit::litmus {

enum class quantifier { exists, not_exists, forall };

constexpr std::string_view name(quantifier q) {
  switch (q) {
    case quantifier::exists: return "exists";
    case quantifier::not_exists: return "~exists";
    case quantifier::forall: return "forall";
  }
  return "";
}

/// A register of a thread or, with no thread, a location: something that has a final value.
struct variable {
  static constexpr int shared = -1;
  int thread = shared;
  unsigned index = 0;

  friend bool operator==(const variable&, const variable&) = default;
};

struct condition {
  enum class kind { always, never, equal, negation, conjunction, disjunction };
  kind what = kind::always;
  variable of = {};  ///< of `equal`
  std::int64_t number = 0;
  std::vector<condition> operands = {};
};

/// `final_value(variable)` is what the variable holds at the end.
template <class FinalValue>
bool holds(const condition& c, const FinalValue& final_value) {
  switch (c.what) {
    case condition::kind::always: return true;
    case condition::kind::never: return false;
    case condition::kind::equal: return final_value(c.of) == c.number;
    case condition::kind::negation: return !holds(c.operands[0], final_value);
    case condition::kind::conjunction:
      for (const condition& o : c.operands) {
        if (!holds(o, final_value)) return false;
      }
      return true;
    case condition::kind::disjunction:
      for (const condition& o : c.operands) {
        if (holds(o, final_value)) return true;
      }
      return false;
  }
  return false;
}

}  // namespace licit::litmus

#endif
