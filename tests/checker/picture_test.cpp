/// What a violation looks like: the events that offend and what they have behind them, as text and as a drawing.
#include "show/picture.hpp"

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <licit/checker/drawing.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::execution;
using checker::model;
using checker::run_program;
using checker::violation;
using enum order;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Data and a flag, and a third thread that has nothing to do with them.
template <order Publish, bool Check = false>
struct message {
  static constexpr unsigned threads = 3;
  model::plain<int> data{-1, "data"};
  model::atomic<int> flag{0, "flag"}, other{0, "other"};
  void thread(unsigned i) {
    if (i == 0) return other.store(1, relaxed, "elsewhere");
    if (i == 1) {
      data.write(-7);
      flag.store(1, Publish, "publish");
    } else if (flag.load(acquire, "look") == 1) {
      const int got = data.read();
      if constexpr (Check) model::check(got == 8, "eight");
    }
  }
  void finish() {}
};

TEST(text, of_a_race_has_both_accesses_and_no_other_thread) {
  EXPECT_EQ((run_program<message<relaxed>>().trace),
            " thread 1                       thread 2\n"
            "!1.0          W data -7 plain\n"
            " 1.1  publish W flag 1\n"
            "                                2.0  look R flag 1 acq <- 1.1\n"
            "                               !2.1       R data plain\n"
            " not shown: 1 on which it does not depend\n");
}

TEST(text, has_what_a_plain_read_got_and_from_whom) {
  EXPECT_EQ((run_program<message<release, true>>().trace),
            " thread 1                       thread 2\n"
            " 1.0          W data -7 plain\n"
            " 1.1  publish W flag 1 rel\n"
            "                                2.0  look R flag 1 acq <- 1.1 hb\n"
            "                               !2.1       R data -7 plain <- 1.0 hb\n"
            " not shown: 1 on which it does not depend\n");
}

TEST(text, tells_the_race_as_an_edge) {
  const auto e = run_program<message<relaxed>>().picture;
  unsigned races = 0;
  for (const execution::edge& a : e.edges) {
    if (a.what != execution::relation::race) continue;
    ++races;
    EXPECT_EQ(reference(e, a.from), "1.0");
    EXPECT_EQ(reference(e, a.to), "2.1");
  }
  EXPECT_EQ(races, 1U);
  EXPECT_EQ(e.kind, "data race");
}

/// Store buffering: no interleaving has it. With stores only, one has.
template <order Order>
struct buffering {
  static constexpr unsigned threads = 2;
  model::atomic<int> x{0, "x"}, y{0, "y"};
  std::array<int, 2> seen{1, 1};
  void thread(unsigned i) {
    (i == 0 ? x : y).store(1, Order);
    seen[i] = (i == 0 ? y : x).load(Order);
  }
  void finish() { model::check(seen[0] + seen[1] != (Order == seq_cst ? 1 : 0), "not so"); }
};

TEST(text, of_what_no_interleaving_has_says_why) {
  EXPECT_EQ(run_program<buffering<relaxed>>().trace,
            " thread 0             thread 1\n"
            " 0.0  W x 1\n"
            " 0.1  R y 0 <- init\n"
            "                      1.0  W y 1\n"
            "                      1.1  R x 0 <- init old\n"
            " in no interleaving: 0.1 fr 1.0 po 1.1 fr 0.0 po 0.1\n");
}

TEST(text, of_what_an_interleaving_has_is_in_its_order) {
  const auto v = run_program<buffering<seq_cst>>();
  EXPECT_EQ(v.kind, violation::assertion);
  EXPECT_TRUE(v.picture.cycle.empty());
  EXPECT_FALSE(contains(v.trace, "old")) << v.trace;
  EXPECT_FALSE(contains(v.trace, "in no interleaving")) << v.trace;
}

/// A weak exchange that fails, an update, and pointers to what threads and the main thread made.
struct values {
  static constexpr unsigned threads = 1;
  struct node {
    model::atomic<int> first, second;
  };
  model::atomic<node*> head{nullptr, "head"};
  std::array<model::atomic<signed char>, 2> cells;
  model::atomic<bool> ready;
  node* mine = nullptr;
  values() {
    model::name(cells, "cell");
    model::name(ready, "ready");
  }
  void thread(unsigned) {
    cells[1].fetch_sub(3, acq_rel, "down");
    mine = ::new (model::memory()->allocate(sizeof(node), alignof(node))) node;
    head.store(mine, release);
    mine->second.store(4, relaxed);
    node* none = nullptr;
    head.compare_exchange(none, nullptr, seq_cst, acquire);
    ready.exchange(true, relaxed);
    model::check(false, "never");
  }
  void finish() {}
};

TEST(text, has_names_and_values_by_type) {
  EXPECT_EQ(run_program<values>().trace,
            " thread 0\n"
            " 0.0  down U cell[1] 0 to -3 acq_rel <- init\n"
            " 0.1       allocate B0.0\n"
            " 0.2       W head &B0.0 rel\n"
            " 0.3       W atomic 0.1 4\n"
            " 0.4       R head &B0.0 acq fails <- 0.2\n"
            "!0.5       U ready 0 to 1 <- init\n"
            " not shown: 2 guesses and uses of one thread's own plain cells\n");
}

TEST(text, is_the_same_each_time) { EXPECT_EQ(run_program<values>().trace, run_program<values>().trace); }

/// Both wait for the other.
struct stuck {
  static constexpr unsigned threads = 2;
  model::atomic<int> x{0, "x"}, y{0, "y"};
  void thread(unsigned i) {
    (i == 0 ? x : y).await([](int v) { return v == 1; }, acquire);
    (i == 0 ? y : x).store(1, release);
  }
  void finish() {}
};

TEST(text, of_a_deadlock_has_every_read_that_waits) {
  EXPECT_EQ(run_program<stuck>().trace,
            " thread 0                       thread 1\n"
            "!0.0  R x 0 acq waits <- init\n"
            "                               !1.0  R y 0 acq waits <- init\n");
}

/// One frees what the other goes on using.
struct freed {
  static constexpr unsigned threads = 2;
  model::atomic<int*> shared{nullptr, "shared"};
  model::atomic<int>* mine = nullptr;
  freed() { mine = ::new (model::memory()->allocate(8, 8)) model::atomic<int>(0, "mine"); }
  void thread(unsigned i) {
    if (i == 0) {
      mine->~atomic();
      model::memory()->deallocate(mine, 8, 8);
      shared.store(nullptr, release, "gone");
    } else if (shared.load(acquire, "look") == nullptr) {
      mine->store(2, relaxed, "late");
    }
  }
  void finish() {}
};

TEST(text, of_a_use_after_free_has_the_end_and_the_use) {
  const auto v = run_program<freed>();
  EXPECT_EQ(v.kind, violation::use_after_free) << v.message;
  EXPECT_TRUE(contains(v.trace, "!0.0       destroy B0.mine")) << v.trace;
  EXPECT_TRUE(contains(v.trace, "!0.1       free B0")) << v.trace;
  EXPECT_TRUE(contains(v.trace, "late W B0.mine 2")) << v.trace;
}

/// Synchronisation by fences: the edge is between them.
struct fenced {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag{0, "flag"};
  void thread(unsigned i) {
    if (i == 0) {
      model::fence(release);
      flag.store(1, relaxed);
    } else if (flag.load(relaxed) == 1) {
      model::fence(acquire);
      model::check(false, "never");
    }
  }
  void finish() {}
};

TEST(edges, of_happens_before_are_where_it_comes_from) {
  const auto e = run_program<fenced>().picture;
  std::string found;
  for (const execution::edge& a : e.edges) {
    if (a.what == execution::relation::po) continue;
    found += std::string(name(a.what)) + " " + reference(e, a.from) + " " + reference(e, a.to) +
             (a.ordered ? " hb; " : "; ");
  }
  EXPECT_EQ(found, "rf 0.1 1.0; hb 0.0 1.1 hb; ");
}

/// Two ways round: store buffering, and a longer one by a third thread.
TEST(edges, of_the_cycle_are_the_fewest_between_threads) {
  using enum execution::relation;
  execution e;
  e.threads = 3;
  for (const unsigned thread : {0U, 0U, 1U, 1U, 2U}) e.steps.push_back({.thread = thread});
  for (const auto& [what, from, to] :
       {std::tuple{po, 0U, 1U}, {po, 2U, 3U}, {fr, 1U, 2U}, {fr, 3U, 0U}, {fr, 3U, 4U}, {fr, 4U, 0U}}) {
    e.edges.push_back({.what = what, .from = from, .to = to});
  }
  EXPECT_EQ(checker::detail::shortest_cycle(e), (std::vector<std::size_t>{2, 1, 3, 0}));
}

TEST(drawing, is_a_graph_that_graphviz_reads) {
  const auto e = run_program<message<relaxed>>().picture;
  const std::string graph = dot(e);
  EXPECT_TRUE(contains(graph, "label=\"1.1 publish\\nW flag 1\"")) << graph;
  EXPECT_TRUE(contains(graph, "label=\"race\"")) << graph;
  const std::string svg = checker::svg(e);
  EXPECT_TRUE(contains(svg, "<svg")) << svg;
  for (const char* part :
       {"1.1 publish", "2.0 look", "R data plain", ">race<", ">rf<", "#c0182b", "data race: thread 2"}) {
    EXPECT_TRUE(contains(svg, part)) << part << "\n" << svg;
  }
  EXPECT_EQ(checker::drawn(e, "png").substr(1, 3), "PNG");
}

TEST(drawing, marks_the_cycle) {
  const std::string graph = dot(run_program<buffering<relaxed>>().picture);
  EXPECT_TRUE(contains(graph, "headlabel=\"fr\"")) << graph;
  EXPECT_TRUE(contains(graph, "in no interleaving: 0.1 fr 1.0 po 1.1 fr 0.0 po 0.1")) << graph;
}

/// What users write may have quotes in it.
struct quoting {
  static constexpr unsigned threads = 1;
  model::atomic<int> x{0, "a\\\"b"};
  void thread(unsigned) {
    x.store(1, relaxed, "\"site\"");
    model::check(false, "say \"no\" \\ <br>");
  }
  void finish() {}
};
TEST(drawing, quotes) {
  const std::string svg = checker::svg(run_program<quoting>().picture);
  EXPECT_TRUE(contains(svg, "say &quot;no&quot;")) << svg;
  EXPECT_TRUE(contains(svg, "a\\&quot;b")) << svg;
}

std::string error_of(const std::string& format) {
  try {
    (void)checker::drawn(run_program<message<relaxed>>().picture, format);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(drawing, needs_graphviz_and_says_so) {
  EXPECT_EQ(error_of("nonsense"), "Graphviz's `dot -Tnonsense` failed (`dot -T?` lists its formats)");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  EXPECT_EQ(error_of("svg"), "a drawing needs Graphviz's `dot` (Debian: graphviz)");
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace licit::checker_test
