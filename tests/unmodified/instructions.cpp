// Each instruction of a file as `licit check` reads it (models/unmodified/instructions.cpp), beside what objdump says
// of it.
#include <array>
#include <cstdio>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "unmodified/unseen.hpp"

namespace {

using licit::unmodified::instruction;

struct listed {
  std::vector<std::byte> code;
  std::string text;
};

/// "    1139:	f0 ff 07             	lock incl (%rdi)"; no bytes: the line is another.
listed parse(const std::string& line) {
  static const std::regex form("^ +[0-9a-f]+:\t(([0-9a-f]{2} )+) *\t(.*)");
  std::smatch found;
  if (!std::regex_search(line, found, form)) return {};
  listed one{{}, found[3]};
  std::istringstream bytes(found[1]);
  for (unsigned byte = 0; bytes >> std::hex >> byte;) one.code.push_back(static_cast<std::byte>(byte));
  return one;
}

/// By the words that objdump has for it.
bool is_as_listed(const instruction& i, const std::string& text) {
  static const std::regex locked("^lock |^xchg.*\\(%");
  static const std::regex fence("^[mls]fence");
  static const std::regex call("^(sysenter|syscall|int +\\$0x80)");
  if (i.is_locked != std::regex_search(text, locked) || i.is_fence != std::regex_search(text, fence)) return false;
  if (i.is_system_call != std::regex_search(text, call)) return false;
  const bool says_nothing = text.find("lea") == 0 || text.find("nop") != std::string::npos ||
                            text.find("prefetch") == 0 || text.find(" lea") != std::string::npos;
  if (says_nothing) return !i.has_memory;
  const bool names_memory = text.find("(%") != std::string::npos;
  return i.has_memory || !names_memory;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string command = std::string("objdump -d -w '") + argv[1] + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> list{popen(command.c_str(), "r"), &pclose};
  long count = 0;
  long differ = 0;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), list.get()) != nullptr) {
    listed one = parse(line.data());
    if (one.code.empty() || one.text.find("(bad)") != std::string::npos) continue;
    if (one.code.front() == std::byte{0x9b}) continue;  // objdump joins a wait to what follows
    const std::size_t length = one.code.size();
    one.code.resize(length + 16, std::byte{0x90});
    const auto found = licit::unmodified::decode(one.code);
    ++count;
    if (found && found->length == length && is_as_listed(*found, one.text)) continue;
    if (differ++ < 10) std::printf("%s", line.data());
  }
  std::printf("%ld instructions, %ld differ\n", count, differ);
  return count != 0 && differ == 0 ? 0 : 1;
}
