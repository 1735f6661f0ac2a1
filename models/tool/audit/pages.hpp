/// An audit's findings to read: on a terminal, in Markdown, as a page of HTML.
#ifndef LICIT_MODELS_TOOL_AUDIT_PAGES_HPP
#define LICIT_MODELS_TOOL_AUDIT_PAGES_HPP

#include <string>

#include "audit/json.hpp"

namespace licit::tool {

std::string terminal_text(const json& findings);

/// A page with a table a structure: its rows, and what breaks when one is weaker.
std::string markdown(const json& findings);

/// One page, in itself all that it needs.
std::string html(const json& findings);

}  // namespace licit::tool

#endif
