#include "machine/codegen/target.hpp"

#include <algorithm>
#include <optional>

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

}  // namespace licit::codegen
