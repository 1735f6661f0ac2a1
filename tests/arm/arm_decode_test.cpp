/// The decoder against binutils: of each instruction of a real library, the registers that its text names and those
/// that the decoder says are the same. And words one by one, for what a text does not say.
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arm/instruction.hpp"

namespace licit::arm_test {
namespace {

using arm::registers;

constexpr registers general = 0xFFFFFFFF;  // and the stack pointer

/// The register that a word of a text names: x3, w3, sp, v3.4s, q3, d3; none for others and for zero.
registers named(const std::string& word) {
  if (word == "sp" || word == "wsp") return registers{1} << arm::stack_pointer;
  if (word.size() < 2 || std::isdigit(static_cast<unsigned char>(word[1])) == 0) return 0;
  std::size_t end = 1;
  while (end != word.size() && std::isdigit(static_cast<unsigned char>(word[end])) != 0) ++end;
  if (end > 3 || (word[1] == '0' && end != 2)) return 0;  // the digits of an address
  if (end != word.size() && word[end] != '.') return 0;
  const unsigned n = static_cast<unsigned>(std::stoul(word.substr(1, end - 1)));
  if (n > 31) return 0;
  if (word[0] == 'x' || word[0] == 'w') return registers{1} << n;
  return std::string("vqdshb").find(word[0]) == std::string::npos ? 0 : registers{1} << (arm::first_vector + n);
}

struct text {
  std::uint32_t word = 0;
  std::string mnemonic, operands;

  /// Those named up to a place, in their order; a range of vectors names all in it.
  [[nodiscard]] std::vector<registers> all(std::size_t from, std::size_t to) const {
    std::vector<registers> found;
    std::string part;
    bool range = false;
    for (std::size_t k = from; k <= to; ++k) {
      const char c = k == to ? ' ' : operands[k];
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.') {
        part += c;
        continue;
      }
      if (const registers r = named(part); r != 0) {
        if (range) {
          for (registers next = found.back(); next != r;) {
            next = next == registers{1} << 63 ? registers{1} << 32 : next << 1;
            found.push_back(next);
          }
        } else {
          found.push_back(r);
        }
      }
      range = c == '-' && !part.empty();
      part.clear();
    }
    return found;
  }
  [[nodiscard]] std::size_t bracket() const {
    const std::size_t place = operands.find('[');
    return place == std::string::npos ? operands.size() : place;
  }
};

registers joined(const std::vector<registers>& all) {
  registers set = 0;
  for (const registers r : all) set |= r;
  return set;
}

/// Each word of the code once.
std::vector<text> disassembled(const std::string& file) {
  FILE* pipe = ::popen(("aarch64-linux-gnu-objdump -d " + file).c_str(), "r");
  std::set<std::uint32_t> seen;
  std::vector<text> all;
  std::array<char, 1024> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    std::istringstream in(line.data());
    std::string place, word;
    text t;
    if (!(in >> place >> word >> t.mnemonic) || place.back() != ':' || word.size() != 8) continue;
    t.word = static_cast<std::uint32_t>(std::stoul(word, nullptr, 16));
    std::getline(in, t.operands);
    for (const char* end : {"//", "<"}) t.operands = t.operands.substr(0, t.operands.find(end));
    if (seen.insert(t.word).second) all.push_back(t);
  }
  ::pclose(pipe);
  return all;
}

bool starts(const std::string& text, std::initializer_list<const char*> beginnings) {
  for (const char* b : beginnings) {
    if (text.starts_with(b)) return true;
  }
  return false;
}

/// Registers that no text names.
registers implied(const text& t) {
  if (t.mnemonic == "bl" || t.mnemonic == "blr" || (t.mnemonic == "ret" && joined(t.all(0, t.operands.size())) == 0)) {
    return registers{1} << 30;
  }
  if (t.mnemonic == "svc") return 0x1FF;
  return 0;
}

/// What is wrong, or nothing.
std::string wrong_registers(const text& t, const arm::instruction& i) {
  const registers all = joined(t.all(0, t.operands.size())) | implied(t);
  const registers decoded = i.reads | i.writes | i.loaded;
  if ((all & ~decoded) != 0) return "misses a register";
  if (((decoded & ~all) & general) != 0) return "has a register too many";
  if (i.accesses_memory() && (decoded & ~all) != 0) return "has a vector register too many";
  return {};
}

std::string wrong_directions(const text& t, const arm::instruction& i) {
  const std::vector<registers> order = t.all(0, t.operands.size());
  if (i.accesses_memory()) {
    const registers address = joined(t.all(t.bracket(), t.operands.size()));
    const registers before = joined(t.all(0, t.bracket()));
    if (t.bracket() == t.operands.size()) return i.address == 0 ? "" : "an address of a literal";
    if (i.addressing != arm::addressing::post_index && i.address != address) return "another address";
    if ((i.address & ~address) != 0) return "an address too large";
    const bool moves_on = t.operands.find('!') != std::string::npos || t.operands.find("], ") != std::string::npos;
    if (moves_on != (i.addressing == arm::addressing::pre_index || i.addressing == arm::addressing::post_index)) {
      return "another addressing";
    }
    if (i.kind == arm::kind::load && i.loaded != before) return "another register is loaded";
    if (i.kind == arm::kind::store && i.data != before) return "another register is stored";
    return {};
  }
  if (i.kind != arm::kind::other || order.empty()) return {};
  if (starts(t.mnemonic, {"cmp", "cmn", "tst", "ccm", "fcmp", "fccmp", "prfm", "rmif", "setf"})) {
    return i.writes == 0 ? "" : "writes a register";
  }
  const bool to_zero = t.operands.find("zr,") != std::string::npos && t.operands.find("zr,") < 5;
  if (!to_zero && i.writes != order[0]) return "writes another register";
  registers sources = 0;
  for (std::size_t k = to_zero ? 0 : 1; k != order.size(); ++k) sources |= order[k];
  if ((sources & ~i.reads) != 0) return "does not read a register";
  const bool keeps = starts(t.mnemonic, {"movk", "bf"});  // bfi, bfxil, bfc, bfm
  if (((i.reads & ~sources) & general) != (keeps ? order[0] & ~sources : 0)) return "reads a register too many";
  return {};
}

std::string wrong_flags(const text& t, const arm::instruction& i) {
  const bool sets = starts(t.mnemonic, {"cmp", "cmn", "tst", "ccm", "adds", "subs", "ands", "bics", "adcs", "sbcs",
                                        "ngcs", "negs", "fcmp", "fccmp", "setf", "rmif"}) ||
                    (t.mnemonic == "msr" && t.operands.find("nzcv") != std::string::npos);
  if (i.writes_flags != (sets && !starts(t.mnemonic, {"cmeq", "cmge"}))) return "flags written";
  const bool uses = starts(t.mnemonic, {"b.", "cs", "cinc", "cinv", "cneg", "ccm", "fcsel", "fccmp", "adc", "sbc",
                                        "ngc", "setf", "rmif"}) ||
                    (t.mnemonic == "mrs" && t.operands.find("nzcv") != std::string::npos);
  if (i.reads_flags != (uses && t.mnemonic != "csdb")) return "flags read";
  return {};
}

TEST(ArmDecode, EachInstructionOfALibrary) {
  const std::string library = std::getenv("L")?std::getenv("L"):"/usr/aarch64-linux-gnu/lib/libc.so.6";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << "no " << library;
  std::map<std::string, std::string> wrong;
  std::size_t words = 0, unknown = 0;
  for (const text& t : disassembled(library)) {
    if (starts(t.mnemonic, {"udf", ".inst", ".word", "prfm"})) continue;
    ++words;
    const arm::instruction i = arm::decode(t.word);
    if (i.kind == arm::kind::unknown) {
      ++unknown;
      continue;
    }
    for (const std::string& what : {wrong_registers(t, i), wrong_directions(t, i), wrong_flags(t, i)}) {
      if (!what.empty()) wrong.emplace(what + " " + t.mnemonic, t.operands);
    }
  }
  for (const auto& [what, operands] : wrong) ADD_FAILURE() << what << operands;
  EXPECT_GT(words, 10'000U) << "objdump gave few";
  std::printf("%zu different words, %zu unknown\n", words, unknown);
}
}  // namespace
}  // namespace licit::arm_test
