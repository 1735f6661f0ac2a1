#include "machine/codegen/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>

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
  FILE* pipe = ::popen(("LC_ALL=C " + shown(command) + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), "cannot run " + shown(command));
  finished f{-1, {}};
  std::array<char, 1 << 16> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) f.output.append(block.data(), n);
  const int status = ::pclose(pipe);
  f.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return f;
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
