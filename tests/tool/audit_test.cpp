/// licit audit: its findings, its record, its pages, and what it says of libraries.
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
  void SetUp() override { fs::create_directories(room); }
  void TearDown() override { fs::remove_all(room); }
  const fs::path room = fs::temp_directory_path() / ("licit-audit-" + std::to_string(::getpid()));
  [[nodiscard]] std::string at(const char* name) const { return (room / name).string(); }
};

TEST_F(Audit, OfARowSaysWhatBreaksWhenItIsWeaker) {
  const finished f =
      licit("audit --structure chase-lev --site pop.fence --fresh --cache " + at("cache") + " --json " + at("f.json"));
  EXPECT_EQ(f.status, 0) << f.output;
  const json rule = json::parse(text_of(at("f.json")))["structures"][0]["rules"][0];
  EXPECT_EQ(rule["executions"], 262420);
  EXPECT_EQ(rule["rows"][0]["verdict"], "needed");
  ASSERT_EQ(rule["rows"][0]["weaker"].size(), 4U);  // acq_rel, release, acquire, none
  for (const json& w : rule["rows"][0]["weaker"]) {
    EXPECT_EQ(w["found"], "violated");
    EXPECT_TRUE(contains(w["trace"], ".claim")) << w;
  }
}

TEST_F(Audit, IsKeptForTheNextTime) {
  const std::string command = "audit --structure chase-lev --site push.room --quiet --cache " + at("cache");
  const finished first = licit(command);
  EXPECT_EQ(first.status, 0) << first.output;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(at("cache"))) {
    ++files;
    json kept = json::parse(text_of(entry));
    kept["executions"] = 7;  // to see that it is read
    std::ofstream(entry.path()) << kept;
  }
  EXPECT_EQ(files, 2U);  // a rule each
  EXPECT_TRUE(contains(licit(command).output, " 7 executions"));
  EXPECT_TRUE(contains(licit(command + " --fresh").output, " 262420 executions"));
}

TEST_F(Audit, InProcessesFindsTheSame) {
  const std::string common =
      "audit --structure run-queue split --site steal.claim --fresh --quiet --cache " + at("cache");
  EXPECT_EQ(licit(common).output, licit(common + " --jobs 3").output);
}

TEST_F(Audit, NamesWhatThereIsNot) {
  EXPECT_TRUE(contains(licit("audit --site push.rom").output, "no table has a site push.rom"));
  EXPECT_TRUE(contains(licit("audit --structure cl").output, "there is no structure cl; there are: chase-lev"));
  EXPECT_TRUE(contains(licit("audit --from /nowhere.json").output, "cannot read /nowhere.json"));
  std::ofstream(at("half.json")) << "{\"structures\": [";
  EXPECT_TRUE(contains(licit("audit --from " + at("half.json")).output, "is no JSON, from byte"));
}

TEST_F(Audit, TheRecordIsOfThisBuildAndSaysWhatAnAuditSays) {
  const finished f = licit("audit --check " + source + "/models/audit/record.json --sample 2");
  EXPECT_EQ(f.status, 0) << f.output << "\nwas something that is audited changed? `make audit` makes the record anew";
}

TEST_F(Audit, ARecordThatIsStaleOrWrongIsFound) {
  json record = json::parse(text_of(source + "/models/audit/record.json"));
  for (json& rule : record["structures"][0]["rules"]) {
    for (json& row : rule["rows"]) row["verdict"] = "not needed by these programs";
  }
  std::ofstream(at("typed.json")) << record;
  const finished typed = licit("audit --sample 1 --check " + at("typed.json"));
  EXPECT_EQ(typed.status, 1);
  EXPECT_TRUE(contains(typed.output, "DIFFERS")) << typed.output;

  record["digest"] = "0123";
  record["files"]["deque/chase_lev.hpp"] = "4567";
  std::ofstream(at("stale.json")) << record;
  const finished stale = licit("audit --check " + at("stale.json"));
  EXPECT_EQ(stale.status, 1);
  EXPECT_TRUE(contains(stale.output, "is stale")) << stale.output;
  EXPECT_TRUE(contains(stale.output, "  deque/chase_lev.hpp\n")) << stale.output;
}

TEST_F(Audit, ALibraryIsWhatWasAuditedOrNot) {
  const finished same = licit("audit --library " + library);
  EXPECT_EQ(same.status, 0) << same.output;
  EXPECT_TRUE(contains(same.output, "verified: it was built from what was audited")) << same.output;

  std::string bytes = text_of(library);
  const auto change = [&](const std::string& mark, const std::string& from, const std::string& to) {
    const std::size_t at = bytes.find(from, bytes.find(mark));
    ASSERT_NE(at, std::string::npos) << mark;
    bytes.replace(at, from.size(), to);
  };
  const std::size_t digest = bytes.find("licit-audit-digest ") + 19;
  bytes[digest] = bytes[digest] == '0' ? '1' : '0';
  const std::string mark = "licit-audit-file deque/ring.hpp ";
  const std::size_t file = bytes.find(mark) + mark.size();
  bytes[file] = bytes[file] == '0' ? '1' : '0';
  change("licit-audit-row chase-lev pop.fence", "seq_cst", "acq_rel");
  std::ofstream(at("other.a"), std::ios::binary) << bytes;
  const finished other = licit("audit --library " + at("other.a"));
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(contains(other.output, "differs")) << other.output;
  EXPECT_TRUE(contains(other.output, "  deque/ring.hpp: another")) << other.output;
  EXPECT_FALSE(contains(other.output, "deque/owner.hpp")) << other.output;
  EXPECT_TRUE(contains(other.output, "pop.fence: acq_rel in the library, seq_cst audited")) << other.output;

  std::ofstream(at("empty.a")) << "!<arch>\n";
  EXPECT_TRUE(contains(licit("audit --library " + at("empty.a")).output, "not verified"));
}

TEST_F(Audit, TheTableInTheDocumentIsTheRecords) {
  const std::string document = text_of(source + "/deque/audit.md");
  std::ofstream(at("audit.md")) << document;
  licit("audit --from " + source + "/models/audit/record.json --markdown " + at("audit.md"));
  EXPECT_EQ(text_of(at("audit.md")), document) << "`make audit` makes the table anew";
  std::ofstream(at("none.md")) << "# nothing\n";
  EXPECT_TRUE(contains(licit("audit --from " + source + "/models/audit/record.json --markdown " + at("none.md")).output,
                       "has no line '<!-- audit -->'"));
}

TEST_F(Audit, ThePageNeedsNothingElse) {
  licit("audit --from " + source + "/models/audit/record.json --html " + at("page.html"));
  const std::string page = text_of(at("page.html"));
  for (const char* part : {"<!DOCTYPE html>", "viewport", "steal.claim", "The weakest tables", "</html>"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
  for (const char* part : {"src=", "href=", "url(", "http://", "https://"}) {
    EXPECT_FALSE(contains(page, part)) << part << " is somewhere else";
  }
}

}  // namespace
