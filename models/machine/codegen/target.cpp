#include "machine/codegen/target.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <optional>
#include <stdexcept>

#include <licit/deque/chase_lev_asymmetric_orders.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/run_queue_orders.hpp>
#include <licit/deque/split_orders.hpp>
#include <licit/deque/tagged_asymmetric_orders.hpp>
#include <licit/deque/tagged_orders.hpp>

#include "machine/codegen/process.hpp"

namespace licit::codegen {

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// What the compiler answers to a question, if it is there.
std::optional<std::string> answer(std::vector<std::string> command, const char* question) {
  command.emplace_back(question);
  const finished f = run(command);
  if (f.status != 0) return std::nullopt;
  return first_line(f.output);
}

/// The names that a compiler for the target may have: the triple's, the pinned one's, the plain one's.
std::vector<std::vector<std::string>> candidates(std::string_view name, const target& t) {
  const std::string triple(t.triple);
  if (name == "g++") return {{triple + "-g++"}, {"g++"}};
  const std::string aim = "--target=" + triple;
  return {{"clang++-19", aim}, {"clang++", aim}};
}

bool makes_code_for(const std::vector<std::string>& command, const target& t) {
  const auto machine = answer(command, "-dumpmachine");
  const std::string_view architecture = t.triple.substr(0, t.triple.find('-'));
  return machine && machine->starts_with(architecture);
}

bool finds_headers(std::vector<std::string> command) {
  std::ranges::copy(std::vector<std::string>{"-x", "c++", "-fsyntax-only", "-include", "atomic", "/dev/null"},
                    std::back_inserter(command));
  return run(command).status == 0;
}

std::string objdump_of(const target& t) {
  std::string own = std::string(t.triple) + "-objdump";
  if (answer({own}, "--version")) return own;
  if (t.instructions == family::x86 && answer({"objdump"}, "--version")) return "objdump";
  throw missing("no " + own + " (Debian: in what " + std::string(t.package) + " depends on)");
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end != 0) all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

}  // namespace

std::vector<std::string> include_flags(std::string_view path) {
  std::vector<std::string> all;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    if (end != 0) all.push_back("-I" + std::string(path.substr(0, end)));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return all;
}

std::string_view headers_of_this_build() { return LICIT_HEADERS; }

compiler find_compiler(std::string_view name, const target& t) {
  const auto tried = candidates(name, t);
  const auto found = std::ranges::find_if(tried, [&](const auto& command) { return makes_code_for(command, t); });
  if (found == tried.end()) {
    const std::string package(name == "g++" ? t.package : "clang-19");
    throw missing("no " + tried.front().front() + " (Debian: " + package + ")");
  }
  compiler c{name, {}, {}, *found, {}, {}};
  if (!finds_headers(c.command)) {
    throw missing(c.command.front() + " finds no C++ headers for " + std::string(t.triple) +
                  " (Debian: " + std::string(t.package) + ")");
  }
  c.version = answer(c.command, name == "g++" ? "-dumpfullversion" : "-dumpversion").value_or("?");
  c.called = std::string(name) + " " + c.version.substr(0, c.version.find('.'));
  std::ranges::move(words(t.flags), std::back_inserter(c.command));
  // clang takes a mark for the call of a function when it weighs what to inline.
  if (name == "clang")
    c.when_marked = {"-mllvm", "-inline-threshold=2000",   "-mllvm", "-inline-cold-callsite-threshold=2000",
                     "-mllvm", "-disable-block-placement", "-mllvm", "-disable-tail-duplicate",
                     "-mllvm", "-disable-early-taildup",   "-mllvm", "-disable-branch-fold"};
  c.objdump = objdump_of(t);
  return c;
}

namespace {

template <const auto& Table>
constexpr structure structure_of(std::string_view header, std::string_view type, std::string_view adaptor = {}) {
  return {Table.structure, header, type, adaptor, Table.rows};
}

}  // namespace

std::vector<std::string> structure::definitions() const {
  std::vector<std::string> all{fmt::format("-DLICIT_HEADER=<{}>", header), fmt::format("-DLICIT_STRUCTURE={}", type)};
  if (!adaptor.empty()) all.push_back(fmt::format("-DLICIT_ADAPTOR={}", adaptor));
  return all;
}

std::span<const structure> structures() {
  static constexpr std::array all{
      structure_of<chase_lev_orders>("licit/deque/steal_half.hpp", "licit::chase_lev"),
      structure_of<chase_lev_asymmetric_orders>("licit/deque/steal_half.hpp", "licit::chase_lev", "licit::asymmetric"),
      structure_of<tagged_orders>("licit/deque/tagged.hpp", "licit::tagged_deque"),
      structure_of<tagged_asymmetric_orders>("licit/deque/tagged.hpp", "licit::tagged_deque", "licit::asymmetric"),
      structure_of<run_queue_orders>("licit/deque/run_queue.hpp", "licit::run_queue"),
      structure_of<split_orders>("licit/deque/split.hpp", "licit::split_deque"),
  };
  return all;
}

const structure& find_structure(std::string_view name) {
  const auto all = structures();
  const auto found = std::ranges::find(all, name, &structure::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (const structure& s : all) names.push_back(s.name);
  throw std::invalid_argument(fmt::format("there is no structure {}; there are: {}", name, fmt::join(names, " ")));
}

namespace {

constexpr std::array orders{order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst};

/// Whether operations.cpp knows it for this operation.
bool possible(const row& r, std::string_view how) {
  if (how == "removed") return r.kind == operation::store || detail::is_fence(r.kind);
  if (how == "release_fence") return r.kind == operation::store || r.kind == operation::compare_exchange;
  if (how == "std_fence") return r.kind == operation::fence;
  if (how == "acquire_fence") return r.kind == operation::load || r.kind == operation::compare_exchange;
  const auto* const named = std::ranges::find(orders, how, [](order o) { return detail::name(o); });
  if (named == orders.end()) return false;
  row with = r;
  with.success = *named;
  return detail::lawful(with);
}

/// How the row is changed, or nothing.
std::string_view change_of(std::size_t row_number, const std::vector<change>& changes) {
  const auto found = std::ranges::find(changes, row_number, &change::row);
  return found == changes.end() ? std::string_view{} : std::string_view{found->how};
}

}  // namespace

change parse_change(std::string_view text, const structure& s) {
  const std::size_t equals = text.find('=');
  const std::string_view site = text.substr(0, equals);
  std::string how(equals == std::string_view::npos ? "" : text.substr(equals + 1));
  std::ranges::replace(how, '-', '_');
  const auto found = std::ranges::find(s.rows, site, &row::site);
  if (found == s.rows.end()) {
    throw std::invalid_argument(fmt::format("{}: the table {} has no site {}", text, s.name, site));
  }
  if (!possible(*found, how)) {
    throw std::invalid_argument(fmt::format("{}: a {} cannot be made {}", text, detail::name(found->kind),
                                            how.empty() ? "nothing: <site>=<change> is meant" : how));
  }
  return {static_cast<std::size_t>(found - s.rows.begin()), how};
}

order order_of(const structure& s, std::size_t row_number, const std::vector<change>& changes) {
  const std::string_view how = change_of(row_number, changes);
  if (how.empty() || how == "std_fence") return s.rows[row_number].success;
  if (how == "release_fence") return order::release;
  if (how == "acquire_fence") return order::acquire;
  const auto* const named = std::ranges::find(orders, how, [](order o) { return detail::name(o); });
  return named == orders.end() ? order::relaxed : *named;
}

std::string described(const structure& s, std::size_t row_number, const std::vector<change>& changes) {
  const row& r = s.rows[row_number];
  const std::string_view how = change_of(row_number, changes);
  const std::string failure = r.kind == operation::compare_exchange ? "/" + std::string(detail::name(r.failure)) : "";
  return fmt::format("{} {}{}", detail::name(r.kind), how.empty() ? detail::name(r.success) : how, failure);
}

}  // namespace licit::codegen
