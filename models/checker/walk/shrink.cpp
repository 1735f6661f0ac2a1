#include <utility>

#include <licit/checker/shrink.hpp>

namespace licit::checker {

namespace {

bool same(const verdict& a, const verdict& b) {
  if (a.outcome != outcome::violation || b.outcome != outcome::violation || a.kind != b.kind) return false;
  return a.kind != violation::assertion || a.message == b.message;
}

bool waits(violation v) { return v == violation::deadlock || v == violation::lost_wakeup || v == violation::endless; }

/// Nothing after what was begun.
left_out only(left_out without, const std::vector<call>& begun) {
  without.end.fill(0);
  for (const call& c : begun) without.end[c.thread] = std::max(without.end[c.thread], c.number + 1);
  return without;
}

class shrinking {
 public:
  shrinking(const explorer& run, options o, std::uint64_t executions) : run_{run}, options_{std::move(o)} {
    options_.max_executions = executions;
    options_.observe = options_.observe_blocked = {};
    options_.where = {};
  }

  /// Whether the client is still wrong so: then that is the verdict.
  bool holds(const left_out& without, verdict& wrong) {
    options_.without = without;
    verdict v = run_(options_);
    if (!same(v, wrong) || (waits(v.kind) && !some_end())) return false;
    wrong = std::move(v);
    return true;
  }

  /// Leaves out the last one that can be. False if there is none.
  bool step(left_out& without, verdict& wrong) {
    for (std::size_t i = wrong.calls.size(); i-- != 0;) {
      left_out less = only(without, wrong.calls);
      less.calls.push_back({wrong.calls[i].thread, wrong.calls[i].number});
      if (!holds(less, wrong)) continue;
      without = std::move(less);
      return true;
    }
    return false;
  }

 private:
  /// If all executions wait for ever, they may wait for what was left out.
  [[nodiscard]] bool some_end() const {
    options all = options_;
    all.deadlocks = false;
    return run_(all).executions != 0;
  }

  const explorer& run_;
  options options_;
};

}  // namespace

std::string text(const std::vector<call>& calls, unsigned threads) {
  std::string all;
  for (unsigned t = 0; t != threads; ++t) {
    std::string names;
    for (const call& c : calls) {
      if (c.thread == t) names += (names.empty() ? " " : ", ") + c.name;
    }
    all += (t == 0 ? "thread " : "; thread ") + std::to_string(t) + ":" + (names.empty() ? " nothing" : names);
  }
  return all;
}

std::optional<verdict> shrink(const explorer& run, const options& o, const verdict& wrong, std::uint64_t executions) {
  if (wrong.outcome != outcome::violation || wrong.calls.empty()) return std::nullopt;
  shrinking s(run, o, executions);
  verdict smallest = wrong;
  left_out without = o.without;
  while (s.step(without, smallest)) {
  }
  if (!s.holds(only(without, smallest.calls), smallest)) return std::nullopt;  // so far only in a limit's absence
  smallest.client = text(smallest.calls, smallest.picture.threads);
  return smallest;
}

}  // namespace licit::checker
