/// An audit's findings as text: the record, which models/audit/record.txt has and the command with it, and pages.
#ifndef LICIT_MODELS_TOOL_AUDIT_FINDINGS_HPP
#define LICIT_MODELS_TOOL_AUDIT_FINDINGS_HPP

#include <string>
#include <string_view>

#include "audit/json.hpp"

namespace licit::tool {

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

}  // namespace licit::tool

#endif
