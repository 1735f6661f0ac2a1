/// A client as small as it can be made and still be wrong.
#ifndef LICIT_MODELS_CHECKER_SHRINK_HPP
#define LICIT_MODELS_CHECKER_SHRINK_HPP

#include <cstdint>
#include <optional>

#include <licit/checker/split.hpp>

namespace licit::checker {

/// Leaves out the client's operations one at a time, as long as the same is violated: the same kind, and of a check the
/// same one. The verdict on what is left, whose `calls` are all the operations that are. A run that takes more than so
/// many executions counts as one in which nothing is wrong. Nothing for a verdict without violation, and for a client
/// that does not ask `leaves_out`. The same each time.
std::optional<verdict> shrink(const explorer& run, const options& o, const verdict& wrong,
                              std::uint64_t executions = 20'000);

}  // namespace licit::checker

#endif
