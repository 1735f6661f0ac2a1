/// licit audit: its findings, its record, its pages, and what it says of libraries.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace {

using licit_test::contains;
using licit_test::finished;
using licit_test::licit;
using nlohmann::json;
namespace fs = std::filesystem;

const std::string source = LICIT_SOURCE;
const std::string library = LICIT_LIBRARY;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Audit : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(room);
    ::setenv("XDG_CACHE_HOME", at("cache").c_str(), 1);
  }
  void TearDown() override { fs::remove_all(room); }
  const fs::path room = fs::temp_directory_path() / ("licit-audit-" + std::to_string(::getpid()));
  [[nodiscard]] std::string at(const char* name) const { return (room / name).string(); }
};

TEST_F(Audit, OfARowSaysWhatBreaksWhenItIsWeaker) {
  const finished f = licit("audit --structure chase-lev --site pop.fence --json " + at("f.json"));
  EXPECT_EQ(f.status, 0) << f.output;
  const json rule = json::parse(text_of(at("f.json")))["structures"][0]["rules"][0];
  EXPECT_EQ(rule["executions"], 262733);
  EXPECT_EQ(rule["rows"][0]["need"], "needed");
  ASSERT_EQ(rule["rows"][0]["weaker"].size(), 4U);  // acq_rel, release, acquire, none
  for (const json& w : rule["rows"][0]["weaker"]) {
    EXPECT_EQ(w["verdict"], "violation");
    EXPECT_TRUE(contains(w["trace"], ".claim")) << w;
  }
}

TEST_F(Audit, IsKeptForTheNextTime) {
  const std::string command = "audit --structure lifo-slot --site put.store --quiet";
  const finished first = licit(command);
  EXPECT_EQ(first.status, 0) << first.output;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(at("cache") + "/licit")) {
    ++files;
    json kept = json::parse(text_of(entry));
    kept[0]["executions"] = 7;  // to see that it is read
    std::ofstream(entry.path()) << kept;
  }
  EXPECT_EQ(files, 1U);
  EXPECT_TRUE(contains(licit(command).output, " 7 executions"));
  EXPECT_FALSE(contains(licit(command + " --fresh").output, " 7 executions"));
}

TEST_F(Audit, InProcessesFindsTheSame) {
  const std::string common = "audit --structure lifo-slot task-registry --fresh --quiet";
  EXPECT_EQ(licit(common + " --jobs 1").output, licit(common + " --jobs 3").output);
}

TEST_F(Audit, NamesWhatThereIsNot) {
  EXPECT_TRUE(contains(licit("audit --site push.rom").output, "no table has a site push.rom"));
  EXPECT_TRUE(contains(licit("audit --structure cl").output, "--structure: cl not in {"));
  EXPECT_TRUE(contains(licit("audit --from /nowhere.json").output, "cannot read /nowhere.json"));
  std::ofstream(at("half.json")) << "{\"structures\": [";
  EXPECT_TRUE(contains(licit("audit --from " + at("half.json")).output, "is no JSON, from byte"));
  EXPECT_TRUE(contains(licit("audit --from " + at(".")).output, "it is a directory"));
}

/// Each value of what --json writes is left out once.
TEST_F(Audit, FindingsThatAreNotWholeAreRefused) {
  ASSERT_EQ(licit("audit --structure lifo-slot --json " + at("f.json")).status, 0);
  const json whole = json::parse(std::ifstream(at("f.json")));
  const json& row = whole["structures"][0]["rules"][1]["rows"][0];
  const json::json_pointer structure("/structures/0");
  std::vector<json::json_pointer> places{json::json_pointer("/structures")};
  for (const auto& [key, value] : whole["structures"][0].items()) places.push_back(structure / key);
  for (const auto& [key, value] : whole["structures"][0]["rules"][1].items()) {
    places.push_back(structure / "rules" / 1 / key);
  }
  for (const auto& [key, value] : row.items()) places.push_back(structure / "rules" / 1 / "rows" / 0 / key);
  places.push_back(structure / "rules" / 1);
  places.push_back(structure / "rules" / 1 / "rows" / 0);
  for (const auto& place : places) {
    json spoilt = whole;
    json& in = spoilt[place.parent_pointer()];
    in.is_array() ? in.erase(std::stoul(place.back())) : static_cast<void>(in.erase(place.back()));
    std::ofstream(at("s.json")) << spoilt.dump();
    const finished f = licit("audit --from " + at("s.json") + " --html " + at("s.html") + " --record " + at("s.txt"));
    EXPECT_EQ(f.status, 2) << place << "\n" << f.output;
    EXPECT_TRUE(contains(f.output, at("s.json"))) << place << "\n" << f.output;
  }
}

const std::string record_file = source + "/models/audit/record.txt";

TEST_F(Audit, TheRecordIsOfThisBuildAndSaysWhatAnAuditSays) {
  const finished f = licit("audit --check " + record_file);
  EXPECT_EQ(f.status, 0) << f.output << "\nwas something that is audited changed? `make audit` makes the record anew";
}

/// A record of one small structure, written to "small.txt".
class Recorded : public Audit {
 protected:
  void SetUp() override {
    Audit::SetUp();
    ASSERT_EQ(licit("audit --minima --structure lifo-slot --record " + small).status, 0);
  }
  void replace(const std::string& from, const std::string& to) const {
    std::string text = text_of(small);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " is not in\n" << text;
    std::ofstream(small) << text.replace(at, from.size(), to);
  }
  const std::string small = at("small.txt");
};

TEST_F(Recorded, SaysAllThatItsFindingsSay) {
  ASSERT_EQ(licit("audit --minima --structure lifo-slot --json " + at("f.json")).status, 0);
  licit("audit --from " + small + " --markdown " + at("a.md"));
  licit("audit --from " + at("f.json") + " --markdown " + at("b.md"));
  EXPECT_EQ(text_of(at("a.md")), text_of(at("b.md")));
  licit("audit --from " + small + " --record " + at("again.txt"));
  EXPECT_EQ(text_of(at("again.txt")), text_of(small));
}

TEST_F(Recorded, IsNotMadeAgainForUnchangedSources) {
  const std::string command = "audit --minima --structure lifo-slot --record " + small;
  replace("c++20 | ok | ", "c++20 | ok | 7");
  const std::string changed = text_of(small);
  ASSERT_EQ(licit(command).status, 0);
  EXPECT_EQ(text_of(small), changed);
  ASSERT_EQ(licit(command + " --fresh").status, 0);
  EXPECT_NE(text_of(small), changed);
  replace("structure lifo-slot | ", "structure lifo-slot | 0");
  ASSERT_EQ(licit(command).status, 0);
  EXPECT_FALSE(contains(text_of(small), "lifo-slot | 0")) << text_of(small);
}

TEST_F(Recorded, ThatLacksARowIsMadeAgain) {
  const std::string whole = text_of(small);
  replace("row take.swap | update | relaxed | relaxed\n", "");
  ASSERT_EQ(licit("audit --minima --structure lifo-slot --record " + small).status, 0);
  EXPECT_EQ(text_of(small), whole);
  const finished one_row = licit("audit --structure lifo-slot --site put.store --record " + small);
  EXPECT_EQ(one_row.status, 2) << one_row.output;
  replace("program last_item | 5 | 5", "program last_item | 7 | 7");
  EXPECT_TRUE(contains(licit("audit --check " + small).output, "the programs of lifo-slot have other executions"));
}

TEST_F(Recorded, ThatIsStaleIsFound) {
  const finished f = licit("audit --check " + small);
  EXPECT_EQ(f.status, 1) << "it has one structure alone";
  EXPECT_TRUE(contains(f.output, "is stale: it has no audit of chase-lev as it is now")) << f.output;
  EXPECT_FALSE(contains(f.output, "no audit of lifo-slot as")) << f.output;
  EXPECT_TRUE(contains(f.output, "again, 3 of its rows (seed ")) << f.output;
  EXPECT_TRUE(contains(f.output, ": the same")) << f.output;
}

TEST_F(Recorded, ThatIsWrongIsFound) {
  std::string text = text_of(small);
  for (std::size_t at = 0; (at = text.find("| needed", at)) != std::string::npos;) text.replace(at, 8, "| not known");
  for (std::size_t at = 0; (at = text.find("| relaxed\n", at)) != std::string::npos;) text.replace(at, 9, "| needed!");
  std::ofstream(small) << text;
  EXPECT_TRUE(contains(licit("audit --check " + small).output, "DIFFERS")) << text;
}

TEST_F(Recorded, ThatIsMalformedIsNamedWithTheLine) {
  const std::string whole = text_of(small);
  for (const auto& [from, to, message] : std::initializer_list<std::array<const char*, 3>>{
           {"licit audit record 1", "licit audit record 2", "line 3 should be 'licit audit record 1'"},
           {"structure lifo-slot", "structur lifo-slot", "line 5 stands before the first structure"},
           {"c++11 | ok", "c++12 | ok", "line 7 stands before the rules of its structure"},
           {"c++20 | ok | ", "c++20 | ok | x", "' for a number"},
           {"\nrow ", "\nrows ", " begins with 'rows "},
           {" | release | ", " | weaker | ", " has the order 'weaker'"}}) {
    std::ofstream(small) << whole;
    replace(from, to);
    const finished f = licit("audit --from " + small);
    EXPECT_EQ(f.status, 2) << f.output;
    EXPECT_TRUE(contains(f.output, message)) << message << ": " << f.output;
    EXPECT_TRUE(contains(f.output, small + ": line ")) << f.output;
  }
}

TEST_F(Audit, ALibraryIsNotVerifiedByARecordOfOtherSources) {
  std::string bytes = text_of(LICIT_TOOL);
  const std::string mark = "structure lifo-slot | ";
  const std::size_t digest = bytes.find(mark) + mark.size();
  ASSERT_LT(digest, bytes.size());
  bytes[digest] = bytes[digest] == '0' ? '1' : '0';
  const std::string other = at("licit");
  std::ofstream(other, std::ios::binary) << bytes;
  fs::permissions(other, fs::perms::owner_all);
  const finished f = licit_test::run(other + " audit --library " + library);
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "  lifo-slot: not audited as it is now")) << f.output;
  EXPECT_TRUE(contains(f.output, ": not verified")) << f.output;
}

TEST_F(Audit, ALibraryIsWhatWasAuditedOrNot) {
  for (const std::string& form : {library, std::string(LICIT_SHARED_LIBRARY)}) {
    const finished same = licit("audit --library " + form);
    EXPECT_EQ(same.status, 0) << same.output;
    EXPECT_TRUE(contains(same.output, "verified: it was built from what was audited")) << same.output;
    for (const char* audited : {"  chase-lev: ", "  lifo-slot: ", "  timers: "}) {
      const auto line = same.output.find(audited);
      ASSERT_NE(line, std::string::npos) << audited << same.output;
      EXPECT_TRUE(
          contains(same.output.substr(line, same.output.find('\n', line) - line), " rows needed, and enough for "));
    }
    EXPECT_TRUE(contains(same.output, "chase-lev: proved for any number of threads and operations")) << same.output;
    EXPECT_TRUE(contains(same.output, "wake-up: proved for any number of other threads and operations")) << same.output;
  }

  std::string bytes = text_of(library);
  const auto change = [&](const std::string& mark, const std::string& from, const std::string& to) {
    const std::size_t at = bytes.find(from, bytes.find(mark));
    ASSERT_NE(at, std::string::npos) << mark;
    bytes.replace(at, from.size(), to);
  };
  const std::size_t digest = bytes.find("licit-digest ") + 13;
  bytes[digest] = bytes[digest] == '0' ? '1' : '0';
  const std::string mark = "licit-file deque/include/licit/deque/ring.hpp ";
  const std::size_t file = bytes.find(mark) + mark.size();
  bytes[file] = bytes[file] == '0' ? '1' : '0';
  change("licit-row chase-lev pop.fence", "seq_cst", "acq_rel");
  std::ofstream(at("other.a"), std::ios::binary) << bytes;
  const finished other = licit("audit --library " + at("other.a"));
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(contains(other.output, "differs")) << other.output;
  EXPECT_TRUE(contains(other.output, "  deque/include/licit/deque/ring.hpp: differs")) << other.output;
  EXPECT_FALSE(contains(other.output, "deque/include/licit/deque/owner.hpp")) << other.output;
  EXPECT_TRUE(contains(other.output, "pop.fence: acq_rel in the library, seq_cst here")) << other.output;

  std::ofstream(at("empty.a")) << "!<arch>\n";
  EXPECT_TRUE(contains(licit("audit --library " + at("empty.a")).output, "not verified"));
}

TEST_F(Audit, ThePageInTheRepositoryIsTheRecords) {
  licit("audit --from " + record_file + " --markdown " + at("audit.md"));
  EXPECT_EQ(text_of(at("audit.md")), text_of(source + "/deque/audit.md")) << "`make audit` makes the page anew";
}

TEST_F(Audit, ThePageNeedsNothingElse) {
  licit("audit --from " + record_file + " --html " + at("page.html"));
  const std::string page = text_of(at("page.html"));
  for (const char* part : {"<!DOCTYPE html>", "viewport", "steal.claim", "The weakest tables", "</html>"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
  for (const char* part : {"src=", "href=", "url(", "http://", "https://"}) {
    EXPECT_FALSE(contains(page, part)) << part << " is somewhere else";
  }
}

}  // namespace
