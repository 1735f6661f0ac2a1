#include "machine/codegen/process.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <licit/checker/process_pool.hpp>

namespace licit::codegen {

namespace {

/// So that the shell takes it as it is.
std::string quoted(const std::string& word) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_=+./:,").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, harmless)) return word;
  std::string all = "'";
  for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

}  // namespace

std::string shown(const std::vector<std::string>& command) {
  std::string all;
  for (const std::string& word : command) all += (all.empty() ? "" : " ") + quoted(word);
  return all;
}

finished run(const std::vector<std::string>& command) {
  // The C locale: tools translate what they say.
  checker::process_pool::command in_c{"env", "LC_ALL=C"};
  in_c.insert(in_c.end(), command.begin(), command.end());
  checker::process_pool::ended e = checker::run_command(in_c);
  return {e.failure.empty() ? e.status : -1, std::move(e.output)};
}

scratch::scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "licit-codegen-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot make the folder " + name);
  }
  place_ = name;
}

scratch::~scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(place_, ignored);
}

}  // namespace licit::codegen
