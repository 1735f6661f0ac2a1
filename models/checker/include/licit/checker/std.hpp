/// A mirror of std::atomic, std::thread and what belongs to them, for code that `licit check` cannot explore: the
/// smaller door to the exhaustive checker. A program that is written for `concurrent::` instead of `std::` runs over
/// both:
///
///     namespace concurrent = std;                          // as it is shipped
///     namespace concurrent = licit::checker::standard;     // as it is checked
///
///     const auto v = licit::checker::check([] {
///       my_queue<int> q(2);
///       concurrent::thread producer([&] { q.push(1); });
///       ...
///       producer.join();
///     });
///
/// Nothing names an ordering table: an operation is known by its place in the source. models/unmodified/README.md says
/// when to use which door. Data that is not atomic is seen where it is a `licit::checker::plain<T>`.
#ifndef LICIT_CHECKER_STD_HPP
#define LICIT_CHECKER_STD_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include <licit/checker/options.hpp>
#include <licit/checker/std/atomic.hpp>
#include <licit/checker/std/functions.hpp>
#include <licit/checker/std/mutex.hpp>
#include <licit/checker/std/plain.hpp>
#include <licit/checker/std/thread.hpp>
#include <licit/checker/verdict.hpp>

namespace licit::checker {

/// What the executions said of themselves, and how many said so.
using outcomes = std::map<std::string, std::uint64_t>;

/// Explores every execution of the body, or those that the options ask for. The body is thread 0; the others are those
/// that it starts. It is a function of the values that it reads, keeps nothing from one execution to the next, and
/// frees what it allocates. `new` and `delete` are checked: leaks, double frees, atomics that are used after their
/// memory is freed. Throws what `run_program` throws.
verdict check(const std::function<void()>& body, const options& o = {}, outcomes* said = nullptr);

/// Called by the body: how this execution went, as printf writes it. An execution says all that its threads say, by
/// thread.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);

}  // namespace licit::checker

#endif
