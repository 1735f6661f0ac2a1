/// Is each order of a program over <licit/checker/std.hpp> needed? By the lines of its source: there is no table.
///
///     const auto report = licit::audit::audit_source([] { ... });   // a body, as licit::checker::check takes it
///     std::fputs(text(report).c_str(), stdout);
#ifndef LICIT_MODELS_AUDIT_SOURCE_SITES_HPP
#define LICIT_MODELS_AUDIT_SOURCE_SITES_HPP

#include <functional>
#include <string>
#include <vector>

#include <licit/audit/audit.hpp>
#include <licit/checker/options.hpp>
#include <licit/checker/verdict.hpp>

namespace licit::audit {

/// One operation or fence of the source with a weaker order, all others as they are.
struct source_weakening {
  order from;
  order to;
  bool on_failure = false;  ///< the order of a compare-exchange that fails
  trial result = {};
};

struct source_site {
  std::string file;  ///< without its folders
  unsigned line = 0;
  unsigned column = 0;  ///< 0: not known
  std::string function;
  operation kind = {};
  std::string name;  ///< "queue.hpp:12 store"; with the column where a line has several of one kind
  level strongest;   ///< that it was called with
  need verdict = need::relaxed;
  std::vector<source_weakening> weaker = {};  ///< the strongest first
};

struct source_report {
  checker::verdict sufficient;          ///< of the programs as they are: the first that is wrong, or the last
  std::vector<source_site> sites = {};  ///< by file and line; none if a program is wrong as it is

  /// Whether no search ended at a limit.
  [[nodiscard]] bool decided() const;
};

/// Explores one program: run_program<P> and checker::check are such functions.
using source_program = std::function<checker::verdict(const checker::options&)>;

/// Explores the programs as they are, then once for each weaker order, up to the first program that it breaks. The
/// limits of the options are those of one exploration.
source_report audit_source(const std::vector<source_program>& programs, const checker::options& o = {});
/// Of one program: a body that starts its threads.
source_report audit_source(const std::function<void()>& body, const checker::options& o = {});

/// A line for each weaker order: the site, the orders, and what goes wrong; as `licit check --audit` prints it.
std::string text(const source_report& r);

}  // namespace licit::audit

#endif
