// Runs programs under strategies on a simulated machine, and writes a table of tab-separated columns.
//   licit_simulation bench/simulation/costs.txt [program=NAME] [strategy=NAME] [processors=1,2,4] [seed=1] [small]
//                    [lines=FACTOR] [barriers=together] [fault=lost-wakes]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiment.hpp"

namespace {

using namespace licit_simulation;

struct options {
  std::string costs, program, strategy, fault;
  std::vector<std::size_t> processors{1, 4, 16, 64, 256, 1024};
  std::uint64_t seed = 1;
  double lines = 1;
  bool small = false;
  bool together = false;
};

std::vector<std::size_t> numbers(const std::string& text) {
  std::vector<std::size_t> all;
  std::istringstream from(text);
  for (std::string one; std::getline(from, one, ',');) all.push_back(std::stoul(one));
  return all;
}

options read(int argc, char** argv) {
  options all;
  for (int i = 1; i != argc; ++i) {
    const std::string word = argv[i];
    const auto at = word.find('=');
    const std::string name = word.substr(0, at);
    const std::string value = at == std::string::npos ? "" : word.substr(at + 1);
    if (word == "small") {
      all.small = true;
    } else if (word == "barriers=together") {
      all.together = true;
    } else if (name == "program") {
      all.program = value;
    } else if (name == "strategy") {
      all.strategy = value;
    } else if (name == "processors") {
      all.processors = numbers(value);
    } else if (name == "seed") {
      all.seed = std::stoull(value);
    } else if (name == "lines") {
      all.lines = std::stod(value);
    } else if (name == "fault") {
      all.fault = value;
    } else if (at == std::string::npos && all.costs.empty()) {
      all.costs = word;
    } else {
      throw std::runtime_error("unknown: " + word);
    }
  }
  if (all.costs.empty()) throw std::runtime_error("which file of costs?");
  if (!all.fault.empty() && all.fault != "lost-wakes") throw std::runtime_error("unknown fault: " + all.fault);
  return all;
}

/// Lines that are so many times as far.
costs farther(costs prices, double factor) {
  for (picoseconds* each :
       {&prices.read_dirty, &prices.read_clean, &prices.write_dirty, &prices.write_shared, &prices.steal}) {
    *each = static_cast<picoseconds>(static_cast<double>(*each) * factor);
  }
  return prices;
}

void print(const program& p, const strategy& how, std::size_t workers, const shape& s, const outcome& o) {
  const auto ns = [](picoseconds time) { return static_cast<unsigned long long>(time / 1000); };
  // Of the requests that ended last, half: the first ones wait for workers that wake up.
  std::vector<picoseconds> sorted(o.latencies.begin() + static_cast<std::ptrdiff_t>(o.latencies.size() / 2),
                                  o.latencies.end());
  std::sort(sorted.begin(), sorted.end());
  const auto quantile = [&](double q) {
    return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
  };
  std::printf("%s\t%s\t%zu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu", p.name.c_str(), how.name, workers, ns(o.time),
              ns(s.work), ns(s.span), ns(s.burdened), static_cast<unsigned long long>(s.in_forks),
              static_cast<unsigned long long>(s.parts));
  const tally& t = o.all;
  for (const std::uint64_t each : {t.polls, t.steals, t.slots, t.stolen, t.tried - std::min(t.tried, t.steals),
                                   t.sleeps, o.wakes, t.overflows, o.accesses, o.misses}) {
    std::printf("\t%llu", static_cast<unsigned long long>(each));
  }
  for (const picoseconds each : {o.asleep, t.busy, quantile(0.5), quantile(0.99), o.half_began}) {
    std::printf("\t%llu", ns(each));
  }
  for (const activity each : {activity::running, activity::waiting, activity::searching}) {
    std::printf("\t%llu", ns(o.spent[each]));
  }
  for (const expense each : {expense::cache, expense::lines, expense::queueing, expense::pauses, expense::wakes}) {
    std::printf("\t%llu", ns(o.spent[each]));
  }
  std::printf("\t%llu\n", ns(o.spent[expense::barriers]));
  std::fflush(stdout);
}

int simulate(const options& asked) {
  std::ifstream file(asked.costs);
  if (!file) throw std::runtime_error("cannot read " + asked.costs);
  const costs prices = farther(costs::read(file), asked.lines);
  const faults planted{.loses_wakes = asked.fault == "lost-wakes", .together = asked.together};
  std::puts(
      "program\tstrategy\tprocessors\ttime\twork\tspan\tburdened\tforks\tparts\tpolls\tsteals\tslots\tstolen\tfailed"
      "\tsleeps\twakes\toverflows\taccesses\tmisses\tasleep\tbusy\tmedian\tp99\thalf\trunning\twaiting\tsearching"
      "\tcache\tlines\tqueueing\tpauses\twaking\tbarriers");
  for (const program& each : programs(asked.small)) {
    if (!asked.program.empty() && each.name != asked.program) continue;
    const shape s = shape_of(each, each.root, prices);
    for (const strategy& how : strategies) {
      if (!asked.strategy.empty() && asked.strategy != how.name) continue;
      if (each.name == "service" && (how.how == way::joins || how.how == way::split)) continue;
      for (const std::size_t workers : asked.processors) {
        const setting here{.workers = workers,
                           .seed = asked.seed,
                           .prices = prices,
                           .own_cost = own_cost_of_task(prices),
                           .planted = planted};
        print(each, how, workers, s, run(each, how, here));
      }
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return simulate(read(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "licit_simulation: %s\n", error.what());
    return 1;
  }
}
