#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "machine/codegen/listing.hpp"

namespace licit::codegen {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

template <class Number>
std::optional<Number> number(std::string_view text, int base) {
  Number n{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n, base);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

/// licit.begin.<row>.<n> and licit.end.<row>.<n>
std::optional<mark> as_mark(std::string_view symbol) {
  const bool begins = symbol.starts_with("licit.begin.");
  if (!begins && !symbol.starts_with("licit.end.")) return std::nullopt;
  symbol.remove_prefix(begins ? 12 : 10);
  const auto row = number<std::size_t>(symbol.substr(0, symbol.find('.')), 10);
  if (!row) return std::nullopt;
  return mark{begins, *row};
}

/// Without the suffix of a compiler's clone, or of the cold part that it moved elsewhere.
std::string_view function_of(std::string_view symbol) { return symbol.substr(0, symbol.find_first_of(".+-")); }

class reader {
 public:
  /// Takes one line of objdump's.
  void take(std::string_view text) {
    if (text.starts_with("Disassembly of section ")) {
      section_ = text.substr(23, text.size() - 24);
    } else if (section_.empty()) {
      symbol(text);
    } else if (text.starts_with(' ') || text.starts_with('\t')) {
      inside(text);
    }
  }

  std::vector<function> functions;

 private:
  using place = std::pair<std::string, std::uint64_t>;

  /// `<address> <seven flags> <section>\t<size> <name>`
  void symbol(std::string_view text) {
    const std::size_t tab = text.find('\t');
    const auto address = number<std::uint64_t>(text.substr(0, text.find(' ')), 16);
    if (!address || tab == std::string_view::npos || tab < 26) return;
    const place here{std::string(text.substr(25, tab - 25)), *address};
    const std::string_view name = text.substr(text.rfind(' ') + 1);
    if (const auto m = as_mark(name)) {
      marks_[here].push_back(*m);
    } else if (text.substr(17, 7).find('F') != std::string_view::npos) {
      starts_[here] = function_of(name);
    }
  }

  /// An instruction, `  <address>:\t<text>`, or a relocation of the last, `\t\t\t<address>: R_<kind>\t<symbol>`.
  void inside(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto address = number<std::uint64_t>(trimmed(text.substr(0, colon)), 16);
    if (!address) return;
    text = trimmed(text.substr(colon + 1));
    if (text.starts_with("R_")) {
      relocation(trimmed(text.substr(std::min(text.find_first_of(" \t"), text.size()))));
    } else {
      instruction({section_, *address}, text);
    }
  }

  void relocation(std::string_view name) {
    if (functions.empty() || functions.back().lines.empty() || name == "*ABS*") return;
    functions.back().lines.back().symbol = function_of(name);
  }

  void instruction(const place& here, std::string_view text) {
    if (const auto start = starts_.find(here); start != starts_.end()) functions.push_back({start->second, {}});
    if (functions.empty()) return;
    const auto before = marks_.find(here);
    functions.back().lines.push_back(
        {std::string(text), target(text), before == marks_.end() ? std::vector<mark>{} : before->second});
  }

  /// The function that `jmp 1f0 <name>` goes to the start of, if it does.
  [[nodiscard]] std::string target(std::string_view text) const {
    const std::size_t label = text.find(" <");
    if (label == std::string_view::npos) return {};
    text = text.substr(0, label);
    const auto address = number<std::uint64_t>(text.substr(text.find_last_of(" \t,") + 1), 16);
    const auto start = address ? starts_.find({section_, *address}) : starts_.end();
    return start == starts_.end() ? std::string() : start->second;
  }

  std::string section_;
  std::map<place, std::vector<mark>> marks_;
  std::map<place, std::string> starts_;
};

}  // namespace

std::vector<function> read_disassembly(std::string_view objdump) {
  reader r;
  while (!objdump.empty()) {
    const std::size_t end = std::min(objdump.find('\n'), objdump.size());
    r.take(objdump.substr(0, end));
    objdump.remove_prefix(std::min(end + 1, objdump.size()));
  }
  if (r.functions.empty()) throw std::runtime_error("objdump shows no function");
  return std::move(r.functions);
}

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
