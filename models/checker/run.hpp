/// Running a client program under the exhaustive checker.
///
///     template <class Model> struct name {
///       static constexpr unsigned threads = 2;
///       name();                   // on the main thread, before the others start
///       void thread(unsigned i);
///       void finish();            // on the main thread, after they have ended; then the destructor
///     };
///     verdict v = licit::checker::run<name>();
///
/// The program must be a function of the values that it reads: the same values, the same operations in the same order.
/// It is constructed, run and destroyed once for every execution.
#ifndef LICIT_MODELS_CHECKER_RUN_HPP
#define LICIT_MODELS_CHECKER_RUN_HPP

#include <new>

#include <licit/checker/engine.hpp>
#include <licit/checker/model.hpp>
#include <licit/checker/options.hpp>

namespace licit::checker {

/// How many threads a program has: it says so itself, or in what it tells about itself.
template <class Program>
constexpr unsigned threads_of() {
  if constexpr (requires { Program::threads; }) {
    return Program::threads;
  } else {
    return Program::about.threads;
  }
}

/// Explores every execution, or as many as the options allow. One at a time, on the calling thread.
template <class Program>
verdict run_program(const options& o = {}) {
  return engine(o).explore({
      .threads = threads_of<Program>(),
      .size = sizeof(Program),
      .alignment = alignof(Program),
      .construct = [](void* place) { ::new (place) Program(); },
      .thread = [](void* object, unsigned i) { static_cast<Program*>(object)->thread(i); },
      .finish = [](void* object) { static_cast<Program*>(object)->finish(); },
      .destroy = [](void* object) { static_cast<Program*>(object)->~Program(); },
  });
}

template <template <class> class Program>
verdict run(const options& o = {}) {
  return run_program<Program<model>>(o);
}

}  // namespace licit::checker

#endif
