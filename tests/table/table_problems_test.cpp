// What `tunecheck tables check` finds: each kind of trouble, and nothing where there is none.
#include "table/table_problems.hpp"

#include <gmock/gmock.h>

#include "core/resources.hpp"
#include "table/table_entry.hpp"

namespace tunecheck::table {
namespace {

using testing::HasSubstr;

class TableProblems : public testing::Test {
 protected:
  TableProblems() {
    m_kernels.emplace("axpy_inplace",
                      read_kernel(find_resources().kernels / "axpy_inplace").value());
    Entry entry;
    entry.kernel = "axpy_inplace";
    entry.device = {"sm_90", "NVIDIA H200, 132 multiprocessors, warps of 32"};
    entry.dtypes = {{"x", DType::f32}, {"y", DType::f32}};
    entry.sizes = {{"n", 4096}};
    entry.config = {{"block", 512}, {"unroll", 4}};
    entry.median_ns = 610;
    entry.code = "now";
    entry.space = space_digest(
        m_kernels.at("axpy_inplace").space.enumerate(to_variables(entry.sizes)).value());
    entry.line = 6;
    m_table.entries.push_back(entry);
  }

  Entry& entry() { return m_table.entries.front(); }

  // The trouble that is found, and what is said of it.
  std::string found() {
    const auto problems = problems_of(
        m_table, m_kernels,
        [](const KernelDefinition&, const Device&) -> Result<std::string> { return "now"; },
        "tuned.json");
    if (problems.empty()) return "none";
    EXPECT_EQ(problems.size(), 1u);
    return fmt::format("{}: {}", name_of(problems.front().trouble), problems.front().text);
  }

  std::map<std::string, KernelDefinition> m_kernels;
  OfflineTable m_table;
};

TEST_F(TableProblems, are_none_where_all_is_well) {
  EXPECT_EQ(found(), "none");
  entry().median_ns.reset();
  entry().code.clear();
  entry().space.clear();
  EXPECT_EQ(found(), "none");
  entry().device = {"x86-64-v3", ""};
  EXPECT_EQ(found(), "none");
}

TEST_F(TableProblems, are_kernels_that_nobody_knows) {
  entry().kernel = "axpi";
  EXPECT_EQ(found(), "no such kernel: there is no kernel \"axpi\"");
}

TEST_F(TableProblems, are_devices_that_nobody_has) {
  entry().device.kind = "NVIDIA H200, 80 multiprocessors, warps of 32";
  EXPECT_THAT(found(), HasSubstr("no such device: no sm_90 has 80 multiprocessors"));
  entry().device = {"pdp11", ""};
  EXPECT_THAT(found(), HasSubstr("no such device: there is no arch \"pdp11\""));
  entry().device = {"x86-64-v9", ""};
  EXPECT_THAT(found(), HasSubstr("no such device: there is no arch \"x86-64-v9\""));
  for (const char* const arch : {"sm_90", "gfx942"}) {
    entry().device = {arch, ""};
    EXPECT_THAT(found(), HasSubstr("no such device: the kind is empty; expected that of a GPU"));
  }
}

TEST_F(TableProblems, are_sizes_and_dtypes_that_the_kernel_does_not_have) {
  entry().sizes["rows"] = 3;
  EXPECT_THAT(found(), HasSubstr("wrong question"));
  entry().sizes.erase("rows");
  entry().dtypes["x"] = DType::u8;
  EXPECT_THAT(found(), HasSubstr("wrong question: tensor x of axpy_inplace may not be u8"));
  entry().dtypes["x"] = DType::f32;
  entry().sizes["n"] = -4096;
  EXPECT_EQ(found(), "wrong question: n is -4096; expected at least 0");
}

TEST_F(TableProblems, are_configs_outside_the_space) {
  entry().config["block"] = 513;
  EXPECT_THAT(found(), HasSubstr("outside space: block=513,unroll=4 is not one of the 6 configs"));
}

TEST_F(TableProblems, are_entries_for_other_code_or_another_space) {
  entry().space = "then";
  EXPECT_THAT(found(), HasSubstr("stale space"));
  entry().code = "then";
  EXPECT_THAT(found(), HasSubstr("stale code"));
}

TEST_F(TableProblems, are_entries_that_are_given_twice) {
  m_table.entries.push_back(entry());
  EXPECT_EQ(found(), "given twice: line 6 is for the same");
}

TEST_F(TableProblems, are_times_that_are_none) {
  entry().median_ns = 0;
  EXPECT_THAT(found(), HasSubstr("no time"));
}

TEST(ProblemsOfAitersTables, are_devices_doubles_and_times) {
  const std::string text =
      "gfx,cu_num,M,us,kernelName\n"
      "gfx942,304,1,2.5,a\n"
      "gfx950,80,1,2.5,a\n"
      "gfx942,304,1,2.0,b\n"
      "gfx942,304,2,inf,a\n";
  const auto problems = problems_of(parse_aiter_table(text, "gemm.csv").value());
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].trouble, Trouble::no_such_device);
  EXPECT_EQ(problems[0].line, 3);
  EXPECT_EQ(problems[1].trouble, Trouble::given_twice);
  EXPECT_EQ(problems[1].text, "gemm.csv:2 is for the same");
  EXPECT_EQ(problems[2].trouble, Trouble::no_time);
  const auto old = problems_of(parse_aiter_table("cu_num,M,us\n80,1,3\n", "old.csv").value());
  ASSERT_EQ(old.size(), 1u);
  EXPECT_THAT(old[0].text, HasSubstr("without an arch"));
}

}  // namespace
}  // namespace tunecheck::table
