#include "machine/matrix/stress_results.hpp"

#include <fmt/core.h>
#include <map>
#include <stdexcept>
#include <vector>

#include <nlohmann/json.hpp>

#include "machine/matrix/median.hpp"

namespace licit::matrix {

namespace {

using nlohmann::json;

/// Of one seed.
struct tally {
  std::uint64_t executions = 0;
  bool caught = false;
};

class adder {
 public:
  void add(const json& result) {
    cell_.seconds += result.at("seconds").get<double>();
    tally& t = seeds_[result.at("seed").get<std::uint64_t>()];
    if (t.caught) return;
    t.executions += result.at("executions").get<std::uint64_t>();
    t.caught = result.at("caught").get<bool>();
    if (!t.caught || !cell_.program.empty()) return;
    cell_.program = result.at("program").get<std::string>();
    cell_.what = result.at("what").get<std::string>();
  }

  cell sum() {
    std::vector<std::uint64_t> until;
    for (const auto& [seed, t] : seeds_) {
      if (t.caught) until.push_back(t.executions);
      cell_.executions += t.executions;
    }
    cell_.seeds = static_cast<unsigned>(seeds_.size());
    cell_.caught_by = static_cast<unsigned>(until.size());
    cell_.found = until.empty() ? finding::not_caught : finding::caught;
    if (!until.empty()) cell_.executions = median(until);
    return cell_;
  }

 private:
  std::map<std::uint64_t, tally> seeds_;
  cell cell_;
};

cell read(const json& all, std::string_view structure, std::string_view row) {
  adder sum;
  bool any = false;
  for (const json& result : all.at("results")) {
    if (result.at("structure") != structure || result.at("row") != row) continue;
    if (const auto reason = result.find("cannot_run"); reason != result.end()) return not_run(*reason);
    any = true;
    sum.add(result);
  }
  return any ? sum.sum() : not_run("the stress executable does not have this row");
}

}  // namespace

cell read_stress(const std::string& text, std::string_view structure, std::string_view row, const std::string& where) {
  try {
    return read(json::parse(text), structure, row);
  } catch (const json::exception& e) {
    throw std::runtime_error(fmt::format("{}: {}", where, e.what()));
  }
}

std::string read_machine(const std::string& text) {
  const json all = json::parse(text, nullptr, false);
  const auto machine = all.is_object() ? all.find("machine") : all.end();
  return machine != all.end() && machine->is_string() ? machine->get<std::string>() : "";
}

}  // namespace licit::matrix
