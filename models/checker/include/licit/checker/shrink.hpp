/// A client as small as it can be made and still be wrong.
#ifndef LICIT_CHECKER_SHRINK_HPP
#define LICIT_CHECKER_SHRINK_HPP

#include <cstdint>
#include <optional>

#include <licit/checker/explore.hpp>

namespace licit::checker {

/// Leaves out the client's operations one at a time, as long as the same is violated: the same kind, and of a check the
/// same one. Returns the verdict on what is left, whose `calls` are all the operations that are left and whose `client`
/// is the same as text. Returns nothing for a verdict without violation, and for a client that does not ask
/// `leaves_out`. Of a client that waits for ever some execution has to end: else it may wait for what was left out. A
/// run that takes more than so many executions counts as one in which nothing is wrong. The result is the same each
/// time.
std::optional<verdict> shrink(const explorer& run, const options& o, const verdict& wrong,
                              std::uint64_t executions = 20'000);

}  // namespace licit::checker

#endif
