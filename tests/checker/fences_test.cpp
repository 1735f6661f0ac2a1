/// Which pairs of fences order what: message passing and store buffering, with every means on either side.
#include <ostream>
#include <string_view>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::model;
using checker::outcome;
using checker::violation;
using enum order;

/// What stands between a thread's two accesses, or makes the second one strong.
enum class means { nothing, light, heavy, acq_rel_fence, sc_fence, access };

void put(means m) {
  switch (m) {
    case means::light: model::light_fence(); break;
    case means::heavy: model::heavy_fence(); break;
    case means::acq_rel_fence: model::fence(acq_rel); break;
    case means::sc_fence: model::fence(seq_cst); break;
    case means::nothing:
    case means::access: break;
  }
}

std::string_view name(means m) {
  switch (m) {
    case means::nothing: return "nothing";
    case means::light: return "light";
    case means::heavy: return "heavy";
    case means::acq_rel_fence: return "acq_rel fence";
    case means::sc_fence: return "seq_cst fence";
    case means::access: return "access";
  }
  return "";
}

/// Data and a flag: the access is a release store or an acquire load.
template <means Release, means Acquire>
struct message {
  static constexpr unsigned threads = 2;
  model::plain<int> data;
  model::atomic<int> flag;
  void thread(unsigned i) {
    if (i == 0) {
      data.write(42);
      put(Release);
      flag.store(1, Release == means::access ? release : relaxed);
    } else if (flag.load(Acquire == means::access ? acquire : relaxed) == 1) {
      put(Acquire);
      model::check(data.read() == 42, "the message has arrived");
    }
  }
  void finish() {}
};

/// Each of two threads writes and then reads what the other wrote: both may miss it, or one must see it. The accesses
/// are then seq_cst.
template <means Left, means Right>
struct buffering {
  static constexpr unsigned threads = 2;
  model::atomic<int> x;
  model::atomic<int> y;
  int seen[2] = {0, 0};
  void thread(unsigned i) {
    const order o = (i == 0 ? Left : Right) == means::access ? seq_cst : relaxed;
    (i == 0 ? x : y).store(1, o);
    put(i == 0 ? Left : Right);
    seen[i] = (i == 0 ? y : x).load(o);
  }
  void finish() { model::check(seen[0] + seen[1] != 0, "one of them sees the other"); }
};

enum class found { right, race, assertion };
std::ostream& operator<<(std::ostream& out, found f) {
  return out << (f == found::right ? "right" : f == found::race ? "race" : "assertion");
}

template <class Program>
found of() {
  const auto v = checker::run_program<Program>();
  if (v.outcome == outcome::ok) return found::right;
  EXPECT_TRUE(v.kind == violation::race || v.kind == violation::assertion) << v.message;
  return v.kind == violation::race ? found::race : found::assertion;
}

template <means Release, means Acquire>
void pass(found expected) {
  EXPECT_EQ((of<message<Release, Acquire>>()), expected) << name(Release) << " to " << name(Acquire);
}

TEST(message_passing, by_a_light_fence_needs_a_heavy_one) {
  pass<means::light, means::access>(found::race);
  pass<means::light, means::acq_rel_fence>(found::race);
  pass<means::light, means::sc_fence>(found::race);
  pass<means::light, means::light>(found::race);
  pass<means::light, means::nothing>(found::race);
  pass<means::light, means::heavy>(found::right);
}

TEST(message_passing, to_a_light_fence_needs_a_heavy_one) {
  pass<means::access, means::light>(found::race);
  pass<means::acq_rel_fence, means::light>(found::race);
  pass<means::sc_fence, means::light>(found::race);
  pass<means::nothing, means::light>(found::race);
  pass<means::heavy, means::light>(found::right);
}

TEST(message_passing, by_a_heavy_fence_is_as_by_a_seq_cst_one) {
  pass<means::heavy, means::access>(found::right);
  pass<means::heavy, means::acq_rel_fence>(found::right);
  pass<means::heavy, means::heavy>(found::right);
  pass<means::heavy, means::nothing>(found::race);
  pass<means::access, means::heavy>(found::right);
  pass<means::acq_rel_fence, means::heavy>(found::right);
  pass<means::nothing, means::heavy>(found::race);
}

template <means Left, means Right>
void buffer(found expected) {
  EXPECT_EQ((of<buffering<Left, Right>>()), expected) << name(Left) << " and " << name(Right);
  EXPECT_EQ((of<buffering<Right, Left>>()), expected) << name(Right) << " and " << name(Left);
}

TEST(store_buffering, needs_a_heavy_fence_on_one_side_at_least) {
  buffer<means::light, means::light>(found::assertion);
  buffer<means::light, means::sc_fence>(found::assertion);
  buffer<means::light, means::access>(found::assertion);
  buffer<means::light, means::nothing>(found::assertion);
  buffer<means::light, means::heavy>(found::right);
}

TEST(store_buffering, takes_a_heavy_fence_for_a_seq_cst_one) {
  buffer<means::heavy, means::heavy>(found::right);
  buffer<means::heavy, means::sc_fence>(found::right);
  buffer<means::heavy, means::access>(found::right);
  buffer<means::heavy, means::acq_rel_fence>(found::assertion);
  buffer<means::heavy, means::nothing>(found::assertion);
}

/// RC11 orders seq_cst accesses by happens-before that leads away from the location and back: from x to y, and in the
/// second thread from the update to the fence and back to y. If it does, the three threads cannot miss one another.
template <means Between>
struct elsewhere {
  static constexpr unsigned threads = 3;
  model::atomic<int> x;
  model::atomic<int> y;
  int updated = 0;
  int again = 0;
  int seen = 0;
  void thread(unsigned i) {
    if (i == 0) {
      x.store(1, seq_cst);
      y.store(1, release);
    } else if (i == 1) {
      updated = y.fetch_add(1, seq_cst);
      put(Between);
      again = y.load(seq_cst);
    } else {
      y.store(5, seq_cst);
      seen = x.load(seq_cst);
    }
  }
  void finish() {
    model::check(updated != 1 || again != 2 || y.load(relaxed) != 5 || seen == 1, "they cannot miss one another");
  }
};

TEST(elsewhere, is_a_fence_of_the_model_but_no_light_one) {
  EXPECT_EQ(of<elsewhere<means::nothing>>(), found::assertion);
  EXPECT_EQ(of<elsewhere<means::light>>(), found::assertion);
  EXPECT_EQ(of<elsewhere<means::acq_rel_fence>>(), found::right);
  EXPECT_EQ(of<elsewhere<means::heavy>>(), found::right);
}

}  // namespace
}  // namespace licit::checker_test
