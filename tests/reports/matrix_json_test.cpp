// A matrix on disk, and files that are no results.
#include "reports/matrix/matrix_json.hpp"

#include <gmock/gmock.h>

#include "hand_made_results.hpp"
#include "json_schema.hpp"
#include "matrix_results.hpp"
#include "matrix_state_results.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::IsEmpty;
using testing::SizeIs;

RunResult hostile_run() {
  RunResult result = hostile_result();
  result.environment["cpu"] = hostile_text();
  result.pending = {hostile_text()};
  result.trouble = hostile_text();
  result.left_out = {{hostile_text(), hostile_text(), {hostile_text()}}};
  return result;
}

TEST(MatrixJson, has_exactly_what_the_schema_says) {
  EXPECT_THAT(violations(json::parse(to_json(matrix_of(three_tuners()))), "matrix.schema.json"),
              IsEmpty());
  EXPECT_THAT(violations(json::parse(to_json(Matrix{})), "matrix.schema.json"), IsEmpty());
  EXPECT_THAT(violations(json::parse(to_json(matrix_of({hostile_run()}))), "matrix.schema.json"),
              IsEmpty());
}

TEST(MatrixJson, holds_the_table) {
  const json matrix = json::parse(to_json(matrix_of(three_tuners())));
  EXPECT_EQ(matrix["rows"][1], json::parse(R"({
    "family": "restore", "check": "inputs.pristine", "cells": [
      {"pass": 0, "fail": 1, "known": 0, "unsupported": 0, "error": 0, "reason": ""},
      {"pass": 0, "fail": 0, "known": 1, "unsupported": 0, "error": 0, "reason": ""},
      {"pass": 0, "fail": 0, "known": 0, "unsupported": 0, "error": 0, "reason": "did not run"}]})"));
}

TEST(MatrixJson, holds_what_a_scenario_found) {
  const json tuner = json::parse(to_json(matrix_of(three_tuners())))["tuners"][0];
  EXPECT_EQ(tuner["device"], "Toy CPU");
  EXPECT_EQ(tuner["scenarios"][2], json::parse(R"({
    "name": "restore.axpy", "started": "2024-05-01T12:00:00Z", "verdict": "fail", "message": "",
    "lacks": "", "checks": {"inputs.pristine": "fail", "output.reference": "pass"},
    "troubles": [{"check": "inputs.pristine", "verdict": "fail",
                  "expected": "every launch sees the caller's input",
                  "observed": "83 of 84 launches saw another one"}]})"));
}

TEST(MatrixJson, read_again_is_the_same) {
  std::vector<RunResult> results = three_tuners();
  results.push_back(hostile_run());
  const std::string text = to_json(matrix_of(results));
  Matrix again;
  auto tuners = read_text(text).value();
  for (MatrixTuner& tuner : tuners)
    again.add(std::move(tuner));
  ASSERT_THAT(again.tuners, SizeIs(4));
  EXPECT_EQ(to_json(again), text);
}

TEST(ReadResults, reads_a_result_of_an_older_minor_version) {
  json result = json::parse(to_json(mixed_result()));
  result["schema"] = "1.2.0";
  result.erase("pending");
  result.erase("trouble");
  for (json& scenario : result["scenarios"]) {
    scenario.erase("unanswered");
    scenario.erase("lacks");
  }
  const auto tuners = read_text(result.dump());
  ASSERT_TRUE(tuners) << tuners.error().text();
  EXPECT_EQ(text_of(scenarios_of(tuners->at(0))), "1 pass, 1 fail, 1 unsupported, 1 error");
}

// The message for a file with this text, with place and key.
std::string matrix_mistake(const std::string& text) {
  const auto tuners = read_text(text);
  return tuners ? "" : tuners.error().text();
}

std::string matrix_mistake(const json& document) {
  return matrix_mistake(document.dump());
}

TEST(ReadResults, of_a_file_that_is_cut_off_names_the_line_where_it_ends) {
  const std::string text = to_json(mixed_result());
  EXPECT_EQ(matrix_mistake(text.substr(0, text.find("\"jobs\""))),
            "result.json:10: expected JSON, but it ends here");
  EXPECT_EQ(matrix_mistake(std::string()), "result.json:1: expected JSON, but it ends here");
}

TEST(ReadResults, of_a_file_that_is_no_json_names_the_line) {
  EXPECT_EQ(matrix_mistake(std::string("{\n  \"schema\": oops\n}\n")),
            "result.json:2: expected JSON");
  EXPECT_EQ(matrix_mistake(std::string("{\"schema\": 1e999}")),
            "result.json: expected JSON with numbers of an ordinary size");
}

TEST(ReadResults, refuses_another_major_version_and_what_has_none) {
  json result = json::parse(to_json(mixed_result()));
  result["schema"] = "2.0.0";
  EXPECT_EQ(matrix_mistake(result), "result.json: /schema: expected version 1.x, found \"2.0.0\"");
  result["schema"] = "10.0.0";
  EXPECT_EQ(matrix_mistake(result), "result.json: /schema: expected version 1.x, found \"10.0.0\"");
  result["schema"] = 1;
  EXPECT_EQ(matrix_mistake(result), "result.json: /schema: expected text, found number");
  result.erase("schema");
  EXPECT_EQ(matrix_mistake(result), "result.json: /schema: expected text, found nothing");
  EXPECT_EQ(matrix_mistake(std::string("[]")), "result.json: expected an object, found array");
}

TEST(ReadResults, refuses_an_audit) {
  EXPECT_EQ(
      matrix_mistake(to_json(complete_audit())),
      "result.json: /scenarios: expected a file that `tunecheck run` or `tunecheck matrix` wrote");
}

TEST(ReadResults, names_the_place_of_a_value_that_is_of_the_wrong_type) {
  const json result = json::parse(to_json(three_tuners()[1]));
  const auto with = [&](const std::string& pointer, const json& value) {
    json changed = result;
    changed[json::json_pointer(pointer)] = value;
    return matrix_mistake(changed);
  };
  EXPECT_EQ(with("/tuner", nullptr), "result.json: /tuner: expected text, found nothing");
  EXPECT_EQ(with("/scenarios", "none"), "result.json: /scenarios: expected a list, found string");
  EXPECT_EQ(with("/scenarios/1", 3), "result.json: /scenarios/1: expected an object, found number");
  EXPECT_EQ(with("/scenarios/1/verdict", "perhaps"),
            "result.json: /scenarios/1/verdict: expected pass, fail, unsupported, error or known, "
            "found \"perhaps\"");
  EXPECT_EQ(with("/scenarios/0/checks/0/observed", json::array()),
            "result.json: /scenarios/0/checks/0/observed: expected text, found array");
  EXPECT_EQ(with("/scenarios/0/known/link", 1),
            "result.json: /scenarios/0/known/link: expected text, found number");
  EXPECT_EQ(with("/left_out/0/checks", "x"),
            "result.json: /left_out/0/checks: expected a list, found string");
  EXPECT_EQ(with("/pending", json::array({1})),
            "result.json: /pending/0: expected text, found number");
}

TEST(ReadResults, names_the_place_of_a_mistake_in_a_matrix) {
  json matrix = json::parse(to_json(matrix_of(three_tuners())));
  matrix["tuners"][0]["scenarios"][2]["checks"]["inputs.pristine"] = "bad";
  EXPECT_EQ(matrix_mistake(matrix),
            "result.json: /tuners/0/scenarios/2/checks/inputs.pristine: expected pass, fail, "
            "unsupported, error or known, found \"bad\"");
}

TEST(ReadResults, of_a_file_that_is_not_there_says_which) {
  const auto tuners = read_results("nowhere/result.json");
  ASSERT_FALSE(tuners);
  EXPECT_EQ(tuners.error().text(), "nowhere/result.json: cannot read: No such file or directory");
}

TEST(MatrixJson, keeps_causes_so_that_a_page_can_be_made_elsewhere) {
  Matrix matrix;
  matrix.add(explained_tuner());
  EXPECT_THAT(violations(json::parse(to_json(matrix)), "matrix.schema.json"), IsEmpty());
  Matrix again;
  again.add(read_text(to_json(matrix)).value().at(0));
  EXPECT_EQ(to_json(again), to_json(matrix));
  const TunerCause& cause = again.tuners[0].causes.at("searches_again");
  EXPECT_EQ(cause.kind, CauseKind::broken_promise);
  EXPECT_EQ(cause.upstream.at(0).state, "open");
}

TEST(MatrixJson, an_older_file_has_no_causes) {
  Matrix matrix;
  matrix.add(explained_tuner());
  json document = json::parse(to_json(matrix));
  document["tuners"][0].erase("causes");
  EXPECT_TRUE(read_text(document.dump()).value().at(0).causes.empty());
}

}  // namespace
}  // namespace tunecheck::test
