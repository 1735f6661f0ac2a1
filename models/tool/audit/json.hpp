/// Findings of an audit as JSON: what is kept, cached, recorded, and what the reports are made of.
///
///     {digest, version, compiler, files: {name: digest},
///      structures: [{structure, rules: [{release_sequences, sufficient, programs, rows}], minima}]}
#ifndef LICIT_MODELS_TOOL_AUDIT_JSON_HPP
#define LICIT_MODELS_TOOL_AUDIT_JSON_HPP

#include <string>
#include <string_view>

#include <licit/audit/minima.hpp>

#include <nlohmann/json.hpp>

namespace licit::tool {

using json = nlohmann::ordered_json;

std::string_view name(audit::need n);
std::string_view name(audit::finding f);

json to_json(const audit::report& r);
json to_json(const audit::minima& m, const audit::subject& s);

/// Of this build: digest, version, compiler, files.
json this_build();

/// What is recorded: without the executions.
json without_traces(json findings);

/// Throws std::runtime_error that names the file, and the place in it where it is no JSON.
json read_findings(const std::string& file);
void write_file(const std::string& file, std::string_view text);

/// Of one rule, the rows whose verdict this is.
std::size_t count(const json& rule, std::string_view verdict);

}  // namespace licit::tool

#endif
