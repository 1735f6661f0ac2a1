/// Runs a litmus test's threads as threads of the checker.
#ifndef LICIT_MODELS_LITMUS_INTERPRETER_HPP
#define LICIT_MODELS_LITMUS_INTERPRETER_HPP

#include <cstdint>
#include <vector>

#include "checker/litmus/ast.hpp"
#include "core/graph.hpp"

namespace licit::litmus {

/// One execution after another of one test. Plain accesses are explored as relaxed ones are, but order nothing: so a
/// program that races has all its executions, and the races are looked for in the finished graphs.
class interpreter {
 public:
  /// `unroll`: so many times each loop goes round each time that it is come to; then its execution is blocked.
  interpreter(const test& t, unsigned unroll) : test_{t}, unroll_{unroll} {}

  /// On the main thread, before each execution.
  void begin();
  void run(unsigned thread);

  /// At the end of an execution that is explored.
  [[nodiscard]] value final_value(const variable& v, const checker::detail::graph& g) const;
  [[nodiscard]] const std::string& name_of(checker::detail::location_id l) const;
  /// Whether a loop of this execution was cut where more rounds could show more. Rounds that leave the registers as
  /// they were and write nothing could as well not have been. All executions with more rounds that matter, but for such
  /// rounds, begin as one that is cut here; a race needs at most one of them in each thread.
  [[nodiscard]] bool was_cut() const { return cut_; }

 private:
  struct running {
    std::vector<value>& registers;
    const std::vector<value>& initial;
    std::uint64_t writes = 0;  ///< to shared memory
  };

  void execute(const statement& s, running& t);
  void loop(const statement& s, running& t);
  value evaluate(const expression& e, running& t);
  value arithmetic(const expression& e, running& t);
  value modify(const expression& e, checker::detail::change how, running& t);
  value compare_exchange(const expression& e, running& t);
  unsigned accessed(const expression& e, running& t);
  [[nodiscard]] value plain_read(unsigned location) const;
  void plain_write(unsigned location, value v, running& t) const;

  const test& test_;
  unsigned unroll_;
  bool cut_ = false;
  std::vector<checker::detail::location_id> locations_;
  std::vector<std::vector<value>> registers_;
};

/// Throws std::domain_error for what C leaves undefined: a division by zero, a shift too far.
value combine(operation how, value a, value b);

}  // namespace licit::litmus

#endif
