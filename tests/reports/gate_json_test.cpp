// gate.json: as its schema says, the same when it is read again, and files that are none.
#include "reports/stored/gate_json.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "hand_made_gate.hpp"
#include "hand_made_results.hpp"
#include "json_schema.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace gate;

class GateJson : public testing::Test {
 protected:
  Result<GateResult> read_text(const std::string& text) const {
    EXPECT_TRUE(write_file(path, text));
    return read_gate(path);
  }
  std::string complaint(const std::string& text) const {
    const auto read = read_text(text);
    return read ? "none" : read.error().text();
  }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-gate-json").value();
  const std::filesystem::path path = folder.path() / "new" / "gate.json";

  void SetUp() override { ASSERT_TRUE(create_folders(path.parent_path())); }
};

TEST_F(GateJson, has_exactly_what_the_schema_says) {
  EXPECT_THAT(violations(json::parse(to_json(mixed_gate())), "gate.schema.json"), IsEmpty());
  EXPECT_THAT(violations(json::parse(to_json(GateResult{})), "gate.schema.json"), IsEmpty());
}

TEST_F(GateJson, keeps_to_the_schema_whatever_others_wrote) {
  GateResult result = mixed_gate();
  result.base.given = result.benchmarks[0].finding.reason = result.reason = hostile_text();
  result.benchmarks[0].pairs[0].pair.head = {{std::nan(""), INFINITY}, hostile_text()};
  const json document = json::parse(to_json(result));
  EXPECT_THAT(violations(document, "gate.schema.json"), IsEmpty());
  EXPECT_TRUE(document["benchmarks"][0]["pairs"][0]["head"]["samples"][0].is_null());
}

TEST_F(GateJson, read_again_is_the_same) {
  const std::string text = to_json(mixed_gate());
  EXPECT_EQ(to_json(read_text(text).value()), text);
}

TEST_F(GateJson, of_before_there_was_a_budget_for_equal_builds_is_read_and_not_that_of_today) {
  json document = json::parse(to_json(mixed_gate()));
  document["settings"].erase("same_alpha");
  EXPECT_THAT(violations(document, "gate.schema.json"), IsEmpty());
  const GateResult read = read_text(document.dump()).value();
  EXPECT_EQ(read.settings.same_alpha, 1);
  EXPECT_FALSE(read.settings == mixed_gate().settings);  // so that it is not resumed
}

TEST_F(GateJson, holds_medians_of_processes_and_of_all_of_them) {
  const json benchmark = json::parse(to_json(mixed_gate()))["benchmarks"][0];
  EXPECT_EQ(benchmark["pairs"][0]["base"], json::parse(R"({
    "failure": "", "median": 100.0, "samples": [100.0, 101.5, 99.0],
    "cpu_median": null, "cpu_samples": [], "waited": null, "waits": -1})"));
  EXPECT_EQ(benchmark["pairs"][0]["first"], "head");
  EXPECT_EQ(benchmark["base_median"], 101.5);
  EXPECT_EQ(benchmark["head_median"], 111);
}

TEST_F(GateJson, medians_of_a_benchmark_that_cpu_time_decided_are_of_cpu_time) {
  GateResult result = mixed_gate();
  BenchmarkResult& decided = result.benchmarks[0];
  for (PairRecord& record : decided.pairs)
    for (ProcessRun Pair::*const side : {&Pair::base, &Pair::head}) {
      (record.pair.*side).cpu_samples = {side == &Pair::base ? 40.0 : 44.0};
      (record.pair.*side).waited = 0.02;
      (record.pair.*side).waits = 3;
    }
  EXPECT_EQ(json::parse(to_json(result))["benchmarks"][0]["base_median"], 101.5);
  decided.finding.decided_by = TimeKind::cpu;
  const json document = json::parse(to_json(result));
  EXPECT_THAT(violations(document, "gate.schema.json"), IsEmpty());
  const json& benchmark = document["benchmarks"][0];
  EXPECT_EQ(benchmark["decided_by"], "cpu_time");
  EXPECT_EQ(benchmark["base_median"], 40);
  EXPECT_EQ(benchmark["head_median"], 44);
  EXPECT_EQ(benchmark["pairs"][0]["base"]["cpu_median"], 40);
  EXPECT_EQ(to_json(read_text(document.dump()).value()), to_json(result));
}

TEST_F(GateJson, of_before_there_was_cpu_time_is_read_as_decided_by_wall_time) {
  json document = json::parse(to_json(mixed_gate()));
  for (json& benchmark : document["benchmarks"]) {
    benchmark.erase("decided_by");
    for (json& pair : benchmark["pairs"])
      for (const char* const name : {"cpu_median", "cpu_samples", "waited", "waits"})
        pair["base"].erase(name);
  }
  const GateResult read = read_text(document.dump()).value();
  EXPECT_EQ(to_json(read), to_json(mixed_gate()));
}

TEST_F(GateJson, what_could_have_been_seen_is_that_of_the_worst_benchmark) {
  GateResult result = mixed_gate();
  EXPECT_TRUE(json::parse(to_json(result))["detectable"].is_null());
  result.benchmarks.pop_back();
  result.benchmarks[1].finding.detectable = 0.06;
  result.benchmarks[4].finding.detectable = 0.2;  // of a canary
  EXPECT_EQ(json::parse(to_json(result))["detectable"], 0.06);
}

TEST_F(GateJson, the_status_follows_from_the_answer) {
  GateResult result = mixed_gate();
  EXPECT_EQ(result.exit_status(), 2);
  result.answer = Answer::inconclusive;
  EXPECT_EQ(result.exit_status(), 0);
  result.fails_on_inconclusive = true;
  EXPECT_EQ(result.exit_status(), 5);
  result.answer = Answer::invalid;
  EXPECT_EQ(result.exit_status(), 4);
  result.answer = Answer::improved;
  EXPECT_EQ(result.exit_status(), 0);
  result.is_complete = false;
  EXPECT_EQ(result.exit_status(), 4);
}

TEST_F(GateJson, a_file_that_is_none_is_refused_with_the_place) {
  EXPECT_THAT(read_gate(folder.path() / "missing").error().text(), HasSubstr("missing"));
  EXPECT_THAT(complaint("{\"schema\": "),
              HasSubstr("gate.json:1: expected JSON, but it ends here"));
  EXPECT_THAT(complaint("[]"), HasSubstr("gate.json: expected an object, found array"));
  EXPECT_THAT(complaint("{}"), HasSubstr("gate.json: /schema: expected text, found nothing"));
  EXPECT_THAT(
      complaint(to_json(mixed_result())),
      HasSubstr(
          "expected a file that `tunecheck gate` wrote, found one that `tunecheck run` wrote"));
}

TEST_F(GateJson, what_is_not_as_the_schema_says_is_refused_with_the_place) {
  const json good = json::parse(to_json(mixed_gate()));
  const auto with = [&](const char* pointer, const json& value) {
    json changed = good;
    changed[json::json_pointer(pointer)] = value;
    const std::string text = complaint(changed.dump());
    return text.substr(std::min(text.size(), text.find(": /") + 2));
  };
  EXPECT_EQ(with("/schema", "2.0.0"), "/schema: expected version 1.x, found \"2.0.0\"");
  EXPECT_EQ(with("/kind", 7), "/kind: expected text, found number");
  EXPECT_EQ(with("/benchmarks/0/answer", "slower"),
            "/benchmarks/0/answer: expected pass, improved, inconclusive, regression or invalid, "
            "found \"slower\"");
  EXPECT_EQ(with("/benchmarks/1/role", "canary"),
            "/benchmarks/1/role: expected measured, same or slowed, found \"canary\"");
  EXPECT_EQ(with("/benchmarks/0/pairs/1/first", "tail"),
            "/benchmarks/0/pairs/1/first: expected base or head, found \"tail\"");
  EXPECT_EQ(with("/benchmarks/0/pairs/0/head/samples/2", "1"),
            "/benchmarks/0/pairs/0/head/samples/2: expected a number, found string");
  EXPECT_EQ(with("/settings/most_pairs", -1).substr(0, 46),
            "/settings/most_pairs: expected a whole number ");
  EXPECT_EQ(with("/counts/0/base/0", 0.5),
            "/counts/0/base/0: expected a whole number, found number");
  EXPECT_EQ(with("/head/environment/program", json::array()),
            "/head/environment/program: expected text, found array");
}

TEST_F(GateJson, null_is_no_number_and_what_is_missing_is_refused) {
  json session = json::parse(to_json(mixed_gate()));
  session["benchmarks"][0]["at_most"] = nullptr;
  EXPECT_TRUE(std::isinf(read_text(session.dump())->benchmarks[0].finding.at_most));
  session["benchmarks"][0].erase("at_most");
  EXPECT_THAT(complaint(session.dump()),
              HasSubstr("/benchmarks/0/at_most: expected a number, found nothing"));
}

TEST_F(GateJson, a_newer_minor_version_is_read) {
  json session = json::parse(to_json(mixed_gate()));
  session["schema"] = "1.9.0";
  session["later"] = true;
  EXPECT_EQ(to_json(read_text(session.dump()).value()), to_json(mixed_gate()));
}

TEST_F(GateJson, a_session_that_goes_on_is_kept_and_marked_incomplete) {
  GateFile file(path);
  GateResult result = mixed_gate();
  result.is_complete = false;
  ASSERT_TRUE(file.update(result));
  EXPECT_FALSE(read_gate(path)->is_complete);
  result.is_complete = true;
  ASSERT_TRUE(file.update(result));
  EXPECT_TRUE(read_gate(path)->is_complete);
  EXPECT_FALSE(GateFile("/dev/null/new/gate.json").update(result));
}

}  // namespace
}  // namespace tunecheck::test
