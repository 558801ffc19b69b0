#include "reports/stored/result_file.hpp"

#include <gtest/gtest.h>

#include "core/files.hpp"
#include "hand_made_results.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::test {
namespace {

class ResultFileCase : public testing::Test {
 protected:
  std::string written() const { return read_text_file(path).value(); }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-reports").value();
  const std::filesystem::path path = folder.path() / "new" / "result.json";
};

TEST_F(ResultFileCase, replaces_the_result_of_an_earlier_run_before_anything_is_run) {
  ASSERT_TRUE(create_folders(path.parent_path()));
  ASSERT_TRUE(write_file(path, "an earlier one"));
  RunResult begun;
  begun.pending = {"a.one"};
  ASSERT_TRUE(ResultFile(path).update(begun));
  EXPECT_EQ(written(), to_json(begun));
}

TEST_F(ResultFileCase, has_what_was_found_and_what_is_pending) {
  RunResult running = mixed_result();
  running.pending = {"a.one"};
  ASSERT_TRUE(ResultFile(path).update(running));
  EXPECT_EQ(written(), to_json(running));
}

TEST_F(ResultFileCase, says_at_once_why_nothing_could_be_run) {
  ResultFile file(path);
  RunResult result = mixed_result();
  ASSERT_TRUE(file.update(result));
  result.trouble = "there is no device";
  ASSERT_TRUE(file.update(result));
  EXPECT_EQ(written(), to_json(result));
}

TEST_F(ResultFileCase, fails_where_it_cannot_be_written) {
  EXPECT_FALSE(ResultFile("/dev/null/new/result.json").update(mixed_result()));
}

}  // namespace
}  // namespace tunecheck::test
