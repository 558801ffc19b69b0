// What `tunecheck history changes` wrote, read back, and as an HTML report shows it.
#include "reports/stored/history_reader.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "hand_made_results.hpp"
#include "reports/html/html_parts.hpp"
#include "reports/stored/history_json.hpp"
#include "reports/stored/report_sources.hpp"

namespace tunecheck::test {
namespace {

using namespace history;
using nlohmann::json;
using testing::HasSubstr;

// A time that becomes 10 % slower at run 21, under other conditions from run 41 on; a count.
Contents long_history(std::int64_t runs, const std::string& name = "axpy") {
  Contents contents;
  for (std::int64_t id = 1; id <= runs; ++id) {
    StoredRun run;
    run.id = id;
    run.started = fmt::format("2024-05-01T12:{:02}:{:02}Z", id / 60, id % 60);
    run.suite = run.source = run.revision = run.tuner = name;
    run.environment = {{"cpu", name}};
    contents.runs.push_back(run);
    const double time = (id <= 20 ? 1000 : 1100) + static_cast<double>(id * 7 % 5);
    contents.points.push_back({id, name, Kind::time, "ns", id <= 40 ? 1 : 2, time});
    contents.points.push_back({id, "compiles", Kind::count, "compiles", 1, id < 7 ? 0.0 : 1.0});
  }
  contents.fingerprints = {{1, {{"cpu", "A"}}}, {2, {{"cpu", "B"}}}};
  contents.renames = {{"old", name}};
  return contents;
}

std::string changes_json(const Contents& contents) {
  const auto series = series_of(contents);
  return history_changes_json(contents, series, find_changes(series, {}), {});
}

class ReadHistory : public testing::Test {
 protected:
  Result<ReportSources> read(const std::string& text) const {
    EXPECT_TRUE(write_file(path, text));
    return read_report_sources({path});
  }
  std::string complaint(const json& document) const {
    const auto sources = read(document.dump());
    return sources ? "none" : sources.error().text().substr(path.string().size() + 2);
  }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-history-json").value();
  const std::filesystem::path path = folder.path() / "history.json";
};

TEST_F(ReadHistory, has_what_was_written) {
  const Contents contents = long_history(50);
  const auto series = series_of(contents);
  const Changes changes = find_changes(series, {});
  ASSERT_EQ(changes.found.size(), 2U);
  const auto sources = read(changes_json(contents));
  ASSERT_TRUE(sources) << sources.error().text();
  ASSERT_EQ(sources->histories.size(), 1U);
  const HistoryChanges& read = sources->histories[0].content;
  EXPECT_EQ(read.contents.fingerprints, contents.fingerprints);
  EXPECT_EQ(read.contents.renames, contents.renames);
  // Everything but what came and went, which follows from points of all runs.
  json again =
      json::parse(history_changes_json(read.contents, read.series, read.changes, read.options));
  EXPECT_EQ(again, json::parse(changes_json(contents)));
}

TEST_F(ReadHistory, has_what_came_and_went) {
  Contents contents = long_history(3);
  contents.points.pop_back();
  const auto sources = read(changes_json(contents));
  ASSERT_TRUE(sources) << sources.error().text();
  const auto& appearances = sources->histories[0].content.appearances;
  ASSERT_EQ(appearances.size(), 1U);
  EXPECT_EQ(appearances[0].benchmark, "compiles");
  EXPECT_EQ(appearances[0].run, 3);
  EXPECT_FALSE(appearances[0].is_added);
}

TEST_F(ReadHistory, of_version_1_0_has_changes_alone) {
  json document = json::parse(changes_json(long_history(50)));
  document["schema"] = "1.0.0";
  document.erase("series");
  document.erase("fingerprints");
  const auto sources = read(document.dump());
  ASSERT_TRUE(sources) << sources.error().text();
  EXPECT_TRUE(sources->histories[0].content.series.empty());
  EXPECT_EQ(sources->histories[0].content.changes.found.size(), 2U);
}

TEST_F(ReadHistory, what_is_not_as_the_schema_says_is_refused_with_the_place) {
  const json good = json::parse(changes_json(long_history(20)));
  const auto with = [&](const char* pointer, const json& value) {
    json changed = good;
    changed[json::json_pointer(pointer)] = value;
    return complaint(changed);
  };
  EXPECT_EQ(with("/schema", "2.0.0"), "/schema: expected version 1.x, found \"2.0.0\"");
  EXPECT_EQ(with("/series/0/points/2/run", 99),
            "/series/0/points/2/run: expected one of the runs, found 99");
  EXPECT_EQ(with("/changes/0/first_after", 98),
            "/changes/0/first_after: expected one of the runs, found 98");
  EXPECT_EQ(
      with("/changes/0/last_before", 0),
      "/changes/0/last_before: expected a whole number from 1 to 9223372036854775807, found 0");
  EXPECT_EQ(with("/series/1/kind", "size"),
            "/series/1/kind: expected time or count, found \"size\"");
  EXPECT_EQ(with("/runs/3/environment/cpu", 7),
            "/runs/3/environment/cpu: expected text, found number");
}

HtmlJson block_named(const std::string& text, const std::string& id) {
  const std::string opening = "id=\"" + id + "\">";
  const std::size_t place = text.find(opening);
  if (place == text.npos) return {};
  const std::size_t begin = place + opening.size();
  return HtmlJson::parse(text.substr(begin, text.find("</script>", begin) - begin));
}

std::string blocks_of(const Contents& contents) {
  HistoryChanges history;
  history.contents = contents;
  history.series = series_of(contents);
  history.changes = find_changes(history.series, {});
  history.appearances = appearances(contents);
  HtmlBlocks blocks;
  add_history(history, "history.json", 0, blocks);
  return blocks.text();
}

TEST(HtmlHistory, has_a_series_for_each_set_of_conditions) {
  const std::string text = blocks_of(long_history(50));
  const HtmlJson page = block_named(text, "history-0");
  ASSERT_EQ(page["benchmarks"].size(), 2U);
  EXPECT_EQ(page["benchmarks"][0]["name"], "axpy");
  EXPECT_EQ(page["benchmarks"][0]["conditions"], 2);
  EXPECT_EQ(page["benchmarks"][0]["sparkline"].size(), 10U) << "of the last conditions";
  const HtmlJson series = block_named(text, "history-0-0")["series"];
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0]["points"].size(), 40U);
  EXPECT_EQ(series[1]["points"][0], HtmlJson({40, 1102}));
  ASSERT_EQ(page["changes"].size(), 2U);
  EXPECT_EQ(page["changes"][0]["first_after"], 20);
  EXPECT_EQ(page["changes"][1]["benchmark"], 1);
  EXPECT_TRUE(page["changes"][1]["change"].is_null()) << "there was nothing before";
}

TEST(HtmlHistory, gathers_runs_of_a_long_history_but_not_over_a_change) {
  Contents contents = long_history(4000);
  std::erase_if(contents.points, [](const Point& point) { return point.kind == Kind::time; });
  const HtmlJson points = block_named(blocks_of(contents), "history-0-0")["series"][0]["points"];
  EXPECT_LE(points.size(), 1001U);
  EXPECT_EQ(points[0], HtmlJson({0, 0.0, 3, 0.0, 0.0}));
  EXPECT_EQ(points[1], HtmlJson({4, 0.0, 5, 0.0, 0.0})) << "run 7 is the first after a change";
  EXPECT_EQ(points[2], HtmlJson({6, 1.0, 9, 1.0, 1.0}));
}

TEST(HtmlHistory, nothing_in_a_text_can_end_its_block) {
  std::string text = blocks_of(long_history(3, hostile_text()));
  std::size_t begun = 0;
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1))
    ++begun;
  EXPECT_EQ(begun, 2U * 3U) << "three blocks and nothing else";
  EXPECT_TRUE(block_named(text, "history-0").is_object());
}

}  // namespace
}  // namespace tunecheck::test
