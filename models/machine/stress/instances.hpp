/// From a structure's rows, which are data, to its client programs compiled with them.
#ifndef LICIT_MODELS_STRESS_INSTANCES_HPP
#define LICIT_MODELS_STRESS_INSTANCES_HPP

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "machine/stress/model.hpp"
#include "machine/stress/row.hpp"
#include "machine/stress/subject.hpp"
#include "suites/altered.hpp"
#include "suites/program.hpp"

namespace licit::stress {

namespace detail {

template <class Program>
subject subject_of(unsigned threads, void (*construct)(void*, const suites::line&)) {
  static_assert(alignof(Program) <= 128);
  subject s;
  s.threads = threads;
  s.size = sizeof(Program);
  s.construct = construct;
  s.thread = [](void* object, unsigned i) { static_cast<Program*>(object)->thread(i); };
  s.finish = [](void* object) { static_cast<Program*>(object)->finish(); };
  s.destroy = [](void* object) { static_cast<Program*>(object)->~Program(); };
  return s;
}

}  // namespace detail

/// A program in code, as something to run.
template <class Program>
subject subject_of() {
  subject s = detail::subject_of<Program>(Program::about.threads,
                                          [](void* place, const suites::line& /*client*/) { ::new (place) Program(); });
  s.program = Program::about.name;
  return s;
}

/// The same of a line.
template <template <class> class Client, class Model>
subject subject_of(const suites::client_line& text) {
  using program = suites::line_program<Client, Model>;
  const suites::line parsed = suites::parse(text.text, suites::vocabulary_of<Client<Model>>());
  subject s = detail::subject_of<program>(
      parsed.threads, [](void* place, const suites::line& client) { ::new (place) program(client); });
  s.program = text.name;
  s.client = parsed;
  return s;
}

/// The list that a suite gives its programs to (suites/structure.hpp): adds the row's to `subjects()`.
template <class Model>
class row_programs {
 public:
  row_programs(std::string_view structure, const row& of) : structure_{structure}, row_{of} {}

  template <template <class> class Client>
  void lines(std::span<const suites::client_line> all) {
    for (const suites::client_line& one : all) {
      if (wanted(one.name)) take(subject_of<Client, Model>(one));
    }
  }
  /// The rules are the policy's here: a constant, as in the code as it is written.
  template <template <class> class Client, auto Rules>
  void lines_under(std::span<const suites::client_line> all) {
    for (const suites::client_line& one : all) {
      if (wanted(one.name)) take(subject_of<Client, suites::with_rules<Model, Rules>>(one));
    }
  }
  template <template <class> class Program>
  void add() {
    if (wanted(Program<Model>::about.name)) take(subject_of<Program<Model>>());
  }

 private:
  [[nodiscard]] bool wanted(std::string_view program) const { return std::ranges::count(row_.programs, program) != 0; }
  void take(subject s) {
    s.structure = structure_;
    s.row = row_.name;
    subjects().push_back(s);
  }

  std::string_view structure_;
  const row& row_;
};

/// Adds the row's programs to `subjects()`. A row without changes is the code as it is written, or a broken algorithm.
template <class Compiled, std::size_t Row>
void add_row() {
  static constexpr const auto& row = Compiled::rows[Row];
  if constexpr (row.changes.size() == 0) {
    row_programs<model<>> all(Compiled::table.structure, row);
    Compiled::suite::programs(all);
    if constexpr (requires { Compiled::suite::broken(all); }) Compiled::suite::broken(all);
  } else {
    row_programs<model<altered<Compiled, Row>>> all(Compiled::table.structure, row);
    Compiled::suite::programs(all);
  }
}

/// Adds the rows from `First` on, `Count` at most.
template <class Compiled, std::size_t First, std::size_t Count>
bool add_rows() {
  constexpr std::size_t all = Compiled::rows.size();
  constexpr std::size_t count = First >= all ? 0 : (all - First < Count ? all - First : Count);
  [&]<std::size_t... R>(std::index_sequence<R...>) {
    (add_row<Compiled, First + R>(), ...);
  }(std::make_index_sequence<count>{});
  return true;
}

}  // namespace licit::stress

#endif
