/// Findings of an audit as JSON: what is cached and recorded, and what the reports are made of.
///
///     {version, structures: [{structure, digest, date, compiler,
///                             rules: [{release_sequences, verdict, executions, programs, rows}], minima}]}
#ifndef LICIT_MODELS_TOOL_AUDIT_JSON_HPP
#define LICIT_MODELS_TOOL_AUDIT_JSON_HPP

#include <optional>
#include <string>
#include <string_view>

#include <licit/audit/audit.hpp>

#include <nlohmann/json.hpp>

namespace licit::tool {

using json = nlohmann::ordered_json;

/// Whether a row is needed, in the words of every report.
std::string_view name(audit::need n);
/// The outcome that reports call so.
std::optional<checker::outcome> outcome_named(std::string_view verdict);
/// The need of a row whose weaker orders have these verdicts.
std::string_view need_of(const json& weaker);

json to_json(const audit::report& r);
json to_json(const audit::minima& m, const audit::subject& s);

/// Of the structure's sources in this build: what its findings hold for.
std::string_view digest_of(std::string_view structure);
/// What made findings: structure, digest, date, compiler.
json origin_of(std::string_view structure);

/// "acquire", or "release/acquire" where failure has an order of its own.
std::string orders_text(std::string_view success, std::string_view failure);

std::string read_file(const std::string& file);
void write_file(const std::string& file, std::string_view text);

/// Of one rule, the rows whose need this is.
std::size_t count(const json& rule, std::string_view need);

}  // namespace licit::tool

#endif
