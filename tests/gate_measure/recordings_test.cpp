#include <gmock/gmock.h>

#include "core/files.hpp"
#include "gate/measure/google_benchmark.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Recordings : public testing::Test {
 protected:
  // A file for each time; "sort" took that long, with two repetitions.
  std::vector<fs::path> files(const std::string& side, const std::vector<std::string>& times,
                              const std::string& name = "sort") const {
    std::vector<fs::path> files;
    for (const std::string& time : times) {
      files.push_back(folder.path() / fmt::format("{}-{}.json", side, files.size()));
      const std::string entry =
          fmt::format(R"({{"name": "{}", "real_time": {}, "time_unit": "ns"}})", name, time);
      EXPECT_TRUE(
          write_file(files.back(),
                     fmt::format(R"({{"benchmarks": [{}, {}, )"
                                 R"({{"name": "constant", "real_time": 5, "time_unit": "ns"}}]}})",
                                 entry, entry)));
    }
    return files;
  }

  static GateResult compared(const std::vector<fs::path>& base, const std::vector<fs::path>& head) {
    GateResult result;
    result.kind = "recordings";
    EXPECT_TRUE(compare_recordings(base, head, result));
    return result;
  }

  static std::vector<std::string> around(int middle, int count) {
    std::vector<std::string> times;
    for (int i = 0; i < count; ++i)
      times.push_back(fmt::format("{}.{}", middle, i * 7 % 10));
    return times;
  }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-gaterun").value();
};

TEST_F(Recordings, one_process_each_is_never_enough) {
  const GateResult result = compared(files("base", {"100"}), files("head", {"150"}));
  EXPECT_EQ(result.answer, Answer::inconclusive);
  EXPECT_THAT(result.benchmarks[0].finding.reason,
              HasSubstr("one pair of +50.0 %; 9 more pairs are needed"));
  EXPECT_NEAR(result.benchmarks[0].finding.change, 0.5, 1e-9);
}

TEST_F(Recordings, as_many_as_a_session_has_decide) {
  const GateResult slower =
      compared(files("base", around(100, 50)), files("head", around(108, 50)));
  EXPECT_EQ(slower.benchmarks[0].finding.answer, Answer::regression);
  EXPECT_EQ(slower.answer, Answer::regression);
  EXPECT_THAT(slower.pinning, HasSubstr("no canaries"));
  const GateResult too_few =
      compared(files("base", around(100, 20)), files("head", around(108, 20)));
  EXPECT_EQ(too_few.answer, Answer::inconclusive);
  EXPECT_THAT(too_few.benchmarks[0].finding.reason, HasSubstr("30 more pairs are needed"));
  const GateResult equal = compared(files("base", around(100, 10)),
                                    files("head", {"100.1", "100.2", "100.3", "100.1", "100.5",
                                                   "100", "100.9", "100.2", "100", "100.4"}));
  EXPECT_EQ(equal.answer, Answer::pass);
}

TEST_F(Recordings, the_same_file_twice_is_invalid) {
  const auto file = files("base", {"100"});
  const GateResult result = compared(file, file);
  EXPECT_EQ(result.answer, Answer::invalid);
  EXPECT_THAT(result.reason, HasSubstr("given twice"));
}

TEST_F(Recordings, bad_samples_are_invalid_with_their_place) {
  for (const std::string bad : {"0", "-3", "1e999"}) {
    GateResult result;
    const auto compared = compare_recordings(files("base", {"100"}), files("head", {bad}), result);
    if (!compared) {
      EXPECT_THAT(compared.error().text(), HasSubstr("head-0.json"));
      continue;
    }
    EXPECT_EQ(result.answer, Answer::invalid) << bad;
    EXPECT_THAT(result.benchmarks[0].finding.reason, HasSubstr("sample 1 of 2 of the head"));
  }
}

TEST_F(Recordings, names_of_one_side_alone_are_listed_and_not_compared) {
  const GateResult result =
      compared(files("base", {"100"}, "sort"), files("head", {"100"}, "sort2"));
  ASSERT_EQ(result.benchmarks.size(), 1U);
  EXPECT_EQ(result.benchmarks[0].subject.name, "constant");
  EXPECT_THAT(result.removed, ElementsAre("sort"));
  EXPECT_THAT(result.added, ElementsAre("sort2"));
}

TEST_F(Recordings, a_missing_file_is_named) {
  GateResult result;
  EXPECT_THAT(compare_recordings({folder.path() / "none.json"}, {}, result).error().text(),
              HasSubstr("none.json"));
}

}  // namespace
}  // namespace tunecheck::gate
