/// From a structure's rows, which are data, to the programs compiled with them.
#ifndef LICIT_MODELS_STRESS_INSTANCES_HPP
#define LICIT_MODELS_STRESS_INSTANCES_HPP

#include <array>
#include <cstddef>
#include <new>
#include <string_view>
#include <utility>

#include "programs/list.hpp"
#include "machine/stress/alteration.hpp"
#include "machine/stress/model.hpp"
#include "machine/stress/subject.hpp"

namespace licit::stress {

template <std::size_t I, class List>
struct nth;
template <std::size_t I, template <class> class First, template <class> class... Rest>
struct nth<I, models::program_list<First, Rest...>> : nth<I - 1, models::program_list<Rest...>> {};
template <template <class> class First, template <class> class... Rest>
struct nth<0, models::program_list<First, Rest...>> {
  template <class Model>
  using program = First<Model>;
};

template <template <class> class... Programs>
consteval std::size_t position(models::program_list<Programs...> /*all*/, std::string_view name) {
  const std::array<std::string_view, sizeof...(Programs)> names{Programs<model<>>::about.name...};
  for (std::size_t i = 0; i != names.size(); ++i) {
    if (names[i] == name) return i;
  }
  throw "a row names a program that its structure does not have";
}

template <class Program>
subject subject_of(std::string_view row) {
  static_assert(alignof(Program) <= 128);
  return {.row = row,
          .program = Program::about.name,
          .threads = Program::about.threads,
          .size = sizeof(Program),
          .construct = [](void* place) { ::new (place) Program(); },
          .thread = [](void* object, unsigned i) { static_cast<Program*>(object)->thread(i); },
          .finish = [](void* object) { static_cast<Program*>(object)->finish(); },
          .destroy = [](void* object) { static_cast<Program*>(object)->~Program(); }};
}

/// Adds the row's programs to `subjects()`.
template <class Structure, std::size_t Row>
void add_row() {
  constexpr const auto& row = Structure::rows[Row];
  [&]<std::size_t... P>(std::index_sequence<P...>) {
    (subjects().push_back(
         subject_of<typename nth<position(typename Structure::programs{}, row.programs[P]),
                                 typename Structure::programs>::template program<model<altered<Structure, Row>>>>(
             row.name)),
     ...);
  }(std::make_index_sequence<row.programs.size()>{});
}

/// Adds the rows from `First` on, `Count` at most.
template <class Structure, std::size_t First, std::size_t Count>
bool add_rows() {
  constexpr std::size_t all = Structure::rows.size();
  constexpr std::size_t count = First >= all ? 0 : (all - First < Count ? all - First : Count);
  [&]<std::size_t... R>(std::index_sequence<R...>) {
    (add_row<Structure, First + R>(), ...);
  }(std::make_index_sequence<count>{});
  return true;
}

}  // namespace licit::stress

#endif
