#include "machine/codegen/listing.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <licit/deque/version.hpp>

#include "machine/codegen/process.hpp"
#include "machine/codegen/target.hpp"

namespace licit::codegen {

namespace {

std::string words(const counts& c) {
  std::string all;
  for (const auto& [name, times] : c) all += fmt::format("{}{} {}", all.empty() ? "" : ", ", times, name);
  return all.empty() ? "none" : all;
}

/// The marks that are open, while a function is walked through.
class walk {
 public:
  walk(const structure& s, family f, std::vector<std::vector<sequence>>& places)
      : structure_{s}, family_{f}, places_{places} {}

  void through(const function& f) {
    open_ = none;
    for (const line& l : f.lines) {
      for (const mark& m : l.marks) meet(f, m);
      take(f, l);
    }
    if (open_ != none) throw std::runtime_error(fmt::format("{}: {} begins and does not end", f.name, site(open_)));
  }

 private:
  static constexpr std::size_t none = -1;

  [[nodiscard]] std::string_view site(std::size_t row) const { return structure_.rows[row].site; }

  void meet(const function& f, const mark& m) {
    if (m.begins && open_ == none) {
      open_ = m.row;
      places_.at(m.row).emplace_back();
    } else if (!m.begins && open_ == m.row) {
      open_ = none;
    } else if (!m.begins && open_ == none) {
      // A way out of a site, a compare-exchange that failed, say, laid apart: what orders would belong to no site
      // there.
    } else {
      throw std::runtime_error(fmt::format("{}: {} {} out of turn: the compiler moved a mark", f.name, site(m.row),
                                           m.begins ? "begins" : "ends"));
    }
  }

  void take(const function& f, const line& l) {
    const std::string name = ordering(family_, l.text, l.symbol);
    if (name.empty()) return;
    if (open_ == none) throw std::runtime_error(fmt::format("{}: `{}` belongs to no site", f.name, l.text));
    places_[open_].back().push_back(name);
  }

  const structure& structure_;
  family family_;
  std::vector<std::vector<sequence>>& places_;
  std::size_t open_ = none;
};

/// Each once, the shortest first.
void keep_different(std::vector<sequence>& places) {
  const auto before = [](const sequence& a, const sequence& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  std::ranges::sort(places, before);
  const auto again = std::ranges::unique(places);
  places.erase(again.begin(), again.end());
}

/// Adds up a function and what it calls.
class call_tree {
 public:
  call_tree(family f, const std::vector<function>& functions) : family_{f}, functions_{functions} {}

  counts of(const std::string& name) {
    counts all;
    calling_.insert(name);
    for (const function& one : functions_) {
      if (one.name == name) add(one, all);  // a function may have parts
    }
    calling_.erase(name);
    return all;
  }

 private:
  void add(const function& one, counts& all) {
    for (const line& l : one.lines) {
      if (std::string name = ordering(family_, l.text, l.symbol); !name.empty()) {
        ++all[std::move(name)];
      } else if (!l.symbol.empty() && !calling_.contains(l.symbol)) {
        for (const auto& [instruction, times] : of(l.symbol)) all[instruction] += times;
      }
    }
  }

  family family_;
  const std::vector<function>& functions_;
  std::set<std::string> calling_;
};

}  // namespace

std::map<std::string, counts> count(family f, const std::vector<function>& functions) {
  static constexpr std::string_view prefix = "licit_";
  std::map<std::string, counts> all;
  for (const function& one : functions) {
    if (one.name.starts_with(prefix)) all[one.name.substr(prefix.size())] = call_tree(f, functions).of(one.name);
  }
  return all;
}

std::vector<std::vector<sequence>> attribute(const structure& s, family f, const std::vector<function>& functions) {
  std::vector<std::vector<sequence>> places(s.rows.size());
  walk w(s, f, places);
  for (const function& one : functions) w.through(one);
  std::ranges::for_each(places, keep_different);
  return places;
}

void compare_marked(const std::map<std::string, counts>& plain, const std::map<std::string, counts>& marked) {
  const auto same_kind = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (!std::ranges::equal(plain, marked, same_kind))
    throw std::runtime_error("marks change which operations there are");
  for (const auto& [name, of_plain] : plain) {
    const counts& of_marked = marked.at(name);
    if (std::ranges::equal(of_plain, of_marked, same_kind)) continue;
    throw std::runtime_error(fmt::format("{} has other ordering instructions with marks ({}) than without ({})", name,
                                         words(of_marked), words(of_plain)));
  }
}

std::vector<function> disassemble_operations(const structure& s, const compiler& by, std::string_view headers,
                                             const std::vector<std::string>& arguments) {
  const scratch place;
  const std::string source = (place / "operations.cpp").string();
  const std::string object = (place / "operations.o").string();
  if (!(std::ofstream(source) << operations_source).flush()) throw std::runtime_error("cannot write " + source);
  std::vector<std::string> compile = by.command;
  std::ranges::move(std::vector<std::string>{"-std=c++20", "-O2", "-c", source, "-o", object,
                                             fmt::format("-DLICIT_VERSION=\"{}\"", header_version)},
                    std::back_inserter(compile));
  std::ranges::move(include_flags(headers), std::back_inserter(compile));
  std::ranges::copy(s.definitions(), std::back_inserter(compile));
  std::ranges::copy(arguments, std::back_inserter(compile));
  const finished compiled = run(compile);
  if (compiled.status != 0) throw std::runtime_error(shown(compile) + " failed:\n" + compiled.output);
  const finished read = run({by.objdump, "-t", "-d", "-r", "--no-show-raw-insn", object});
  if (read.status != 0) throw std::runtime_error(by.objdump + " failed: " + read.output);
  return read_disassembly(read.output);
}

listing measure(const structure& s, const target& t, const compiler& by, std::string_view headers,
                const std::vector<change>& changes) {
  std::string changed;
  for (const change& c : changes) changed += fmt::format("{{{}, change::{}}},", c.row, c.how);
  std::vector<std::string> arguments;
  if (!changed.empty()) arguments.push_back("-DLICIT_CHANGES=" + changed);
  const std::vector<function> plain = disassemble_operations(s, by, headers, arguments);
  arguments.emplace_back("-DLICIT_MARKED");
  std::ranges::copy(by.when_marked, std::back_inserter(arguments));
  const std::vector<function> marked = disassemble_operations(s, by, headers, arguments);

  listing made{std::string(s.name),          std::string(t.name),          by, {},
               count(t.instructions, plain), count(t.instructions, marked)};
  compare_marked(made.operations, made.marked);
  auto places = attribute(s, t.instructions, marked);
  for (std::size_t i = 0; i != places.size(); ++i) {
    const std::string site(s.rows[i].site);
    if (places[i].empty()) throw std::runtime_error(site + " is in none of the functions");
    const bool carried = std::ranges::all_of(places[i], [&](const sequence& code) {
      return carries(t.instructions, s.rows[i].kind, order_of(s, i, changes), code);
    });
    made.sites.push_back({site, described(s, i, changes), std::move(places[i]), carried});
  }
  return made;
}

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
