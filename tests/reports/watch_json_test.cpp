// watch.json: what is written is read again, and files of older versions are.
#include "reports/stored/watch_json.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "hand_made_watch.hpp"
#include "json_schema.hpp"
#include "reports/ci/junit.hpp"
#include "reports/html/html_parts.hpp"
#include "reports/summary/watch_findings.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

Result<WatchResult> read_watch_again(const std::string& text) {
  const TemporaryFolder folder = TemporaryFolder::create("watch-json").value();
  const auto file = folder.path() / "watch.json";
  EXPECT_TRUE(write_file(file, text));
  return read_watch(file);
}

TEST(WatchJson, what_is_written_is_read_watch_again_and_is_as_the_schema_says) {
  const std::string text = to_json(mixed_watch());
  EXPECT_THAT(violations(json::parse(text), "watch.schema.json"), IsEmpty());
  const auto again = read_watch_again(text);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(to_json(*again), text);
}

TEST(WatchJson, a_file_of_version_1_0_is_read) {
  json old = json::parse(to_json(mixed_watch()));
  old["schema"] = "1.0.0";
  for (const char* const name : {"started", "timelines", "timelines_left_out"})
    old.erase(name);
  for (json& finding : old["findings"])
    finding.erase("definition");
  for (json& kernel : old["kernels"])
    for (const char* const name : {"tuning_ns", "settled", "settled_left_out"})
      kernel.erase(name);
  const auto read = read_watch_again(old.dump());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->findings.size(), 4U);
  EXPECT_THAT(read->timelines, IsEmpty());
}

TEST(WatchJson, a_mistake_in_a_timeline_has_its_place) {
  json changed = json::parse(to_json(mixed_watch()));
  changed["timelines"][0]["calls"][0]["spans"][1]["kind"] = "other";
  const auto read = read_watch_again(changed.dump());
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("/timelines/0/calls/0/spans/1/kind: expected trial"));
}

TEST(WatchPage, says_where_a_kernel_is_defined_and_where_it_is_launched) {
  WatchResult::Finding finding = mixed_watch().findings[0];
  EXPECT_EQ(subject_text(finding), "sgd (train.py:9, launched at train.py:53)");
  EXPECT_EQ(cause_of(finding).line, 9);
  finding.definition = {};
  EXPECT_EQ(subject_text(finding), "sgd (train.py:53)");
  EXPECT_EQ(cause_of(finding).line, 53);
}

TEST(WatchPage, what_a_package_defines_is_looked_for_where_the_program_launches_it) {
  WatchResult::Finding finding = mixed_watch().findings[1];
  EXPECT_THAT(subject_text(finding), HasSubstr("fla/l2norm.py:40, launched at train.py:53"));
  EXPECT_EQ(cause_of(finding).file, "train.py");
  finding.place.file = "/elsewhere/train.py";
  EXPECT_EQ(cause_of(finding).file, "/elsewhere/train.py");
  finding.definition.file = "/elsewhere/kernels.py";
  EXPECT_EQ(cause_of(finding).file, "/elsewhere/kernels.py");
}

}  // namespace
}  // namespace tunecheck::test
