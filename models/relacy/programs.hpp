/// The programs of a structure under Relacy. Included by one translation unit a structure.
#ifndef LICIT_MODELS_RELACY_PROGRAMS_HPP
#define LICIT_MODELS_RELACY_PROGRAMS_HPP

#include <algorithm>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "relacy/suite.hpp"
#include "suites/structure.hpp"

namespace licit::models::relacy {

/// Relacy constructs suites itself, so the line that is run stands beside it.
template <template <class> class Client>
struct of_line {
  using type = suites::line_program<Client, model>;
  static inline const suites::line* current = nullptr;
  static type* at(void* place) { return ::new (place) type(*current); }
};

template <template <class> class Program>
struct of_program {
  using type = Program<model>;
  static type* at(void* place) { return ::new (place) type(); }
};

template <template <class> class Client>
checker::verdict run_line(const suites::line& l, const settings& s) {
  of_line<Client>::current = &l;
  switch (l.threads) {
    case 2: return run<of_line<Client>, 2>(s);
    case 3: return run<of_line<Client>, 3>(s);
    default: throw std::invalid_argument("licit: Relacy runs clients of two or three threads");
  }
}

/// Gives the programs of an entry that Relacy can run their way to it.
class program_list {
 public:
  explicit program_list(suites::structure& to) : to_{to} {}

  template <template <class> class Client>
  void lines(std::span<const suites::client_line> all) {
    for (const suites::client_line& one : all) {
      if (one.relacy == suites::reach::none) continue;
      const suites::line parsed = suites::parse(one.text, suites::vocabulary_of<Client<model>>());
      find(one.name).under_relacy = [parsed](const settings& s) { return run_line<Client>(parsed, s); };
    }
  }
  template <template <class> class Program>
  void add() {
    constexpr const auto& about = Program<model>::about;
    if constexpr (about.relacy != suites::reach::none) {
      find(about.name).under_relacy = [](const settings& s) { return run<of_program<Program>, about.threads>(s); };
    }
  }

 private:
  suites::program& find(std::string_view name) {
    const auto found = std::ranges::find(to_.programs, name, [](const suites::program& p) { return p.about.name; });
    if (found == to_.programs.end()) throw std::logic_error("licit: no program " + std::string(name));
    return *found;
  }

  suites::structure& to_;
};

}  // namespace licit::models::relacy

#endif
