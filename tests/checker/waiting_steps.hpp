/// Programs that wait, as data, and the client that performs them: every access is seq_cst.
#ifndef LICIT_TESTS_CHECKER_WAITING_STEPS_HPP
#define LICIT_TESTS_CHECKER_WAITING_STEPS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <licit/checker/run.hpp>

#include "core/graph.hpp"

namespace licit::checker_test::waiting {

inline constexpr unsigned most_threads = 3;
inline constexpr unsigned most_operations = 4;
inline constexpr unsigned locations = 2;

enum class verb : std::uint8_t {
  load,
  store,
  add,
  wait,
  futex_wait,
  notify_one,
  notify_all,
  wake_one,
  await,
  lock,
  spin
};

struct step {
  verb what;
  unsigned at;
  int value;
};

/// `lock` locks for the step that follows it; `spin` reads in a loop, while the value is there.
using text = std::vector<std::vector<step>>;

inline std::string shown(const text& program) {
  constexpr std::array<const char*, 11> names{"load",       "store",    "add",   "wait", "futex_wait", "notify_one",
                                              "notify_all", "wake_one", "await", "lock", "spin"};
  std::string s;
  for (const auto& thread : program) {
    for (const step& i : thread) {
      s += std::string(names[static_cast<std::size_t>(i.what)]) + " x" + std::to_string(i.at) + " " +
           std::to_string(i.value) + "; ";
    }
    s += "\n";
  }
  return s;
}

/// What each thread read, a character an operation that is done.
using logs = std::array<std::string, most_threads>;

inline std::string outcome(const logs& l, const std::array<int, locations>& final_values) {
  std::string s;
  for (const std::string& log : l) s += log + "|";
  for (const int v : final_values) s += std::to_string(v);
  return s;
}

inline std::string digit(int value) { return std::string(1, static_cast<char>('0' + value)); }

struct client {
  static inline const text* program = nullptr;
  static inline logs done;
  using model = checker::model;

  client() { done = {}; }

  void thread(unsigned t) {
    bool locked = false;
    for (const step& i : (*program)[t]) {
      if (i.what == verb::lock) {
        m_.lock();
        locked = true;
        continue;
      }
      done[t] += perform(i);
      if (locked) m_.unlock();
      locked = false;
    }
  }
  void finish() {}

 private:
  std::string perform(const step& i) {
    using enum order;
    auto& x = x_[i.at];
    switch (i.what) {
      case verb::load: return digit(x.load(seq_cst));
      case verb::store: x.store(i.value, seq_cst); break;
      case verb::add: return digit(x.fetch_add(i.value, seq_cst));
      case verb::wait: x.wait(i.value, seq_cst); break;
      case verb::futex_wait:
        model::fence(seq_cst);  // the compare is relaxed: fences on both sides make it sequentially consistent
        x.futex_wait(i.value, seq_cst);
        return "f";
      case verb::notify_one: x.notify_one(); break;
      case verb::notify_all: x.notify_all(); break;
      case verb::wake_one: x.futex_wake_one(); break;
      case verb::await: return digit(x.await_change(i.value, seq_cst));
      case verb::spin: return digit(spun(i));
      case verb::lock: break;
    }
    return "-";
  }

  int spun(const step& i) {
    int seen = i.value;
    while ((seen = x_[i.at].load(order::seq_cst)) == i.value) {
    }
    return seen;
  }

  std::array<model::atomic<int>, locations> x_;
  model::mutex m_;
};

template <unsigned Threads>
struct client_of : client {
  static constexpr unsigned threads = Threads;
};

/// Who reads what, in the order of each location's modification: one text for one execution.
inline std::string canonical(const checker::detail::graph& g) {
  std::string s;
  for (unsigned t = 0; t != checker::max_threads; ++t) {
    for (const checker::detail::event_id id : g.thread(t)) {
      const checker::detail::event& e = g[id];
      s += std::to_string(static_cast<unsigned>(e.op.what)) + "." + std::to_string(e.choice);
      if (e.source != checker::detail::initial) {
        s += "<" + std::to_string(g[e.source].thread()) + "." + std::to_string(g[e.source].index);
      }
      s += " ";
    }
    s += "|";
  }
  for (std::size_t l = 0; l != g.locations(); ++l) {
    auto w = g.first_write(static_cast<checker::detail::location_id>(l));
    for (; w != checker::detail::initial; w = g[w].after) {
      s += std::to_string(g[w].thread()) + "." + std::to_string(g[w].index) + " ";
    }
    s += "|";
  }
  return s;
}

inline std::vector<step> random_thread(std::mt19937& random, unsigned length, unsigned verbs) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<step> thread;
  bool locked = false;
  for (unsigned n = 0; n != length; ++n) {
    step i{static_cast<verb>(below(verbs)), below(4) == 0 ? 1U : 0U, static_cast<int>(below(2))};
    if (i.what == verb::store || i.what == verb::add) i.value = static_cast<int>(1 + below(2));
    if (locked && i.what == verb::lock) i.what = verb::load;
    locked = i.what == verb::lock;
    thread.push_back(i);
  }
  if (locked) thread.push_back({verb::load, 0, 0});
  return thread;
}

}  // namespace licit::checker_test::waiting

#endif
