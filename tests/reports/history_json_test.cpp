// A history as JSON is as the schemas say, whatever others wrote into it.
#include "reports/stored/history_json.hpp"

#include <gmock/gmock.h>

#include "hand_made_results.hpp"
#include "json_schema.hpp"

namespace tunecheck::test {
namespace {

using namespace history;
using nlohmann::json;
using testing::IsEmpty;

StoredRun run_of(std::int64_t id, const std::string& text) {
  StoredRun run;
  run.id = id;
  run.suite = run.source = run.revision = run.tuner = text;
  run.started = "2024-05-01T12:00:00Z";
  run.environment = {{"cpu", text}};
  return run;
}

Contents contents_with(const std::string& text) {
  Contents contents;
  for (const std::int64_t id : {1, 2}) {
    contents.runs.push_back(run_of(id, text));
    contents.points.push_back(
        {id, "compiles", Kind::count, "compiles", 1, static_cast<double>(id - 1)});
    contents.points.push_back({id, id == 1 ? text : text + "!", Kind::time, "ns", 1, 100});
  }
  contents.renames = {{"old", text}};
  contents.fingerprints = {{1, {{"cpu", text}}}};
  return contents;
}

std::string changes_json(const std::string& text) {
  const Contents contents = contents_with(text);
  const auto series = series_of(contents);
  return history_changes_json(contents, series, find_changes(series, {}), {});
}

const SampleSet here = {"axpy", Kind::time, "ns", {{"cpu", "Toy"}}, {3, 1, 2}};

TEST(HistoryJson, has_exactly_what_the_schemas_say) {
  for (const std::string& text : {std::string("axpy"), hostile_text()}) {
    const auto expect_valid = [](const std::string& document, const std::string& schema) {
      EXPECT_THAT(violations(json::parse(document), schema), IsEmpty()) << schema;
    };
    SampleSet named = here;
    named.fingerprint["cpu"] = text;
    named.benchmark = text;
    expect_valid(history_list_json(contents_with(text)), "history-list.schema.json");
    expect_valid(history_run_json(run_of(1, text), {named}), "history-run.schema.json");
    expect_valid(
        history_comparison_json(run_of(1, text), run_of(2, text),
                                {{text, named, {}}, {text, {}, named}, {text, named, named}}),
        "history-comparison.schema.json");
    expect_valid(changes_json(text), "history-changes.schema.json");
  }
}

TEST(HistoryJson, has_changes_and_what_came_and_went) {
  const json document = json::parse(changes_json("axpy"));
  EXPECT_EQ(document["changes"], json::parse(R"([{"benchmark": "compiles", "kind": "count",
    "unit": "compiles", "fingerprint": 1, "last_before": 1, "first_after": 2, "before": 0.0,
    "after": 1.0, "change": null, "p": 0.0}])"));
  EXPECT_EQ(document["appearances"], json::parse(R"([
    {"benchmark": "axpy", "run": 2, "event": "removed"},
    {"benchmark": "axpy!", "run": 2, "event": "added"}])"));
  EXPECT_EQ(document["too_short"].size(), 2U);
}

TEST(HistoryJson, has_every_run_of_a_series_and_what_it_was_measured_on) {
  const json document = json::parse(changes_json("axpy"));
  EXPECT_EQ(document["fingerprints"], json::parse(R"([{"id": 1, "facts": {"cpu": "axpy"}}])"));
  ASSERT_EQ(document["series"].size(), 3U);
  EXPECT_EQ(document["series"][2], json::parse(R"({"benchmark": "compiles", "kind": "count",
    "unit": "compiles", "fingerprint": 1,
    "points": [{"run": 1, "median": 0.0}, {"run": 2, "median": 1.0}]})"));
}

TEST(HistoryJson, has_each_process) {
  const json document = json::parse(history_run_json(run_of(7, "x"), {here}));
  EXPECT_EQ(document["run"]["id"], 7);
  EXPECT_EQ(document["benchmarks"][0]["median"], 2);
  EXPECT_EQ(document["benchmarks"][0]["processes"], json::parse("[3.0, 1.0, 2.0]"));
}

}  // namespace
}  // namespace tunecheck::test
