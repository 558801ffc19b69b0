// On which kinds of device a scenario runs, and what only a GPU's scenarios may say.
#include <gmock/gmock.h>

#include "core/device_kinds.hpp"
#include "judge/run/session.hpp"
#include "judge/scenario/scenario_settings.hpp"
#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* one_call = "process a { call { } }";

// The toy kernel, with a source for GPUs.
class ScenarioBackends : public testing::Test {
 protected:
  ScenarioBackends() {
    KernelText text;
    text.info = with(text.info, "  cpu            { source cpu.cpp }\n",
                     "  cpu { source cpu.cpp }\n  gpu { source gpu.cu grid 1 threads 64 }\n");
    std::filesystem::create_directories(folder.path() / "kernels" / "toy");
    EXPECT_TRUE(write_file(folder.path() / "kernels" / "toy" / "gpu.cu", std::string_view("//")));
    folder.add_kernel("toy", text);
  }

  Scenario scenario(const std::string& head, const std::string& steps = one_call) const {
    return folder.scenarios(scenario_text(steps, head)).at(0);
  }
  std::string mistake(const std::string& head, const std::string& steps = one_call) const {
    const auto read = folder.read(scenario_text(steps, head));
    return read ? "none" : read.error().key + ": " + read.error().message;
  }

  ScenarioFolder folder;
};

TEST_F(ScenarioBackends, are_all_that_the_kernel_has_a_source_for) {
  EXPECT_THAT(scenario("").backends,
              ElementsAre(DeviceKind::cpu, DeviceKind::cuda, DeviceKind::hip));
  EXPECT_THAT(scenario("").cpu_only, IsEmpty());
  const Scenario without_gpu = ScenarioFolder().scenarios(scenario_text(one_call)).at(0);
  EXPECT_THAT(without_gpu.backends, ElementsAre(DeviceKind::cpu));
  EXPECT_EQ(without_gpu.cpu_only, "the kernel toy has no section gpu");
}

TEST_F(ScenarioBackends, are_no_gpus_where_a_caller_does_not_wait) {
  const Scenario unwaited = scenario("", "process a { wait no  call { } }");
  EXPECT_THAT(unwaited.backends, ElementsAre(DeviceKind::cpu));
  EXPECT_THAT(unwaited.cpu_only, HasSubstr("cannot be told from a search"));
  EXPECT_THAT(unwaited.needs, ElementsAre("pending"));
  EXPECT_THAT(why_left_out(unwaited, DeviceKind::cuda), HasSubstr("cannot be told"));
  EXPECT_THAT(mistake("backends cuda", "process a { wait no  call { } }"),
              HasSubstr("wait: expected a scenario that runs on a CPU"));
}

// A kernel that only a tuner with a version of its own can run, on whatever that tuner runs.
class VersionAlone : public testing::Test {
 protected:
  VersionAlone() {
    KernelText text("foreign");
    text.info = with(text.info, "  cpu            { source cpu.cpp }\n", "  versions mine.py\n");
    std::filesystem::create_directories(folder.path() / "kernels" / "foreign");
    EXPECT_TRUE(
        write_file(folder.path() / "kernels" / "foreign" / "mine.py", std::string_view("#")));
    folder.add_kernel("foreign", text);
  }

  ScenarioFolder folder;
};

TEST_F(VersionAlone, runs_on_every_kind_of_device_and_has_no_source_to_touch) {
  const auto text = [](const std::string& steps) {
    return "scenario\n{\n  name family.one\n  because \"it is asked\"\n  kernel foreign\n  steps "
           "{ " +
           steps + " }\n}\n";
  };
  EXPECT_THAT(folder.scenarios(text(one_call)).at(0).backends,
              ElementsAre(DeviceKind::cpu, DeviceKind::cuda, DeviceKind::hip));
  const auto touched = folder.read(text("touch comment\nprocess a { call { } }"));
  ASSERT_FALSE(touched);
  EXPECT_THAT(touched.error().message, HasSubstr("there is no source to touch"));
}

TEST_F(VersionAlone, belongs_to_the_tuner_that_takes_it_and_to_no_other) {
  Catalogue catalogue;
  catalogue.kernels["foreign"] = read_kernel(folder.path() / "kernels" / "foreign").value();
  catalogue.kernels["toy"] = read_kernel(folder.path() / "kernels" / "toy").value();
  AdapterInfo takes_all, takes_some, takes_versions;
  takes_some.kernels = {"toy"};
  takes_versions.kernels = {"toy"};
  takes_versions.kernel_version = "mine.py";
  for (AdapterInfo* const adapter : {&takes_all, &takes_some, &takes_versions})
    name_kernels(*adapter, catalogue, DeviceKind::cpu);
  EXPECT_THAT(takes_all.kernels, ElementsAre("toy"));
  EXPECT_THAT(takes_some.kernels, ElementsAre("toy"));
  EXPECT_THAT(takes_versions.kernels, ElementsAre("toy", "foreign"));
  AdapterInfo on_a_gpu;
  name_kernels(on_a_gpu, catalogue, DeviceKind::cuda);
  EXPECT_THAT(on_a_gpu.kernels, IsEmpty());
}

TEST_F(ScenarioBackends, are_the_cpu_alone_where_a_reason_says_why) {
  const Scenario one = scenario("cpu_only \"CPATH is for C++\"");
  EXPECT_THAT(one.backends, ElementsAre(DeviceKind::cpu));
  EXPECT_EQ(one.cpu_only, "CPATH is for C++");
}

TEST_F(ScenarioBackends, may_be_named) {
  EXPECT_THAT(scenario("backends \"cuda hip\"").backends,
              ElementsAre(DeviceKind::cuda, DeviceKind::hip));
  EXPECT_THAT(mistake("backends \"cuda tpu\""), HasSubstr("backends: unknown backend \"tpu\""));
  EXPECT_THAT(mistake("backends \"cpu sim\""), HasSubstr("backends: expected only sim"));
  EXPECT_THAT(mistake("backends cpu cpu_only why"), HasSubstr("found both"));
  EXPECT_EQ(mistake("backends sim"),
            "backends: the kernel toy has no section sim; expected another backend");
}

// A device that cannot be is no mistake of the tuner's, which would be blamed once it ran.
TEST(ScenarioOnSim, whose_sizes_give_the_model_a_number_out_of_range_is_a_mistake_where_it_is_set) {
  ScenarioFolder folder;
  KernelText text;
  text.info =
      with(text.info, "  cpu            { source cpu.cpp }\n",
           "  sim { cost \"2000 - n\"  noise \"noise / 100\" }\n  cpu { source cpu.cpp }\n");
  text.info = with(text.info, "smoke { n 64 }  full { n 4096 }",
                   "smoke { n 64  noise 1 }  full { n 256  noise 1 }");
  folder.add_kernel("toy", text);
  const auto mistake = [&](const std::string& steps, const std::string& head) {
    const auto read = folder.read(scenario_text(steps, head));
    return read ? "none" : read.error().text().substr(folder.file().string().size());
  };
  const std::string steps = "sizes { n 3 }\nprocess a {\nsizes {\nn 4\nnoise 500\n}\ncall { } }";
  EXPECT_EQ(mistake(steps, "backends sim"),
            ":12: noise: expected another number than 500: on the simulated device, noise is 5; "
            "expected a number of at least 0 and at most 1");
  EXPECT_EQ(mistake(steps, ""), "none") << "on the CPU there is no model";
  EXPECT_THAT(mistake("process a { call {\nsizes { n 2000 }\n} }", "backends sim"),
              testing::StartsWith(":9: n: expected another number than 2000: on the simulated "
                                  "device, config step=1: \"2000 - n\" is 0"));
  EXPECT_EQ(mistake("process a { sizes { noise 40 }\ncall { } }", "backends sim"), "none");
}

TEST_F(ScenarioBackends, on_a_gpu_need_a_kernel_with_a_source_for_it) {
  const auto read = ScenarioFolder().read(scenario_text(one_call, "backends cuda"));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("the kernel toy has no section gpu"));
}

TEST_F(ScenarioBackends, of_a_run_choose_among_scenarios_and_say_why) {
  const std::string miss = "process a { call { expect { cache miss } } }";
  const Scenario everywhere = scenario(""), gpu = scenario("backends \"cuda hip\"", miss),
                 cuda = scenario("backends cuda"), cpu = scenario("cpu_only \"CPATH is for C++\"");
  const std::vector<const Scenario*> all = {&everywhere, &gpu, &cuda, &cpu};
  const auto left_out = [&](DeviceKind backend) {
    std::vector<std::string> reasons;
    for (const LeftOut& each : for_backend(all, backend).left_out)
      reasons.push_back(each.reason);
    return reasons;
  };
  EXPECT_THAT(for_backend(all, DeviceKind::cpu).scenarios, ElementsAre(&everywhere, &cpu));
  EXPECT_THAT(for_backend(all, DeviceKind::cuda).scenarios, ElementsAre(&everywhere, &gpu, &cuda));
  EXPECT_THAT(left_out(DeviceKind::cpu), ElementsAre("it needs a GPU", "it needs a GPU"));
  EXPECT_THAT(left_out(DeviceKind::cuda), ElementsAre("CPATH is for C++"));
  EXPECT_THAT(for_backend(all, DeviceKind::cpu).left_out.at(0).checks,
              ElementsAre("key.must_miss"));
  EXPECT_THAT(left_out(DeviceKind::hip), ElementsAre("it does not run on hip", "CPATH is for C++"));
}

TEST(ScenarioOnTheSimulatedDevice, belongs_to_a_run_on_the_cpu) {
  Scenario simulated;
  simulated.backends = {DeviceKind::sim};
  EXPECT_EQ(device_of(simulated, DeviceKind::cpu), DeviceKind::sim);
  EXPECT_THAT(why_left_out(simulated, DeviceKind::cpu), IsEmpty());
  EXPECT_THAT(why_left_out(simulated, DeviceKind::cuda), HasSubstr("simulated device"));
  EXPECT_EQ(device_of(Scenario(), DeviceKind::cuda), DeviceKind::cuda);
}

TEST_F(ScenarioBackends, of_gpus_have_settings_of_their_own) {
  const Scenario one = scenario("backends \"cuda hip\"",
                                "process a { context 2 stream busy call { capture yes device 3 } "
                                "call { capture no } }");
  const auto calls = one.calls();
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0]->settings.gpu, (protocol::GpuCall{true, true, 2, 3}));
  EXPECT_EQ(calls[1]->settings.gpu, (protocol::GpuCall{true, false, 2, 0}));
  const auto with_steps = [&](const std::string& setting) {
    return mistake("backends cuda", "process a { call { " + setting + " } }");
  };
  EXPECT_EQ(with_steps("stream idle"), "stream: expected busy, found \"idle\"");
  EXPECT_EQ(with_steps("capture 1"), "capture: expected yes or no, found \"1\"");
  EXPECT_EQ(with_steps("context 0"), "context: expected a whole number from 1 to 63, found \"0\"");
  EXPECT_EQ(with_steps("device -1"), "device: expected a whole number from 0 to 63, found \"-1\"");
}

TEST_F(ScenarioBackends, that_are_not_all_gpus_do_not_have_them) {
  EXPECT_THAT(mistake("", "process a { call { capture yes } }"),
              HasSubstr("call: stream, capture, context and device expect a scenario with"));
}

}  // namespace
}  // namespace tunecheck::test
