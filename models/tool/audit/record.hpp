/// The recorded audit as text, a line a row: what models/audit/record.txt has, and the command with it.
#ifndef LICIT_MODELS_TOOL_AUDIT_RECORD_HPP
#define LICIT_MODELS_TOOL_AUDIT_RECORD_HPP

#include <string>
#include <string_view>

#include "audit/json.hpp"

namespace licit::tool {

/// Findings without executions, reasons and partners.
std::string record_text(const json& findings);

/// The findings that a record's text says. Reasons and partners are those of this build's tables. Throws
/// std::runtime_error that names the file and the line which is wrong.
json parse_record(std::string_view text, const std::string& file);

/// The record that was built into this command.
json own_record();

/// A record, or what `licit audit --json` wrote. Throws std::runtime_error as parse_record, or that names the byte.
json read_findings(const std::string& file);

}  // namespace licit::tool

#endif
