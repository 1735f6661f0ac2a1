/// The shape of findings that were read from a file.
#ifndef LICIT_MODELS_TOOL_AUDIT_FINDINGS_HPP
#define LICIT_MODELS_TOOL_AUDIT_FINDINGS_HPP

#include <string>

#include "audit/json.hpp"

namespace licit::tool {

/// Throws std::runtime_error that names the file and the place in it, unless it has all that reports use: what
/// `licit audit --json` writes.
void expect_findings(const json& findings, const std::string& file);

}  // namespace licit::tool

#endif
