/// The client programs of a structure, for Relacy.
#ifndef LICIT_MODELS_RELACY_SUITE_HPP
#define LICIT_MODELS_RELACY_SUITE_HPP

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>

#include "relacy/model.hpp"
#include "relacy/run.hpp"
#include "suites/structure.hpp"

namespace licit::models::relacy {

/// The program, which is constructed from a value: `Program(with)`.
template <class Program, class With>
client client_of(const With& with, unsigned threads) {
  static_assert(sizeof(Program) <= client::largest && alignof(Program) <= client::alignment);
  return {.threads = threads,
          .construct = [](void* place, const void* value) { ::new (place) Program(*static_cast<const With*>(value)); },
          .thread = [](void* object, unsigned i) { static_cast<Program*>(object)->thread(i); },
          .finish = [](void* object) { static_cast<Program*>(object)->finish(); },
          .destroy = [](void* object) { std::destroy_at(static_cast<Program*>(object)); },
          .with = &with};
}
/// A program in code.
template <class Program>
client client_of() {
  static_assert(sizeof(Program) <= client::largest && alignof(Program) <= client::alignment);
  return {.threads = Program::about.threads,
          .construct = [](void* place, const void* /*with*/) { ::new (place) Program(); },
          .thread = [](void* object, unsigned i) { static_cast<Program*>(object)->thread(i); },
          .finish = [](void* object) { static_cast<Program*>(object)->finish(); },
          .destroy = [](void* object) { std::destroy_at(static_cast<Program*>(object)); }};
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
      find(one.name).under_relacy = [parsed](const settings& s) {
        return run(client_of<suites::line_program<Client, model>>(parsed, parsed.threads), s);
      };
    }
  }
  template <template <class> class Program>
  void add() {
    constexpr const auto& about = Program<model>::about;
    if constexpr (about.relacy != suites::reach::none) {
      find(about.name).under_relacy = [](const settings& s) { return run(client_of<Program<model>>(), s); };
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
