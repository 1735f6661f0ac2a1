// What a symbolic run records.
#include "proof/symbolic.hpp"

namespace licit::proof {

recorder& recorder::running() {
  static thread_local recorder one;
  return one;
}

void recorder::begin(bool owner, std::vector<bool> decisions) {
  owner_ = owner;
  making_ = false;
  decisions_ = std::move(decisions);
  decided_ = step_ = 0;
  events_.clear();
  written_.clear();
  entry_.clear();
  entries_ = 0;
}

void recorder::name_cells(std::vector<std::string> atomics, std::vector<std::string> plains) {
  begin(true, {});
  making_ = true;
  atomics_ = std::move(atomics);
  plains_ = std::move(plains);
  next_atomic_ = next_plain_ = 0;
}

std::string recorder::next_atomic() { return atomics_.at(next_atomic_++); }
std::string recorder::next_plain() { return plains_.at(next_plain_++); }

bool recorder::decide(const std::string& condition) {
  if (decided_ == decisions_.size()) decisions_.push_back(true);
  const bool taken = decisions_[decided_++];
  if (!condition.empty()) {
    events_.push_back({.kind = event::what::decision, .term = taken ? condition : "(not " + condition + ")"});
  }
  return taken;
}

void recorder::oblige(const std::string& name, const std::string& condition) {
  events_.push_back({.kind = event::what::obligation, .name = name, .term = condition});
}

std::string recorder::result(const std::string& site) const {
  return site + "~" + std::to_string(events_.size()) + "." + std::to_string(step_);
}

void recorder::visit(std::string_view site) {
  if (entry_.empty()) entry_ = site;
  if (site != entry_) return;
  if (++entries_ == 1) return;
  events_.push_back({.kind = event::what::again});
  ++step_;
  written_.clear();
  if (entries_ == 3) throw endless{};
}

std::string recorder::load(std::string_view site, const checker::live_row& row, const std::string& place,
                           const std::string& index) {
  visit(site);
  const bool own = owner_ && place != "top";
  if (!own) {
    ++step_;
    written_.clear();
  }
  std::string name = result(std::string(site));
  events_.push_back({.kind = own ? event::what::own_read : event::what::operation,
                     .name = std::string(site),
                     .place = place,
                     .index = index,
                     .how = operation::load,
                     .success = row.success});
  return name;
}

void recorder::store(std::string_view site, const checker::live_row& row, const std::string& place,
                     const std::string& index, const std::string& value) {
  if (row.dropped || making_) return;
  visit(site);
  ++step_;
  written_.clear();
  events_.push_back({.kind = event::what::operation,
                     .name = std::string(site),
                     .term = value,
                     .place = place,
                     .index = index,
                     .how = operation::store,
                     .success = row.success});
}

bool recorder::compare_exchange(std::string_view site, const checker::live_row& row, const std::string& place,
                                std::string& expected, const std::string& desired) {
  visit(site);
  ++step_;
  written_.clear();
  const bool won = row.blind || decide("");
  std::string name = result(std::string(site));
  events_.push_back({.kind = event::what::operation,
                     .name = std::string(site),
                     .term = desired,
                     .place = place,
                     .index = expected,
                     .how = operation::compare_exchange,
                     .success = won ? row.success : row.failure,
                     .won = won,
                     .blind = row.blind});
  if (!won) expected = name;
  return won;
}

void recorder::fence(std::string_view site, const checker::live_row& row, operation kind) {
  if (row.dropped || row.success == order::relaxed) return;
  if (row.symmetric && kind == operation::light_fence) return;
  if (row.symmetric && kind == operation::heavy_fence) kind = operation::fence;
  visit(site);
  ++step_;
  written_.clear();
  events_.push_back({.kind = event::what::operation, .name = std::string(site), .how = kind, .success = row.success});
}

void recorder::write(const std::string& variable, const std::string& value) {
  events_.push_back({.kind = event::what::write, .name = variable, .term = value});
  written_[variable] = value;
}

std::string recorder::read(const std::string& variable) {
  const auto found = written_.find(variable);
  return found != written_.end() ? found->second : variable + "~p." + std::to_string(step_);
}

}  // namespace licit::proof
