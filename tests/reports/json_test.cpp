#include "reports/stored/json.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "hand_made_results.hpp"
#include "json_schema.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ResultJson, has_exactly_what_the_schema_says) {
  EXPECT_THAT(violations(json::parse(to_json(mixed_result())), "result.schema.json"), IsEmpty());
  EXPECT_THAT(violations(json::parse(to_json(RunResult{})), "result.schema.json"), IsEmpty());
}

TEST(ResultJson, keeps_to_the_schema_whatever_a_tuner_writes) {
  const std::string text = to_json(hostile_result());
  EXPECT_THAT(violations(json::parse(text), "result.schema.json"), IsEmpty());
  EXPECT_EQ(text.find('\x1b'), text.npos);
}

TEST(ResultJson, holds_every_field_of_a_check) {
  const json result = json::parse(to_json(mixed_result()));
  EXPECT_EQ(result["scenarios"][2]["checks"][1], json::parse(R"({
    "check": "inputs.pristine", "verdict": "fail", "process": "cold", "call": 1, "line": 9,
    "expected": "every launch sees the caller's input",
    "observed": "83 of 84 launches saw another one",
    "evidence": ["inputs.pristine/events.jsonl"]})"));
}

TEST(ResultJson, holds_the_mark_of_a_scenario_and_none_of_those_without) {
  const json result = json::parse(to_json(result_with_marks()));
  EXPECT_THAT(violations(result, "result.schema.json"), IsEmpty());
  EXPECT_EQ(result["counts"]["known"], 1);
  EXPECT_EQ(result["exit_status"], 1);
  EXPECT_EQ(result["scenarios"][0]["verdict"], "known");
  EXPECT_EQ(result["scenarios"][0]["known"], json::parse(R"({
    "checks": ["inputs.pristine"], "reason": "nothing is put back yet",
    "link": "https://example.org/issues/1", "until": "2027-03-31", "line": 4,
    "file": "known.info", "at_times": ""})"));
  EXPECT_FALSE(json::parse(to_json(mixed_result()))["scenarios"][0].contains("known"));
}

TEST(ResultJson, holds_how_a_process_ended) {
  const json result = json::parse(to_json(mixed_result()));
  json process = result["scenarios"][0]["processes"][0];
  process.erase("end");  // the name of a signal is the C library's
  process.erase("calls");
  EXPECT_EQ(process, json::parse(R"({
    "name": "cold", "exit_status": 0, "signal": 11, "timed_out": false, "wall_ns": 7, "cpu_ns": 6,
    "peak_memory_kib": 5, "compiles": 3, "compiles_from_store": 2, "launches": 84,
    "log": "reload.dead/cold.log", "calls_left_out": 0})"));
}

TEST(ResultJson, holds_what_a_call_tried_and_what_observers_saw) {
  const json result = json::parse(to_json(mixed_result()));
  json call = result["scenarios"][0]["processes"][0]["calls"][0];
  EXPECT_EQ(call["configs"][0], json::parse(R"({
    "config": "block=64", "is_winner": true, "is_default": false, "failure": "",
    "median_ns": 1000.5, "reps": 42, "own_median_ns": 990.0, "own_failure": "", "launches": 42,
    "samples_ns": [900, 1000, 1100]})"));
  EXPECT_EQ(call["events"][1], json::parse(R"({
    "kind": "trials", "at_ns": 2000, "wall_ns": 42000, "config": "block=64", "count": 42,
    "failed": 0, "differing": 41, "from_store": false, "text": ""})"));
  call.erase("configs");
  call.erase("events");
  EXPECT_EQ(call, json::parse(R"({
    "number": 1, "line": 9, "asked_ns": 0, "wall_ns": 5000000, "outcome": "no answer",
    "message": "the adapter ended before it answered", "cache": "", "missed_axes": [],
    "winner": "", "arch": "", "sizes": {"n": 4096}, "bytes": 49152.0, "flops": 8192.0,
    "compiles": 3, "launches": 84, "trial_launches": 84, "configs_left_out": 0,
    "events_left_out": 0})"));
}

TEST(ResultJson, says_that_it_is_incomplete_as_long_as_scenarios_are_pending) {
  RunResult result = mixed_result();
  EXPECT_EQ(json::parse(to_json(result))["complete"], true);
  result.pending = {"restore.later"};
  EXPECT_EQ(json::parse(to_json(result))["complete"], false);
}

TEST(ResultJson, has_a_line_for_each_of_what_there_are_many) {
  const std::string text = to_json(mixed_result());
  EXPECT_NE(text.find("\n                {\"kind\":\"trials\",\"at_ns\":2000,"), text.npos) << text;
  EXPECT_NE(text.find(",\"samples_ns\":[900,1000,1100]}"), text.npos);
}

TEST(ResultJson, sums_up_verdicts_stages_and_status) {
  const json result = json::parse(to_json(mixed_result()));
  EXPECT_EQ(result["counts"],
            json::parse(R"({"pass":1,"fail":1,"unsupported":1,"error":1,"known":0})"));
  EXPECT_EQ(result["exit_status"], 4);
  EXPECT_EQ(result["stages"]["own_ns"], 40);
  EXPECT_EQ(result["stages"]["total_ns"], 400);
  EXPECT_DOUBLE_EQ(result["judge_share"], 0.1);
  EXPECT_EQ(result["environment"]["host"], "here");
}

TEST(ResultJson, keeps_every_bit_of_a_large_seed) {
  EXPECT_EQ(json::parse(to_json(mixed_result()))["seed"], 18'446'744'073'709'551'615U);
}

TEST(ResultJson, names_its_keys_in_the_order_of_the_schema) {
  const auto result = nlohmann::ordered_json::parse(to_json(mixed_result()));
  EXPECT_EQ(result.begin().key(), "schema");
  EXPECT_EQ(std::prev(result.end()).key(), "scenarios");
}

TEST(ResultJson, is_written_whole_and_ends_with_a_newline) {
  const auto folder = TemporaryFolder::create("tunecheck-reports").value();
  const auto file = folder.path() / "result.json";
  ASSERT_TRUE(write_json(mixed_result(), file));
  EXPECT_EQ(read_text_file(file).value(), to_json(mixed_result()));
  EXPECT_EQ(to_json(mixed_result()).back(), '\n');
}

TEST(ResultJson, says_so_where_it_cannot_be_written) {
  EXPECT_FALSE(write_json(mixed_result(), "/dev/null/result.json"));
}

TEST(AuditJson, has_exactly_what_the_schema_says) {
  EXPECT_THAT(violations(json::parse(to_json(incomplete_audit())), "audit.schema.json"), IsEmpty());
  EXPECT_THAT(violations(json::parse(to_json(complete_audit())), "audit.schema.json"), IsEmpty());
}

TEST(AuditJson, names_what_is_missing) {
  const json audit = json::parse(to_json(incomplete_audit()));
  EXPECT_THAT(audit["surviving_mutants"], ElementsAre("sleeper"));
  EXPECT_THAT(audit["unkilled_checks"], ElementsAre("output.reference"));
  EXPECT_THAT(audit["false_claims"], ElementsAre("sleeper in restore.fine"));
  EXPECT_EQ(audit["exit_status"], 1);
  EXPECT_EQ(json::parse(to_json(complete_audit()))["exit_status"], 0);
}

TEST(AuditJson, holds_each_kill) {
  const json audit = json::parse(to_json(incomplete_audit()));
  EXPECT_EQ(audit["kills"][0], json::parse(R"({"mutant": "no_restore", "scenario": "restore.axpy",
    "checks": ["inputs.pristine"], "verdict": "fail", "message": "", "expects": ""})"));
}

// The validator of these tests must be able to fail, or none of the above means anything.
TEST(Schema, a_missing_a_further_and_a_mistyped_field_are_violations) {
  json result = json::parse(to_json(mixed_result()));
  result.erase("seed");
  result["further"] = 1;
  result["jobs"] = "two";
  result["environment"]["cores"] = 2;
  result["scenarios"][2]["checks"][1]["verdict"] = "perhaps";
  EXPECT_THAT(violations(result, "result.schema.json"),
              testing::UnorderedElementsAre(
                  ": lacks seed", "/further: is not in the schema", "/jobs: is no integer",
                  "/environment/cores: is no string",
                  "/scenarios/2/checks/1/verdict: is not one of the enumeration"));
}

TEST(Schema, an_audit_is_checked_into_the_result_it_holds) {
  json audit = json::parse(to_json(complete_audit()));
  audit["reference"]["scenarios"][0]["line"] = -1;
  EXPECT_THAT(violations(audit, "audit.schema.json"),
              ElementsAre("/reference/scenarios/0/line: is too small"));
}

}  // namespace
}  // namespace tunecheck::test
