// The kernel that docs/kernels.md adds in ten minutes.
#include <gtest/gtest.h>

#include "core/files.hpp"
#include "judge/prove.hpp"
#include "page.hpp"

namespace tunecheck::test {
namespace {

TEST(KernelsPage, its_example_is_a_kernel_that_can_be_proved) {
  const Page page("kernels.md");
  const auto folder = TemporaryFolder::create("tunecheck-test-docs");
  ASSERT_TRUE(folder) << folder.error().text();
  for (const char* const name : {"kernel.info", "cpu.cpp", "reference.cpp"})
    ASSERT_TRUE(write_file(folder->path() / name, page.file(name)));
  const auto kernel = read_kernel(folder->path());
  ASSERT_TRUE(kernel) << kernel.error().text();
  ProveOptions options;
  options.jobs = 1;
  const auto proof = prove_kernel(*kernel, options);
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->error, "");
  for (const auto& config : proof->configs)
    EXPECT_TRUE(config.right) << to_string(config.config) << ": " << config.text;
  for (const auto& rejection : proof->rejections)
    EXPECT_TRUE(rejection.rejected || !rejection.applicable)
        << rejection.wrong_result << ": " << rejection.text;
  EXPECT_TRUE(proof->proved());
}

}  // namespace
}  // namespace tunecheck::test
