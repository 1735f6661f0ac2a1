#include "core/estimator.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace licit::checker::detail {

namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// By bootstrap: what the mean of as many values, drawn from these with replacement, lies between in 95 of 100 cases.
std::pair<double, double> interval(std::span<const double> values, std::mt19937_64& random) {
  constexpr std::size_t rounds = 200;
  constexpr std::size_t most_draws = 1'000;  // more would take too long; the interval is then too wide
  const std::size_t draws = std::min(values.size(), most_draws);
  std::uniform_int_distribution<std::size_t> which(0, values.size() - 1);
  std::vector<double> means(rounds);
  for (double& m : means) {
    double sum = 0;
    for (std::size_t i = 0; i != draws; ++i) sum += values[which(random)];
    m = sum / static_cast<double>(draws);
  }
  std::ranges::sort(means);
  return {means[rounds / 40], means[rounds - 1 - rounds / 40]};
}

}  // namespace

estimator::estimator(release_sequences rule, symmetry equal, const sampling& how)
    : search{rule, std::move(equal)}, how_{how} {
  estimator::begin();
}

void estimator::begin() {
  random_.seed(how_.seed);
  start_ = time::now();
  runs_ = 0;
  executions_.clear();
  searched_.clear();
  begin_probe();
}

void estimator::begin_probe() {
  search::begin();
  waiting_.clear();
  weight_ = 1;
  found_ = all_ = 0;
}

/// Has what the current graph offers represented.
void estimator::collect() {
  for (const alternative& a : top().untried) {
    representative& one = waiting_[{a.level, a.size, static_cast<std::uint8_t>(a.how)}];
    one.weight += weight_;
    if (std::uniform_real_distribution<double>(0, one.weight)(random_) >= weight_) continue;
    one.events = top().events;
    one.events.truncate(a.size);
    one.next = a;
  }
  top().untried.clear();
}

/// The first that waits. False if no execution came of it: it has none, or alternatives only.
bool estimator::explore_one() {
  representative one = std::move(waiting_.extract(waiting_.begin()).mapped());
  search::begin();
  top().events = std::move(one.events);
  weight_ = one.weight;
  return resume(one.next);
}

bool estimator::next() {
  ++runs_;
  all_ += weight_;
  if (complete_) found_ += weight_;
  for (;;) {
    collect();
    if (waiting_.empty()) break;
    if (explore_one()) return true;
  }
  executions_.push_back(found_);
  searched_.push_back(all_);
  if (executions_.size() >= how_.executions || seconds() >= how_.seconds) return false;
  begin_probe();
  return true;
}

estimate estimator::result() const {
  estimate e;
  e.probes = executions_.size();
  if (executions_.empty()) return e;
  std::mt19937_64 random = random_;
  e.executions = mean(executions_);
  std::tie(e.least, e.most) = interval(executions_, random);
  e.seconds = mean(searched_) * seconds() / static_cast<double>(runs_);
  return e;
}

}  // namespace licit::checker::detail
