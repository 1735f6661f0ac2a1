/// The licit command, run as its users run it.
#ifndef LICIT_TESTS_TOOL_COMMAND_HPP
#define LICIT_TESTS_TOOL_COMMAND_HPP

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace licit_test {

struct finished {
  int status;
  std::string output;
};

/// Standard output and error together.
inline finished run(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  finished f{-1, {}};
  if (pipe == nullptr) return f;
  std::array<char, 4096> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) f.output.append(block.data(), n);
  const int status = ::pclose(pipe);
  f.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return f;
}
inline finished licit(const std::string& arguments) { return run(std::string(LICIT_TOOL) + " " + arguments); }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace licit_test

#endif
