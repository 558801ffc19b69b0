// The judge's own measurement must not take a slow spell of the machine for a slow config.
#include "judge/run/own_measurement.hpp"

#include <gmock/gmock.h>

#include "core/device_kinds.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

using testing::Key;
using testing::UnorderedElementsAre;

class OwnMeasurementTest : public testing::Test {
 protected:
  // Measures the toy kernel with `in_kernel` at the beginning of its body; FOLDER stands for a
  // folder that all of its processes share.
  OwnMeasurement measure(const std::string& in_kernel) {
    KernelText text;
    text.cpu = with(text.cpu, "  (void)config;", "  (void)config;\n" + in_kernel);
    text.cpu = "#include <fcntl.h>\n#include <unistd.h>\n#define FOLDER \"" +
               m_folder.path().string() + "\"\n" + text.cpu;
    const KernelDefinition kernel = write_kernel(m_folder.path() / "toy", text);
    protocol::CallRequest request;
    request.kernel = kernel.name;
    request.sizes = kernel.sizes.at("smoke");
    request.space = kernel.space;
    request.scalars = {{"factor", 1.25}};
    std::vector<TensorFile> files;
    for (const TensorParameter& tensor : kernel.tensors)
      files.emplace_back(m_folder.path() / (tensor.name + ".bin"), DType::f32,
                         Layout::contiguous(std::vector<std::int64_t>{64}), 0, Fill(), 1,
                         tensor.name);
    return measure_all_configs(DeviceKind::cpu, kernel, request, files);
  }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-measure").value();
};

TEST_F(OwnMeasurementTest, a_config_that_met_a_slow_spell_is_not_slow) {
  // Every launch of the first process that runs config 2 takes 3 ms longer.
  const OwnMeasurement found = measure(R"(
  static const bool slow =
      step == 2 && ::open(FOLDER "/was_here", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0;
  if (slow) ::usleep(3000);)");
  ASSERT_EQ(found.trouble, "");
  ASSERT_THAT(found.median_ns, UnorderedElementsAre(Key("step=1"), Key("step=2")));
  EXPECT_LT(found.median_ns.at("step=2"), 3e6);
}

TEST_F(OwnMeasurementTest, a_config_that_is_always_slow_is) {
  const OwnMeasurement found = measure("  if (step == 2) ::usleep(3000);");
  ASSERT_EQ(found.trouble, "");
  EXPECT_GE(found.median_ns.at("step=2"), 3e6);
}

TEST_F(OwnMeasurementTest, a_config_that_fails_now_and_then_is_out) {
  const OwnMeasurement found = measure(R"(
  static const bool bad =
      step == 2 && ::open(FOLDER "/was_here", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0;
  if (bad) ::_exit(3);)");
  ASSERT_EQ(found.trouble, "");
  EXPECT_THAT(found.median_ns, UnorderedElementsAre(Key("step=1")));
}

}  // namespace
}  // namespace tunecheck::test
