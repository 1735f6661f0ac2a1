/// What goes with the tables of several structures: mutants for their rows, and what their sites stand for.
#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/audit/audit.hpp>

#include <gtest/gtest.h>

#include "core/graph.hpp"
#include "suites/chase_lev.hpp"
#include "suites/chase_lev_asymmetric.hpp"
#include "suites/run_queue.hpp"
#include "suites/split.hpp"
#include "suites/structure.hpp"
#include "suites/tagged.hpp"
#include "suites/tagged_asymmetric.hpp"

namespace licit::suites {
namespace {

// Structures whose mutants weaken each row of their table by itself: no row that orders anything goes without.
class WeakenedRows : public testing::TestWithParam<std::string_view> {
 protected:
  /// How many mutants weaken the site to the order.
  [[nodiscard]] auto weakened(std::string_view site, order to) const {
    return std::ranges::count_if(s.mutants, [&](const mutant& m) {
      return m.what.site == site && m.what.how == change::weaken && m.what.success == to;
    });
  }

  const structure& s = *std::ranges::find(structures(), GetParam(), &structure::name);
};

TEST_P(WeakenedRows, AreAllThatAreNotRelaxed) {
  for (const row& r : s.audited.rows) {
    const bool ordered = r.success != order::relaxed || r.failure != order::relaxed;
    EXPECT_EQ(weakened(r.site, order::relaxed), ordered ? 1 : 0) << r.site;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WeakenedRows, testing::Values("task-state", "task-registry", "inject-queue"),
                         [](const auto& info) {
                           std::string name(info.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Every structure says which of its sites stand for ghosts, and a suite that forgets it is refused.
inline constexpr table forgotten_orders{"forgotten", {rows::store("store", order::relaxed, {}, "nothing hangs on it")}};

struct forgotten_suite {
  static constexpr const auto& orders = forgotten_orders;
  static constexpr std::array<mutant, 0> mutants{};
  template <class List>
  static void programs(List& /*to*/) {}
};

TEST(site_rules, are_stated_by_every_structure) { EXPECT_NO_THROW((void)structures()); }
TEST(site_rules, are_missed) { EXPECT_THROW((void)structure_of<forgotten_suite>(), std::logic_error); }

// The audit can say no: clients that do too little leave an order of their table unneeded.

TEST(SplitAudit, ClientsThatDoTooLittleLeaveAnOrderUnneeded) {
  const structure s = structure_of<split_suite>();
  audit::subject little = s.audited;
  std::erase_if(little.programs, [](const auto& p) { return p.name != "overwrite"; });
  ASSERT_EQ(little.programs.size(), 1U);
  const audit::report r = audit::audit(little);
  unsigned found = 0;
  for (const audit::audited_row& row : r.rows) {
    if (row.entry.site != "renumber.word" && row.entry.site != "size.word") continue;
    EXPECT_EQ(row.verdict, audit::need::not_needed) << row.entry.site;
    ++found;
  }
  EXPECT_EQ(found, 2U);
}

// What covers each relaxed operation of the deques, where: the table of models/machine/binary/README.md.

template <const auto& Table>
checker::ghost_role role_in(std::size_t row) {
  return checker::site_rules<Table>::at(row).role;
}
struct deque_table {
  std::string_view name;
  checker::ghost_role (*role)(std::size_t row);
};
constexpr std::array deque_tables{
    deque_table{"chase-lev", &role_in<chase_lev_orders>},
    deque_table{"chase-lev-asymmetric", &role_in<chase_lev_asymmetric_orders>},
    deque_table{"tagged", &role_in<tagged_orders>},
    deque_table{"tagged-asymmetric", &role_in<tagged_asymmetric_orders>},
    deque_table{"run-queue", &role_in<run_queue_orders>},
    deque_table{"split", &role_in<split_orders>},
};

/// The sites that read what another thread wrote, and those behind which their thread writes on with no fence between,
/// in the first executions of each program.
struct reading {
  std::set<std::string_view> others = {};
  std::set<std::string_view> before_writes = {};

  explicit reading(const structure& s) {
    for (const program& p : s.programs) {
      (void)p.explore({.max_executions = 500, .observe = [&](const checker::detail::graph& g) {
                         for (unsigned t = 0; t != p.about.threads; ++t) look(g, t);
                       }});
    }
  }

 private:
  void look(const checker::detail::graph& g, unsigned thread) {
    std::set<std::string_view> open;
    for (const checker::detail::event_id id : g.thread(thread)) {
      const checker::detail::event& e = g[id];
      if (e.is_fence() && e.sequential()) open.clear();
      if (e.writes()) before_writes.insert(open.begin(), open.end());
      if (!e.reads() || e.op.site == nullptr) continue;
      open.insert(e.op.site);
      if (e.source != checker::detail::initial && g[e.source].thread() != thread) others.insert(e.op.site);
    }
  }
};

/// What covers the read of a relaxed row where C++ lets it move behind later writes (load buffering).
std::string_view covered(const row& r, checker::ghost_role role, const reading& seen) {
  if (r.kind == operation::store || licit::detail::is_fence(r.kind)) return "no read";
  if (role == checker::ghost_role::guess) return "ghost: a guess";
  if (role == checker::ghost_role::certain) return "ghost: a read that counts";
  if (r.reason.find("estimate") != std::string_view::npos) return "an estimate: promises nothing";
  if (!seen.others.contains(r.site)) return "reads its own thread's writes";
  if (!seen.before_writes.contains(r.site)) return "no write follows before a full fence";
  return r.kind == operation::load ? "only `licit binary`" : "only `licit binary`, in part";
}

std::string relaxed_rows() {
  std::string text = "| structure | row | operation | load buffering is covered by |\n|---|---|---|---|\n";
  for (const deque_table& t : deque_tables) {
    const structure& s = *std::ranges::find(structures(), t.name, &structure::name);
    const reading seen(s);
    for (std::size_t i = 0; i != s.audited.rows.size(); ++i) {
      const row& r = s.audited.rows[i];
      if (r.success != order::relaxed) continue;
      text += "| `" + std::string(t.name) + "` | `" + std::string(r.site) + "` | " +
              std::string(licit::detail::name(r.kind)) + " | " + std::string(covered(r, t.role(i), seen)) + " |\n";
    }
  }
  return text;
}

TEST(RelaxedRows, AreInTheTableOfWhatCoversThem) {
  std::ifstream in(LICIT_SOURCE "/models/machine/binary/README.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::string expected = relaxed_rows();
  EXPECT_NE(page.find(expected), std::string::npos) << "the table is now\n" << expected;
}

TEST(Specifications, HaveThirtyLinesAtMost) {
  unsigned found = 0;
  for (const char* file : {"specification.hpp", "parts.hpp", "waiting.hpp"}) {
    std::ifstream in(std::string(LICIT_SOURCE "/models/suites/every/") + file);
    std::string name;
    unsigned lines = 0;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("struct ") && line.find("promise") != std::string::npos) name = line, lines = 0;
      ++lines;
      if (name.empty() || line != "};") continue;
      EXPECT_LE(lines, 30U) << name;
      ++found;
      name.clear();
    }
  }
  EXPECT_GE(found, 19U);
}

audit::report audited(std::string_view program) {
  const structure& ring = *std::ranges::find(structures(), "trace-ring", &structure::name);
  ring.reset();
  audit::subject one = ring.audited;
  std::erase_if(one.programs, [&](const audit::program& p) { return p.name != program; });
  EXPECT_EQ(one.programs.size(), 1U);
  return audit::audit(one);
}

audit::need need_of(const audit::report& in, std::string_view site) {
  return std::ranges::find(in.rows, site, [](const audit::audited_row& r) { return r.entry.site; })->verdict;
}

TEST(TraceRing, NeedsTheOrderOfItsWordsBecauseSlotsAreReused) {
  const audit::report once = audited("read_again");  // two events, in a ring of two
  EXPECT_EQ(once.sufficient.outcome, checker::outcome::ok);
  EXPECT_EQ(need_of(once, "record.time"), audit::need::not_needed);
  EXPECT_EQ(need_of(once, "read.what"), audit::need::not_needed);

  const audit::report reused = audited("comes_round");
  EXPECT_EQ(need_of(reused, "record.time"), audit::need::needed);
  EXPECT_EQ(need_of(reused, "read.what"), audit::need::needed);
}

}  // namespace
}  // namespace licit::suites
