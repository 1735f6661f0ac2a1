// The same programs by both doors: over the checker's policy, and as they are. Compiled with LICIT_BY_POLICY the first
// argument is a program's name, the second the executable that has them as they are: it must say the same, of the
// program that the third argument names if there is one.
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <licit/checker/native.hpp>
#include <licit/checker/run.hpp>
#include <licit/deque/order.hpp>

#include "suites/chase_lev.hpp"
#include "suites/line.hpp"
#include "suites/program.hpp"

#ifndef LICIT_BY_POLICY
#include <optional>
#include <thread>
#include <vector>
#endif

namespace {

using licit::order;

template <class M>
struct store_buffering {
  static constexpr unsigned threads = 2;
  void thread(unsigned i) {
    cells[i].store(1);
    (void)cells[1 - i].load();
  }
  void finish() {}
  typename M::template atomic<int> cells[2];
};

template <class M>
struct independent_reads {
  static constexpr unsigned threads = 4;
  void thread(unsigned i) {
    if (i < 2) return cells[i].store(1, order::release);
    (void)cells[i - 2].load(order::acquire);
    (void)cells[3 - i].load(order::acquire);
  }
  void finish() {}
  typename M::template atomic<int> cells[2];
};

/// Weak: it may fail for no reason. Such an execution is blocked: the loop has gone round, and all is as it was.
template <class M, bool Weak>
struct counted_by_exchange {
  static constexpr unsigned threads = 3;
  void thread(unsigned /*i*/) {
    int seen = n.load(order::relaxed);
    while (!exchange(seen)) {
    }
    data.fetch_add(1, order::relaxed);
  }
  void finish() { M::check(n.load() == 3 && data.load() == 3, "each counts once"); }
  bool exchange(int& seen) {
    if constexpr (Weak) {
      return n.compare_exchange_weak(seen, seen + 1, order::acq_rel, order::relaxed);
    } else {
      return n.compare_exchange(seen, seen + 1, order::acq_rel, order::relaxed);
    }
  }
  typename M::template atomic<int> n{0};
  typename M::template atomic<int> data{0};
};
template <class M>
struct counted : counted_by_exchange<M, false> {};
template <class M>
struct counted_weakly : counted_by_exchange<M, true> {};

template <class M>
struct message {
  static constexpr unsigned threads = 3;
  void thread(unsigned i) {
    if (i == 0) {
      data.write(1);
      flag.store(1, order::release);
    } else if (flag.load(order::acquire) == 1) {
      M::check(data.read() == 1, "the message is there");
    }
  }
  void finish() {}
  typename M::template plain<int> data{0};
  typename M::template atomic<int> flag{0};
};

/// A fault by both doors.
template <class M>
struct unordered_message : message<M> {
  void thread(unsigned i) {
    if (i == 0) return message<M>::thread(i);
    if (this->flag.load(order::relaxed) == 1) M::check(this->data.read() == 1, "the message is there");
  }
};

/// For speed.py: many executions of little.
template <class M>
struct counted_by_four {
  static constexpr unsigned threads = 4;
  void thread(unsigned /*i*/) {
    for (auto& c : counters) c.fetch_add(1, order::relaxed);
  }
  void finish() {}
  typename M::template atomic<int> counters[3];
};

/// What a program of a line refers to.
template <template <class> class Client, class M>
struct parsed {
  explicit parsed(std::string_view text)
      : text{licit::suites::parse(text, licit::suites::vocabulary_of<Client<M>>())} {}
  licit::suites::line text;
};

/// A line of a suite's client, with its own class.
#define LICIT_LINE(NAME, THREADS, TEXT)                                           \
  template <class M>                                                              \
  struct NAME : parsed<licit::suites::chase_lev_client, M>,                       \
                licit::suites::line_program<licit::suites::chase_lev_client, M> { \
    static constexpr unsigned threads = THREADS;                                  \
    NAME() : NAME::parsed(TEXT), NAME::line_program(NAME::parsed::text) {}        \
  };
LICIT_LINE(deque_last, 2, "push | steal")
LICIT_LINE(deque_pop, 2, "push push pop | steal")
LICIT_LINE(deque_grows, 2, "capacity=1: push push pop pop | steal steal")
LICIT_LINE(deque_thieves, 3, "push push pop | steal | steal")

#ifdef LICIT_BY_POLICY

/// What the check of a program as it is has to say first.
template <template <class> class Program>
std::string said() {
  licit::checker::options o;
  o.leaks = false;
  const licit::checker::verdict v = licit::checker::run<Program>(o);
  if (v.outcome == licit::checker::outcome::violation) return std::string(name(v.kind)) + ": ";
  return "ok: " + std::to_string(v.executions) + " executions, " + std::to_string(v.blocked) + " blocked, exhaustive";
}

#else

template <template <class> class Program>
std::string said() {
  std::optional<Program<licit::checker::native>> p(std::in_place);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != Program<licit::checker::native>::threads; ++i) {
    threads.emplace_back([&p, i] { p->thread(i); });
  }
  for (std::thread& t : threads) t.join();
  p->finish();
  return "";
}

#endif

struct program {
  const char* name;
  std::string (*said)();
};
constexpr program programs[] = {
    {"store_buffering", &said<store_buffering>},
    {"independent_reads", &said<independent_reads>},
    {"counted", &said<counted>},
    {"counted_weakly", &said<counted_weakly>},
    {"message", &said<message>},
    {"unordered_message", &said<unordered_message>},
    {"deque_last", &said<deque_last>},
    {"deque_pop", &said<deque_pop>},
    {"deque_grows", &said<deque_grows>},
    {"deque_thieves", &said<deque_thieves>},
    {"counted_by_four", &said<counted_by_four>},
};

}  // namespace

int main(int argc, char** argv) {
  for (const program& p : programs) {
    if (argc < 2 || std::strcmp(p.name, argv[1]) != 0) continue;
    const std::string here = p.said();
    if (argc == 2) return 0;
    const std::string command = std::string(argv[2]) + " " + argv[argc == 3 ? 1 : 3];
    std::FILE* const other = popen(command.c_str(), "r");
    char text[512] = {};
    const bool same = other != nullptr && std::fgets(text, sizeof text, other) != nullptr &&
                      std::strncmp(text, here.c_str(), here.size()) == 0;
    if (other != nullptr) pclose(other);
    std::printf("by the policy: %s\nas it is:      %s", here.c_str(), text);
    return same ? 0 : 1;
  }
  return 3;
}
