/// An audit's findings to read: on a terminal, in Markdown, as a page of HTML.
#ifndef LICIT_MODELS_TOOL_AUDIT_PAGES_HPP
#define LICIT_MODELS_TOOL_AUDIT_PAGES_HPP

#include <string>

#include "audit/json.hpp"

namespace licit::tool {

std::string terminal_text(const json& findings);

/// A table a structure: its rows, and what breaks when one is weaker.
std::string markdown(const json& findings);

/// The text of a document with what is between its lines `<!-- audit -->` and `<!-- end of audit -->` replaced. Throws
/// std::runtime_error if it has no such lines.
std::string with_table(const std::string& document, const std::string& table, const std::string& name);

/// One page, in itself all that it needs.
std::string html(const json& findings);

}  // namespace licit::tool

#endif
