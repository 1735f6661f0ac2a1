/// An audit's findings: as JSON, which is cached and recorded, and of which the reports are made; as text, the record,
/// which models/audit/record.txt has and the command with it, and pages; and whether a library is what they are of.
///
///     {version, structures: [{structure, digest, date, compiler,
///                             rules: [{release_sequences, verdict, executions, programs, rows}], minima}]}
#ifndef LICIT_MODELS_TOOL_AUDIT_FINDINGS_HPP
#define LICIT_MODELS_TOOL_AUDIT_FINDINGS_HPP

#include <map>
#include <optional>
#include <set>
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

/// Throws std::runtime_error that names the file and the place in it, unless it has all that reports use: what
/// `licit audit --json` writes.
void expect_findings(const json& findings, const std::string& file);
/// The same for the two rules of one structure, and for its minima.
void expect_rules(const json& rules, const std::string& file);
void expect_minima(const json& minima, const std::string& file);

/// Why the findings by both rules are not of the subject's programs and rows, or not of the one row of the site; empty
/// if they are.
std::string why_not_of(const json& rules, const audit::subject& of, const std::string& site);

/// A structure's findings, where a record has a whole audit of it as it is in this build: of these sources, of all its
/// programs and rows, and no search ended at its limit.
struct whole_audit {
  json findings;         ///< null: there is none
  std::string why_none;  ///< empty: there is one
};
whole_audit whole_audit_of(const json& record, const audit::subject& of);

// The record, a line a row.

/// Findings without executions, reasons and partners.
std::string record_text(const json& findings);

/// The findings that a record's text says. Reasons and partners are those of this build's tables. Throws
/// std::runtime_error that names the file and the line which is wrong.
json parse_record(std::string_view text, const std::string& file);

/// The record that was built into this command.
json own_record();

/// A record, or what `licit audit --json` wrote. Throws std::runtime_error as parse_record, or that names the byte.
json read_findings(const std::string& file);

// To read: on a terminal, in Markdown, as a page of HTML.

std::string terminal_text(const json& findings);

/// A page with a table a structure: its rows, and what breaks when one is weaker.
std::string markdown(const json& findings);

/// One page, in itself all that it needs.
std::string html(const json& findings);

// Is an archive what was audited? It is read, not run.

/// What an archive says of the sources that it was built from.
struct archive {
  std::string wrong = {};                         ///< why it is no library; empty: it is one
  std::set<std::string> digests = {};             ///< one, of a library that is whole
  std::map<std::string, std::string> files = {};  ///< and their digests
  std::map<std::string, std::string> rows = {};   ///< "structure site", and its orders
  std::set<std::string> members = {};             ///< names of its objects; none in a shared library
};

/// Throws std::runtime_error when the file cannot be read, or is none.
archive read_archive(const std::string& file);

/// Prints what the record says of each structure of this build; whether it has a whole audit of all, and each is right.
bool print_record(const json& record);

/// Prints whether the archive was built from the sources of this command, where it differs, and whether the recorded
/// audit is of them; the exit status.
int compare_library(const std::string& file);

}  // namespace licit::tool

#endif
