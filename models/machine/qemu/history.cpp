#include "machine/qemu/history.hpp"

#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

namespace licit::qemu {

namespace {

std::string kind_of(const arm::instruction& i) {
  if (i.kind == arm::kind::barrier) {
    if (i.orders == arm::barrier::isb) return "isb";
    const bool loads = i.orders == arm::barrier::dmb_loads || i.orders == arm::barrier::dsb_loads;
    const bool stores = i.orders == arm::barrier::dmb_stores || i.orders == arm::barrier::dsb_stores;
    return loads ? "barrier for loads" : stores ? "barrier for stores" : "full barrier";
  }
  std::string result = !i.writes_memory() ? "load" : !i.reads_memory() ? "store" : "update";
  if (i.kind == arm::kind::compare_and_swap) result = "cas";
  if (i.kind == arm::kind::load_exclusive || i.kind == arm::kind::store_exclusive) result += " exclusive";
  if (i.acquire) result += " acquire";
  if (i.acquire_pc) result += " acquire-pc";
  if (i.release) result += " release";
  return result;
}

std::string values_of(const arm::values& all, unsigned elements) {
  std::string result;
  for (unsigned k = 0; k != elements; ++k) {
    const auto value = static_cast<std::int64_t>(all[k]);
    const bool small = value > -100'000 && value < 100'000;
    result += fmt::format("{}{}", k == 0 ? "" : ", ", small ? fmt::format("{}", value) : fmt::format("{:#x}", all[k]));
  }
  return result;
}

/// Of the instructions that a history is about.
class code_names {
 public:
  code_names(const std::vector<deed>& deeds, const executable& guest)
      : functions_{guest.file, guest.loaded}, lines_{guest.lines, guest.file, instructions(deeds)} {}

  [[nodiscard]] std::string name(const deed& d) const {
    const std::string line = lines_.name(place(d));
    return line.empty() ? functions_.name(d.at->pc) : line;
  }

 private:
  // An atomic operation that the compiler calls stands where it is called from.
  [[nodiscard]] std::uint64_t place(const deed& d) const {
    return functions_.name(d.at->pc).starts_with("__aarch64_") ? d.caller - 4 : d.at->pc;
  }
  [[nodiscard]] std::vector<std::uint64_t> instructions(const std::vector<deed>& deeds) const {
    std::set<std::uint64_t> all;
    for (const deed& d : deeds) all.insert(place(d));
    return {all.begin(), all.end()};
  }

  const symbols functions_;
  const source_lines lines_;
};

}  // namespace

void places::name(std::uint64_t address, std::uint64_t bytes, std::string text) {
  names_[address] = {bytes, std::move(text)};
}

std::string places::text(std::uint64_t address, std::uint64_t region) const {
  const auto after = names_.upper_bound(address);
  if (after != names_.begin()) {
    const auto& [begin, p] = *std::prev(after);
    if (address == begin) return p.name;
    if (address - begin < p.bytes) return fmt::format("{}+{:#x}", p.name, address - begin);
  }
  return fmt::format("region+{:#x}", address - region);
}

std::string to_text(const std::vector<deed>& deeds, const executable& guest, const places& names,
                    std::uint64_t region) {
  const code_names code(deeds, guest);
  std::string result;
  for (const deed& d : deeds) {
    const arm::instruction& i = d.at->what;
    std::string access;
    if (i.accesses_memory()) {
      access = names.text(d.address, region);
      if (d.reads) access += " = " + values_of(d.read, i.elements);
      if (d.foretold) access += " (foretold)";
      if (d.stale) access += " (not the latest)";
      if (d.writes) access += " := " + values_of(d.written, i.elements);
      if (d.earlier) access += " (before another store)";
      if (i.writes_memory() && !d.writes) access += " (no store)";
    }
    result += fmt::format("  thread {}  {:<20} {:<40} {}\n", d.thread, kind_of(i), access, code.name(d));
  }
  return result;
}

}  // namespace licit::qemu
