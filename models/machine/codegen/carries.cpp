#include "machine/codegen/carries.hpp"

#include <algorithm>
#include <string_view>

namespace licit::codegen {

namespace {

/// What an instruction does to the accesses around it.
struct effect {
  bool acquires;
  bool releases;
  bool full = false;  ///< a store before it also comes before a load behind it
};

constexpr effect none{false, false, false};
constexpr effect everything{true, true, true};

effect x86(std::string_view name) {
  const bool full = name.starts_with("lock") || name == "xchg" || name == "mfence";
  return full ? everything : none;
}

effect outlined_arm(std::string_view callee) {
  const bool full = callee.ends_with("_sync");
  return {full || callee.find("_acq") != std::string_view::npos, full || callee.ends_with("_rel"), full};
}

/// Of the large system extension's instructions: a, l or al, then a size.
effect named_by(std::string_view suffix) {
  return {suffix.starts_with('a'), suffix.find('l') != std::string_view::npos};
}

effect arm(std::string_view name) {
  if (name.starts_with("bl ") || name.starts_with("b ")) return outlined_arm(name);
  if (name == "dmb ish" || name == "dmb sy") return everything;
  if (name == "dmb ishld") return {true, false};
  if (name.starts_with("cas") || name.starts_with("swp")) return named_by(name.substr(3));
  for (const std::string_view update : {"ldadd", "ldclr", "ldset", "ldeor"}) {
    if (name.starts_with(update)) return named_by(name.substr(update.size()));
  }
  return {name.starts_with("lda"), name.starts_with("stl")};
}

effect riscv(std::string_view name) {
  if (!name.starts_with("fence ")) {
    return {name.find(".aq") != std::string_view::npos, name.find("rl") != std::string_view::npos};
  }
  const std::size_t comma = name.find(',');
  const std::string_view before = name.substr(6, comma - 6);
  const std::string_view after = name.substr(comma + 1);
  const auto has = [](std::string_view set, char access) { return set.find(access) != std::string_view::npos; };
  const bool into_writes = has(before, 'r') && has(before, 'w') && has(after, 'w');
  return {has(before, 'r') && has(after, 'r') && has(after, 'w'), into_writes, into_writes && has(after, 'r')};
}

effect power(std::string_view name) {
  if (name == "sync") return everything;
  return {name == "isync" || name == "lwsync", name == "lwsync"};
}

effect effect_of(family f, std::string_view name) {
  switch (f) {
    case family::x86: return x86(name);
    case family::arm: return arm(name);
    case family::riscv: return riscv(name);
    case family::power: return power(name);
  }
  return none;
}

}  // namespace

bool carries(family f, operation kind, order wanted, const std::vector<std::string>& instructions) {
  const auto any = [&](bool effect::* is) {
    return std::ranges::any_of(instructions, [&](const std::string& name) { return effect_of(f, name).*is; });
  };
  const bool sequential = wanted == order::seq_cst;
  if (kind == operation::light_fence) return true;  // the compiler's barrier leaves no trace
  if (kind == operation::heavy_fence) {
    return !sequential || std::ranges::find(instructions, "membarrier()") != instructions.end();
  }
  if (kind == operation::fence && sequential) return any(&effect::full);
  if (f == family::x86)
    return kind != operation::store || !sequential || any(&effect::full);  // all else is ordered anyway
  const bool releases = wanted == order::release || wanted == order::acq_rel || sequential;
  const bool acquires = wanted == order::acquire || wanted == order::acq_rel || sequential;
  if (releases && kind != operation::load && !any(&effect::releases)) return false;
  return !acquires || kind == operation::store || any(&effect::acquires);
}

}  // namespace licit::codegen
