#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine/codegen/process.hpp"
#include "machine/codegen/table.hpp"

namespace {

using namespace licit::codegen;
using lines = std::vector<std::string>;

listing made(const char* called) {
  listing l{"chase-lev",
            "x86-64",
            {},
            {},
            {{"push", {}}, {"pop", {{"lock or", 1}}}},
            {{"push", {}}, {"pop", {{"lock or", 2}}}}};
  l.by.called = called;
  l.sites = {{"push.publish", "store release", {{}}, true},
             {"pop.fence", "fence seq_cst", {{"lock or"}}, true},
             {"steal.fence", "fence removed", {{}, {"lock or", "mfence"}}, false}};
  return l;
}

const structure& chase_lev = find_structure("chase-lev");

TEST(Table, ADocumentReadsAsWhatWasWritten) {
  const std::vector<listing> both{made("g++ 12"), made("clang 19")};
  const std::vector<table> tables = read_document(as_document(both));
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0], table_of_sites(both));
  EXPECT_EQ(tables[1], table_of_operations(both));
}

TEST(Table, CellsSayWhatCarriesTheOrder) {
  const table t = table_of_sites({made("g++ 12")});
  EXPECT_EQ(t[1], (lines{"push.publish", "store release", "plain"}));
  EXPECT_EQ(t[2], (lines{"pop.fence", "fence seq_cst", "`lock or`"}));
  EXPECT_EQ(t[3], (lines{"steal.fence", "fence removed", "none or `lock or` `mfence`"}));
  EXPECT_EQ(table_of_operations({made("g++ 12")})[1], (lines{"pop", "1 `lock or` (2 where marked)"}));
}

TEST(Table, DifferencesNameSiteAndInstruction) {
  const std::vector<table> expected = read_document(as_document({made("g++ 12"), made("clang 19")}));
  const auto compare = [&](const listing& l) {
    return differences(expected, {table_of_sites({l}), table_of_operations({l})});
  };
  EXPECT_EQ(compare(made("clang 19")), lines{});
  listing stronger = made("clang 19");
  stronger.sites[0].places = {{"xchg"}};
  EXPECT_EQ(compare(stronger), lines{"push.publish: expected plain, found `xchg`"});
  listing weaker = made("clang 19");
  weaker.sites[1].places = {{}};
  weaker.operations["pop"].clear();
  EXPECT_EQ(compare(weaker), (lines{"pop.fence: expected `lock or`, found none",
                                    "pop: expected 1 `lock or` (2 where "
                                    "marked), found none"}));
  listing fewer = made("clang 19");
  fewer.sites.erase(fewer.sites.begin());
  EXPECT_EQ(compare(fewer), lines{"push.publish: expected, not found"});
}

TEST(Table, AnotherVersionOfTheCompilerIsMissingNotWrong) {
  const std::vector<table> expected = read_document(as_document({made("g++ 12")}));
  const std::vector<listing> other{made("g++ 13")};
  EXPECT_THROW(differences(expected, {table_of_sites(other), table_of_operations(other)}), missing);
}

TEST(Table, ShortcomingsNameWhatIsNotEnough) {
  EXPECT_EQ(shortcomings(made("g++ 12")), lines{"steal.fence: none or `lock or` `mfence` is not fence removed"});
}

TEST(Table, AMalformedDocumentNamesTheLine) {
  EXPECT_THROW(read_document("| a | b |\n|---|---|\n| 1 |\n"), std::runtime_error);
  EXPECT_THROW(read_document("# x\n\n| a |\n| 1\n"), std::runtime_error);
}

TEST(Change, IsRefusedWhereTheOperationCannotHaveIt) {
  EXPECT_EQ(parse_change("push.publish=release-fence", chase_lev).how, "release_fence");
  EXPECT_EQ(described(chase_lev, parse_change("pop.claim=acq_rel", chase_lev).row,
                      {parse_change("pop.claim=acq_rel", chase_lev)}),
            "compare_exchange acq_rel/relaxed");
  for (const char* wrong : {"", "push.publish", "push.publish=", "push.nowhere=relaxed", "push.publish=acquire",
                            "steal.item=removed", "steal.item=release-fence", "steal.item=std-fence"}) {
    EXPECT_THROW(parse_change(wrong, chase_lev), std::invalid_argument) << wrong;
  }
}

}  // namespace
