/// The places in the source of a program over std.hpp: each is met once, and has its label from then on.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include <licit/checker/std/site.hpp>

#include "core/executor.hpp"
#include "show/words.hpp"
#include "standard/program.hpp"

namespace licit::checker::detail {

namespace {

// Names of files and functions as reports have them.

std::string file_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

/// Without namespaces that have no name, arguments of templates and parameters: they fill lines, and the line of the
/// file says it all.
std::string short_function(std::string function) {
  function.resize(std::min(function.size(), function.find(" [")));  // what a template's parameters are
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  constexpr std::string_view also_unnamed = "{anonymous}::";
  for (const std::string_view name : {unnamed, also_unnamed}) {
    for (std::size_t at = 0; (at = function.find(name)) != std::string::npos;) function.erase(at, name.size());
  }
  constexpr std::array<std::string_view, 3> lambdas{"<lambda", "(lambda", "(anonymous class)"};
  const bool lambda = std::ranges::any_of(lambdas, [&](auto l) { return function.find(l) != std::string::npos; });
  const std::string all = outside_brackets(function);
  if (lambda || all.ends_with("operator")) return "a lambda";
  const auto type = all.rfind(' ');
  const bool converts = all.find("operator") != std::string::npos;
  if (all.empty()) return function;
  return type == std::string::npos || converts ? all : all.substr(type + 1);
}

/// What a caller knows of its place: cheap to compare.
struct caller {
  const void* file_or_code;
  unsigned line = 0;
  unsigned column = 0;
  licit::operation kind = {};
  bool audited = false;

  friend bool operator==(const caller&, const caller&) = default;
};

struct known_caller {
  caller who{};
  source_site* site = nullptr;
};

constexpr std::size_t recent_callers = 4096;
std::array<known_caller, recent_callers> recent;

using site_key = std::tuple<std::string, unsigned, unsigned, licit::operation, bool>;
std::map<site_key, std::unique_ptr<source_site>> sites;

std::size_t place_of(const caller& c) {
  const auto from = reinterpret_cast<std::uintptr_t>(c.file_or_code);
  const std::uintptr_t mixed = from * 31 + c.line * 257UL + c.column * 7UL + static_cast<std::uintptr_t>(c.kind);
  return (mixed ^ mixed >> 12U) % recent_callers;
}

/// What `addr2line` says of code of this process; without it, the address in its file.
source_site place_of_code(const void* returns_to) {
  source_site found;
  const auto* const code = static_cast<const std::byte*>(returns_to) - 1;
  Dl_info in{};
  if (dladdr(code, &in) == 0 || in.dli_fname == nullptr) return found;
  const auto at = static_cast<unsigned long>(code - static_cast<const std::byte*>(in.dli_fbase));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%#lx", at);
  found.file = file_name(in.dli_fname) + "+" + text.data();
  const std::string file = std::strchr(in.dli_fname, '/') == nullptr ? "/proc/self/exe" : in.dli_fname;
  std::FILE* const lines = popen(("addr2line -e '" + file + "' " + text.data() + " 2>/dev/null").c_str(), "r");
  if (lines == nullptr) return found;
  std::array<char, 4096> line{};
  const bool answered = std::fgets(line.data(), line.size(), lines) != nullptr;
  pclose(lines);
  const std::string where(line.data());
  const auto colon = where.rfind(':');
  if (!answered || colon == std::string::npos || where[0] == '?') return found;
  found.file = file_name(where.substr(0, colon));
  found.line = static_cast<unsigned>(std::strtoul(where.c_str() + colon + 1, nullptr, 10));
  return found;
}

source_site& intern(source_site made) {
  const site_key key{made.file, made.line, made.column, made.kind, made.audited};
  std::unique_ptr<source_site>& site = sites[key];
  if (site == nullptr) {
    site = std::make_unique<source_site>(std::move(made));
    const std::string line = site->line == 0 ? "" : ":" + std::to_string(site->line);
    std::snprintf(site->label.data(), site->label.size(), "%s%s", site->file.c_str(), line.c_str());
  }
  return *site;
}

[[gnu::noinline]] source_site& meet(const caller& who, const source_site& what) {
  source_site& site = intern(what);
  recent[place_of(who)] = {who, &site};
  return site;
}

[[gnu::noinline]] source_site& meet(const caller& who, std::source_location at) {
  const heap::scope engine{nullptr};
  return meet(who, source_site{.file = file_name(at.file_name()),
                               .line = at.line(),
                               .column = at.column(),
                               .function = short_function(at.function_name()),
                               .kind = who.kind,
                               .audited = who.audited});
}
[[gnu::noinline]] source_site& meet(const caller& who) {
  const heap::scope engine{nullptr};
  source_site what = place_of_code(who.file_or_code);
  what.kind = who.kind;
  what.audited = who.audited;
  return meet(who, what);
}

source_site* find(const caller& who) {
  const known_caller& k = recent[place_of(who)];
  return k.site != nullptr && k.who == who ? k.site : nullptr;
}

/// Whether garbage on the stack may be taken for the program's state.
bool disturbs(bool is_new) { return is_new || static_cast<executor&>(engine::running()).suspects_loops(); }

/// The standard leaves undefined what an operation does with an order that is none of its own.
void expect_order(const source_site& s, order o, bool failure) {
  const bool releases = o == order::release || o == order::acq_rel;
  const bool acquires = o == order::acquire || o == order::acq_rel;
  const bool only_reads = failure || s.kind == licit::operation::load;
  if ((!only_reads || !releases) && (s.kind != licit::operation::store || !acquires)) return;
  object_to(violation::unsupported, "does a " + std::string(failure ? "failed " : "") +
                                        std::string(licit::detail::name(s.kind)) + " with memory_order_" +
                                        std::string(licit::detail::name(o)) + " at " + s.label.data());
}

sited ordered(source_site& s, order success, order failure, bool clear) {
  expect_order(s, success, false);
  s.orders |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(success));
  if (s.kind == licit::operation::compare_exchange) {
    expect_order(s, failure, true);
    s.failures |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(failure));
  }
  return {s.label.data(), s.weakened.value_or(success), s.weakened_failure.value_or(failure), clear};
}

caller caller_at(const std::source_location& at, licit::operation kind, bool audited) {
  return {at.file_name(), at.line(), at.column(), kind, audited};
}

}  // namespace

sited visit(std::source_location at, licit::operation kind, order success, order failure) {
  const caller who = caller_at(at, kind, true);
  source_site* const known = find(who);
  source_site& s = known != nullptr ? *known : meet(who, at);
  return ordered(s, success, failure, disturbs(known == nullptr));
}

sited visit(std::source_location at) {
  const caller who = caller_at(at, licit::operation::load, false);
  source_site* const known = find(who);
  source_site& s = known != nullptr ? *known : meet(who, at);
  return {s.label.data(), order::relaxed, order::relaxed, disturbs(known == nullptr)};
}

sited visit(const void* returns_to, licit::operation kind, order success) {
  const caller who{.file_or_code = returns_to, .kind = kind, .audited = true};
  source_site* const known = find(who);
  source_site& s = known != nullptr ? *known : meet(who);
  return ordered(s, success, order::relaxed, disturbs(known == nullptr));
}

void visit_plain(std::source_location at) {
  if (!is_standard_program()) return;
  const caller who = caller_at(at, licit::operation::load, false);
  source_site* const known = find(who);
  note_plain(known != nullptr ? *known : meet(who, at));
}

void visit_plain(const void* returns_to) {
  if (!is_standard_program()) return;
  const caller who{.file_or_code = returns_to};
  source_site* const known = find(who);
  note_plain(known != nullptr ? *known : meet(who));
}

std::vector<source_site*> all_source_sites() {
  std::vector<source_site*> all;
  all.reserve(sites.size());
  for (const auto& [key, site] : sites) all.push_back(site.get());
  return all;
}

void forget_source_sites() {
  recent.fill({});
  sites.clear();
}

}  // namespace licit::checker::detail
