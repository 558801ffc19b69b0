// Which files are one process's own, in a record made by hand.
#include "judge/run/files_of_process.hpp"

#include <gmock/gmock.h>

#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FilesOfProcess : public testing::Test {
 protected:
  Result<std::set<std::string>> made(const std::string& glob = "*.json") {
    return files_made_by(*record.record.process("cold"), now, glob);
  }

  HandMadeRecord record;
  FolderSnapshot now = record.cold().cache_after;
};

TEST_F(FilesOfProcess, are_those_that_were_not_there_before) {
  EXPECT_THAT(made().value(), ElementsAre("step=2.json"));
  EXPECT_THAT(made("*").value(), ElementsAre("step=2.json", "step=2.so"));
  record.cold().cache_before = record.cold().cache_after;
  EXPECT_THAT(made().value(), IsEmpty());
}

TEST_F(FilesOfProcess, of_others_that_match_do_not_count) {
  now.files.push_back({"other.json", 10, 0644, "another entry"});
  EXPECT_THAT(made().value(), ElementsAre("step=2.json"));
}

TEST_F(FilesOfProcess, may_hold_the_winners_of_processes_before_it) {
  record.cold().cache_before.files = {{"step=2.json", 5, 0644, "half of it"}};
  const auto files = made();
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(files.error().message, HasSubstr("step=2.json is not one process's own"));
}

TEST_F(FilesOfProcess, may_have_been_written_by_processes_after_it) {
  now.files.back().digest = "grown";
  EXPECT_FALSE(made());
  EXPECT_TRUE(made("*.so")) << "only files that match are looked at";
}

TEST_F(FilesOfProcess, may_be_gone) {
  now.files.pop_back();
  const auto files = made();
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("is gone"));
}

TEST_F(FilesOfProcess, are_those_of_all_its_calls) {
  CallRecord more = record.cold();
  more.cache_before = more.cache_after;
  more.cache_after.files.push_back({"more.json", 10, 0644, "one more entry"});
  now = more.cache_after;
  record.record.processes.at(0).calls.push_back(more);
  EXPECT_THAT(made().value(), ElementsAre("more.json", "step=2.json"));
}

TEST(Globs, stand_for_a_role_or_for_themselves) {
  AdapterInfo adapter;
  adapter.cache_files = {{"entry", "*.json"}};
  EXPECT_EQ(glob_of("entry", adapter), "*.json");
  EXPECT_EQ(glob_of("artifact", adapter), "artifact");
}

}  // namespace
}  // namespace tunecheck::test
