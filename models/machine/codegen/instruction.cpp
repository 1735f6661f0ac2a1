#include "instruction.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace licit::codegen {

namespace {

/// Up to the first space or tab; the rest has none in front.
std::string_view cut(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(text.find_first_not_of(" \t", end), text.size()));
  return word;
}

bool starts_with_any(std::string_view name, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view p) { return name.starts_with(p); });
}

std::string x86(std::string_view name, std::string_view operands) {
  if (name == "lock") {
    std::string_view locked = cut(operands);
    if (locked.ends_with('l') || locked.ends_with('q')) locked.remove_suffix(1);  // the operand's width
    return "lock " + std::string(locked);
  }
  if (name == "mfence" || name == "lfence" || name == "sfence") return std::string(name);
  // With memory it is locked without saying so; with two registers it is padding.
  return name == "xchg" && operands.find('(') != std::string_view::npos ? "xchg" : "";
}

std::string arm(std::string_view name, std::string_view operands) {
  if (name == "dmb" || name == "dsb" || name == "isb") return std::string(name) + " " + std::string(cut(operands));
  static constexpr std::array<std::string_view, 14> ordered{"ldar", "ldapr", "ldapur", "ldax", "ldxr",
                                                            "ldxp", "stlr",  "stlur",  "stlx", "stxr",
                                                            "stxp", "cas",   "swp",    "ldlar"};
  if (starts_with_any(name, ordered)) return std::string(name);
  static constexpr std::array<std::string_view, 4> updates{"ldadd", "ldclr", "ldset", "ldeor"};
  return starts_with_any(name, updates) ? std::string(name) : "";
}

std::string riscv(std::string_view name, std::string_view operands) {
  if (name == "fence") return "fence " + (operands.empty() ? "iorw,iorw" : std::string(cut(operands)));
  return name.starts_with("amo") || name.starts_with("lr.") || name.starts_with("sc.") ? std::string(name) : "";
}

std::string power(std::string_view name) {
  if (name == "hwsync") return "sync";  // two names of one instruction
  static constexpr std::array<std::string_view, 9> ordered{"sync",  "lwsync", "isync",  "ldarx", "lwarx",
                                                           "lharx", "lbarx",  "stdcx.", "stwcx."};
  return std::ranges::find(ordered, name) != ordered.end() ? std::string(name) : "";
}

}  // namespace

std::string ordering(family f, std::string_view text, std::string_view callee) {
  const std::string_view name = cut(text);
  if (callee.starts_with("__aarch64_") || callee.starts_with("__atomic_") || callee.starts_with("__sync_")) {
    return std::string(name) + " " + std::string(callee);
  }
  if (callee == "_ZN5licit2v010membarrierEv") return "membarrier()";
  switch (f) {
    case family::x86: return x86(name, text);
    case family::arm: return arm(name, text);
    case family::riscv: return riscv(name, text);
    case family::power: return power(name);
  }
  return {};
}

}  // namespace licit::codegen
