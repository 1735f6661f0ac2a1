/// A verdict as bytes for a pipe between processes of one executable: not a format.
#ifndef LICIT_CHECKER_PARALLEL_VERDICT_BYTES_HPP
#define LICIT_CHECKER_PARALLEL_VERDICT_BYTES_HPP

#include <string>
#include <string_view>

#include <licit/checker/verdict.hpp>

namespace licit::checker::detail {

/// All of it but the options, which the receiver has.
std::string to_bytes(const verdict& v);

/// False when the bytes are not the whole of a verdict.
bool from_bytes(std::string_view bytes, verdict& v);

}  // namespace licit::checker::detail

#endif
