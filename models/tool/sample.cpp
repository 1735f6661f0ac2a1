#include "sample.hpp"

#include <fmt/core.h>

namespace licit::tool {

models::verdict sample(const models::program& p, const sample_options& s) {
  const bool random = s.mode == "random";
  const checker::options o{.max_executions = s.limit,
                           .how = random ? checker::mode::random : checker::mode::pct,
                           .sample = {.executions = s.executions, .seed = s.seed, .depth = s.depth}};
  const checker::verdict v = p.explore(o);
  const std::string way = random ? "random" : fmt::format("pct depth {}", s.depth);
  models::verdict got{.outcome = models::exhaustive::outcome_of(v.end),
                      .bound = fmt::format("{} {}, seed {}", s.executions, way, s.seed),
                      .executions = v.executions,
                      .blocked = v.blocked,
                      .seconds = v.seconds,
                      .failure = v.message,
                      .history = v.trace,
                      .kind = std::string(name(v.kind)),
                      .steps = v.steps,
                      .how = o,
                      .picture = v.picture};
  if (v.end == checker::ending::limit) got.failure = fmt::format("stopped after {} executions", s.limit);
  if (v.end == checker::ending::violation) got.bound += fmt::format(", number {}", v.number);
  return got;
}

}  // namespace licit::tool
