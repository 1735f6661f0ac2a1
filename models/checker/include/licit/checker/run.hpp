/// Running a client program under the exhaustive checker, or under the same checker on a sample of its executions.
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
/// It is constructed, run and destroyed once for every execution, unless it is `self_contained`.
///
/// Where all executions are too many, `options::how` asks for some: at random, by random priorities, by a fuzzer's
/// bytes, or one as it was recorded (every violation is: `verdict::steps`). Such a verdict says `sampled`.
#ifndef LICIT_CHECKER_RUN_HPP
#define LICIT_CHECKER_RUN_HPP

#include <cstdint>
#include <new>
#include <span>

#include <licit/checker/engine.hpp>
#include <licit/checker/model.hpp>
#include <licit/checker/options.hpp>
#include <licit/checker/verdict.hpp>

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

/// Whether the program says `static constexpr bool self_contained = true;`: all its state is in its object, in memory
/// from Model::memory() and on its threads' stacks. Such a program is put back to where executions part, and not always
/// run from its beginning. The executions are the same.
template <class Program>
constexpr bool is_self_contained() {
  if constexpr (requires { Program::self_contained; }) {
    return Program::self_contained;
  } else {
    return false;
  }
}

/// Explores every execution, or those that the options ask for. One at a time, on the calling thread.
template <class Program>
verdict run_program(const options& o = {}) {
  return detail::explore({
                             .threads = threads_of<Program>(),
                             .size = sizeof(Program),
                             .alignment = alignof(Program),
                             .construct = [](void* place, const void* /*with*/) { ::new (place) Program(); },
                             .thread = [](void* object, unsigned i) { static_cast<Program*>(object)->thread(i); },
                             .finish = [](void* object) { static_cast<Program*>(object)->finish(); },
                             .destroy = [](void* object) { static_cast<Program*>(object)->~Program(); },
                             .self_contained = is_self_contained<Program>(),
                         },
                         o);
}

/// The same for a program that is constructed from a value known at run time only, such as its calls:
/// `Program(with)`, once for every execution. `threads` is how many it has.
template <class Program, class With>
verdict run_program_with(const With& with, unsigned threads, const options& o = {}) {
  return detail::explore(
      {
          .threads = threads,
          .size = sizeof(Program),
          .alignment = alignof(Program),
          .construct = [](void* place, const void* value) { ::new (place) Program(*static_cast<const With*>(value)); },
          .thread = [](void* object, unsigned i) { static_cast<Program*>(object)->thread(i); },
          .finish = [](void* object) { static_cast<Program*>(object)->finish(); },
          .destroy = [](void* object) { static_cast<Program*>(object)->~Program(); },
          .with = &with,
          .self_contained = is_self_contained<Program>(),
      },
      o);
}

template <template <class> class Program>
verdict run(const options& o = {}) {
  return run_program<Program<model>>(o);
}

/// One execution, chosen by the bytes: for fuzzers. Where they end, it goes on as the search would begin.
template <class Program>
verdict run_bytes(std::span<const std::uint8_t> bytes, options o = {}) {
  o.how = mode::bytes;
  o.sample.bytes = bytes;
  return run_program<Program>(o);
}

/// The execution that was recorded. Of another program, or of a spoilt record, the verdict is `unlike_record`.
template <class Program>
verdict replay(const record& steps, options o = {}) {
  o.how = mode::replay;
  o.sample.steps = &steps;
  return run_program<Program>(o);
}

}  // namespace licit::checker

#endif
