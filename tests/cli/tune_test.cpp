// `tunecheck kernels tune`: a tuner's choice beside the judge's own measurement.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/resources.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// Kernels that are wrong on purpose are in no folder that is read by itself.
std::string test_kernels() {
  return (find_resources().scenarios / "kernels").string();
}

// A kernel of another name; returns its folder.
std::filesystem::path copy_of_axpy(const Place& place, const std::string& name) {
  const std::filesystem::path kernel = place.path() / name;
  std::filesystem::copy(find_resources().kernels / "axpy_inplace", kernel,
                        std::filesystem::copy_options::recursive);
  const std::string own = "axpy_inplace", file = name + "/kernel.info";
  std::string info = place.read(file);
  info.replace(info.find(own), own.size(), name);
  place.write(file, info);
  return kernel;
}

TEST(Tune, shows_every_config_the_default_the_naive_loop_and_a_copy) {
  const Place place;
  const Ran ran = place.run({"kernels", "tune", "axpy_inplace", "--arch", "x86-64-v2"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("^axpy_inplace, size smoke, dtypes f32, arch x86-64-v2, tuned "
                                     "by reference "));
  for (const char* const config : {"block=128,unroll=1 ", "block=512,unroll=16 "})
    EXPECT_THAT(ran.out, ContainsRegex(std::string("  ") + config +
                                       " +[0-9.]+ us +-[0-9]+ \\+[0-9]+ % +[0-9.]+ GB/s +#+"));
  EXPECT_THAT(ran.out, ContainsRegex("\nwinner +block=[0-9]+,unroll=[0-9]+  "));
  EXPECT_THAT(ran.out, ContainsRegex("\ndefault +block=512,unroll=16  .* times the winner's time"));
  EXPECT_THAT(ran.out, ContainsRegex("\nnaive loop +[0-9.]+ us; [0-9.]+ times the winner's time"));
  EXPECT_THAT(ran.out, ContainsRegex("\nplain copy +[0-9.]+ GB/s for as many bytes; the winner "
                                     "reaches [0-9]+ % of that"));
}

TEST(Tune, of_the_winner_alone_measures_no_other_config_but_the_default) {
  const Place place;
  const Ran ran = place.run({"kernels", "tune", "axpy_inplace", "--only-winner"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("\nwinner +block=[0-9]+,unroll=[0-9]+  "));
  EXPECT_THAT(ran.out, ContainsRegex("\ndefault +block=512,unroll=16  "));
  EXPECT_THAT(ran.out, ContainsRegex("\nplain copy +[0-9.]+ GB/s"));
  EXPECT_THAT(ran.out, AllOf(Not(HasSubstr("  failed  ")), Not(HasSubstr("naive loop"))));
}

TEST(Tune, of_another_dtype_and_size_measures_that) {
  const Place place;
  const Ran ran = place.run({"kernels", "tune", "rmsnorm", "--size", "odd", "--dtype", "bf16"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("^rmsnorm, size odd, dtypes bf16, arch native"));
}

// More than there are addresses, whatever the machine promises.
TEST(Tune, a_size_that_no_memory_holds_is_no_mistake_of_tunechecks) {
  const Place place;
  copy_of_axpy(place, "huge");
  std::string info = place.read("huge/kernel.info");
  info.replace(info.find("n 65536"), 7, "n 1000000000000000");
  place.write("huge/kernel.info", info);
  const Ran ran = place.run({"kernels", "tune", "huge", "--kernels", place.path().string()});
  EXPECT_EQ(ran.status, 4);
  EXPECT_EQ(ran.err,
            "tunecheck: this process gets no more memory; is one of the sizes larger than that?\n");
}

TEST(Tune, a_header_that_is_a_pipe_is_named_before_a_compiler_opens_it) {
  const Place place;
  const std::filesystem::path kernel = copy_of_axpy(place, "piped");
  std::filesystem::remove(kernel / "scaled_add.h");
  ASSERT_EQ(::mkfifo((kernel / "scaled_add.h").c_str(), 0600), 0);
  const Ran ran = place.run({"kernels", "tune", "piped", "--kernels", place.path().string()});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err,
            (kernel / "scaled_add.h").string() + ": expected a header, and it is a pipe\n");
}

// As an editor leaves them beside what it edits.
TEST(Tune, a_link_that_leads_nowhere_is_no_part_of_a_kernel) {
  const Place place;
  const std::filesystem::path kernel = copy_of_axpy(place, "edited");
  std::filesystem::create_symlink("me@host.123:456", kernel / ".#cpu.cpp");
  const Ran ran =
      place.run({"kernels", "tune", "edited", "--only-winner", "--kernels", place.path().string()});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

TEST(Tune, configs_that_failed_come_with_their_reason) {
  const Place place;
  const Ran ran = place.run({"kernels", "tune", "faulty_scale", "--kernels", test_kernels()});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("defect=3,[^\n]*  failed  .*"));
  EXPECT_THAT(ran.out, HasSubstr("\nnaive loop    the kernel file names no naive source in cpu"));
}

TEST(Tune, a_kernel_of_which_nothing_works_fails) {
  const Place place;
  const Ran ran = place.run({"kernels", "tune", "no_working_config", "--kernels", test_kernels()});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\nFAILED        the call failed: "));
}

TEST(Tune, a_tuner_that_returns_garbage_fails) {
  const Place place;
  const Ran ran = place.run({"kernels", "tune", "axpy_inplace", "--adapter", "mutant:no_restore"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\nFAILED        wrong result in \"y\": "));
}

TEST(Tune, in_markdown_is_a_table_with_a_row_for_each_kernel) {
  const Place place;
  const Ran ran = place.run({"kernels", "tune", "rmsnorm", "histogram_accumulate", "--markdown"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("^\\| kernel \\| winner \\|.*\n\\|---\\|"));
  EXPECT_THAT(ran.out, ContainsRegex("\n\\| `rmsnorm` \\| `block=[0-9]+,vec=[0-9]+` \\| "));
  EXPECT_THAT(ran.out, HasSubstr("\n| `histogram_accumulate` | `"));
}

// Nothing can be added to it, and a user would learn of that only when the tuning is over.
TEST(Tune, a_table_that_is_none_is_refused_before_anything_is_tuned) {
  const Place place;
  const std::string file = place.write("tuned.json", "{ \"kind\": \"a letter\" }");
  const Ran ran = place.run({"kernels", "tune", "axpy_inplace", "--emit", file});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("kind: expected \"tunecheck table\""));
}

TEST(Tune, what_it_does_not_know_is_told_with_what_it_knows) {
  const Place place;
  const auto refused = [&](const std::string& option, const std::string& value) {
    const Ran ran = place.run({"kernels", "tune", "rmsnorm", option, value});
    EXPECT_EQ(ran.status, 3) << ran.out;
    return ran.err;
  };
  EXPECT_THAT(refused("--size", "large"),
              AllOf(HasSubstr("--size: unknown size \"large\""), HasSubstr("smoke")));
  EXPECT_THAT(refused("--dtype", "f64"),
              AllOf(HasSubstr("--dtype: unknown dtype \"f64\""), HasSubstr("bf16")));
  EXPECT_THAT(refused("--adapter", "nobody"), HasSubstr("nobody"));
}

}  // namespace
}  // namespace tunecheck::test
