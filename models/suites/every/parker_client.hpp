/// The client class of generated clients of the parker.
#ifndef LICIT_SUITES_EVERY_PARKER_CLIENT_HPP
#define LICIT_SUITES_EVERY_PARKER_CLIENT_HPP

#include <array>
#include <cstdint>
#include <string>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// A parker, whose thread is thread 0.
template <class Model, class Parker, class Specification>
class specified_parker_client {
 public:
  enum : std::uint8_t { park_word, unpark_word };
  static constexpr std::array words{"park", "unpark"};
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  using promise = Specification;

  explicit specified_parker_client(const line& l) : record_{l.before.size(), l.setting(edges, 0) != 0} {}

  static const char* refuses(const line& l) {
    if (l.before.count(park_word) > l.before.count(unpark_word)) return "the main thread would wait for ever";
    return l.setting(edges, 0) > 1 ? edges_too_many : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.numbers != 0) return no_numbers;
    return thread != 0 && c.word == park_word ? "only the parker's thread, thread 0, may call this" : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    const bool parks = c.word == park_word;
    before_.add(thread);
    const auto make = [&](done_call& /*made*/) {
      parks ? parker_.park() : parker_.unpark();
      return false;
    };
    return record_.perform(thread, make, {.what = parks ? deed::park : deed::unpark});
  }
  void settle() { record_.settle(); }
  void leave() { settle(); }

  static std::string why_wrong() { return call_record<Model, Specification>::why_wrong(); }

 private:
  Parker parker_;
  deeds_before<Model> before_;
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
