// Tuning at the desk, where something is wrong; tests/cli has what users see of the rest.
#include "proof/tune_kernel.hpp"

#include <gmock/gmock.h>

#include "blind_probe.hpp"
#include "core/files.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

class TuneKernel : public testing::Test {
 protected:
  Result<KernelTuning> tune(const AdapterInfo& adapter) const {
    TuneOptions options;
    options.adapter = &adapter;
    options.rounds = 1;
    return tune_kernel(m_kernel, options);
  }

  const TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-desk").value();
  const KernelDefinition m_kernel = write_kernel(m_folder.path() / "toy");
};

TEST_F(TuneKernel, under_a_probe_that_is_blind_is_refused) {
  const auto tuned = tune(adapter_with_blind_probe(m_folder.path()));
  ASSERT_FALSE(tuned);
  EXPECT_EQ(tuned.error().text(), blind_refusal);
}

TEST_F(TuneKernel, a_tuner_that_dies_is_told_beside_the_judges_own_times) {
  AdapterInfo adapter = find_adapter("reference").value();
  adapter.command = {"/bin/false"};
  const auto tuned = tune(adapter);
  ASSERT_TRUE(tuned) << tuned.error().text();
  EXPECT_EQ(tuned->trouble, "the adapter ended instead of answering \"hello\": exit status 1");
  EXPECT_EQ(tuned->tuner, "");
  EXPECT_EQ(tuned->winner(), nullptr);
  ASSERT_NE(tuned->default_row(), nullptr);
  EXPECT_TRUE(tuned->default_row()->times);
}

TEST_F(TuneKernel, the_winner_is_what_was_launched_for_the_caller) {
  const auto tuned = tune(find_adapter("reference").value());
  ASSERT_TRUE(tuned) << tuned.error().text();
  EXPECT_EQ(tuned->trouble, "");
  EXPECT_NE(tuned->tuner, "");
  EXPECT_NE(tuned->winner(), nullptr);
}

// Another alignment has another fastest config: axpy_inplace took 7.2 us here where its tuner
// saw 4.7.
TEST_F(TuneKernel, times_all_configs_on_tensors_that_lie_as_those_of_the_tuner) {
  KernelText text("toy");
  text.cpu = with(text.cpu, "  (void)config;\n",
                  "  (void)config;\n"
                  "  if (reinterpret_cast<uintptr_t>(x.data()) % 64 != 0) __builtin_trap();\n"
                  "  if (reinterpret_cast<uintptr_t>(y.data()) % 64 != 0) __builtin_trap();\n");
  TuneOptions options;
  const AdapterInfo adapter = find_adapter("reference").value();
  options.adapter = &adapter;
  options.rounds = 1;
  const auto tuned = tune_kernel(write_kernel(m_folder.path() / "aligned", text), options);
  ASSERT_TRUE(tuned) << tuned.error().text();
  EXPECT_EQ(tuned->trouble, "");
  for (const KernelTuning::Row& row : tuned->rows)
    EXPECT_EQ(row.failure, "") << to_string(row.config);
}

}  // namespace
}  // namespace tunecheck::test
