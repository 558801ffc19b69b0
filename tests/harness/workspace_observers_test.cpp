#include <chrono>
#include <cstdlib>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "backend/gpu/runtime_compiler.hpp"
#include "core/device_kinds.hpp"
#include "core/libraries/elf_file.hpp"
#include "harness/process/workspace.hpp"
#include "observe/spy_settings.hpp"
#include "observe/tools.hpp"
#include "workspace_case.hpp"

namespace tunecheck::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Target = Touch::Target;

TEST_F(WorkspaceCase, has_spies_whose_real_path_is_their_own) {
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  ProcessSetup setup;
  setup.name = "cold";
  ASSERT_TRUE(workspace.prepare_process(setup, AdapterInfo(), observers));
  const fs::path spy = workspace.folder() / "bin" / "c++";
  EXPECT_EQ(fs::canonical(spy), fs::canonical(workspace.folder()) / "bin" / "c++");
  EXPECT_TRUE(fs::equivalent(spy, observers.spy_program)) << "a link to the session's own copy";
  EXPECT_FALSE(fs::equivalent(spy, find_compiler_spy().value())) << "which may be somebody else's";
  const Observers later = find_observers(folder.path() / "store", folder.path() / "spies").value();
  ASSERT_TRUE(workspace.prepare_process(setup, AdapterInfo(), later));
  EXPECT_TRUE(fs::equivalent(spy, later.spy_program)) << "and that of the session that runs";
}

TEST_F(WorkspaceCase, gives_a_process_a_home_a_spy_and_variables_of_its_own) {
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  AdapterInfo adapter;
  adapter.cache_variable = "TOY_CACHE";
  adapter.compiler_variable = "TOY_CXX";
  adapter.environment = {{"TOY", "1"}, {"BOTH", "adapter"}};
  ProcessSetup setup;
  setup.name = "cold";
  setup.environment = {{"BOTH", "scenario"}};
  ASSERT_TRUE(workspace.prepare_process(setup, AdapterInfo(), observers));
  const Environment variables = workspace.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("TOY_CACHE"), workspace.cache_folder());
  EXPECT_EQ(variables.at("TOY_CXX"), workspace.folder() / "bin" / "c++");
  EXPECT_EQ(variables.at("TOY"), "1");
  EXPECT_EQ(variables.at("BOTH"), "scenario");
  EXPECT_EQ(variables.at("TUNECHECK_PROBE_WATCH"), "no");
  EXPECT_EQ(variables.at("LD_PRELOAD"), observers.probe_library.path());
  for (const char* const name : {"HOME", "TMPDIR"}) {
    EXPECT_THAT(variables.at(name), StartsWith(workspace.process_folder("cold").string())) << name;
    EXPECT_TRUE(fs::is_directory(variables.at(name))) << name;
  }
  EXPECT_FALSE(variables.contains("USER"));
  EXPECT_TRUE(fs::exists(workspace.evidence_file("cold")));
  EXPECT_EQ(find_program("c++", variables.at("PATH")), workspace.folder() / "bin" / "c++");
}

TEST_F(WorkspaceCase, the_spy_stands_for_every_compiler_that_the_tuner_looks_for) {
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  AdapterInfo adapter;
  adapter.compilers = {"g++", "no-such-compiler"};
  adapter.compiler_variable = "TOY_COMPILER";
  adapter.compiler = "g++";
  ProcessSetup setup;
  setup.name = "cold";
  setup.compiler = CompilerMode::poisoned;
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  const fs::path bin = workspace.folder() / "bin";
  EXPECT_FALSE(fs::exists(bin / "no-such-compiler"));
  const auto settings = read_spy_settings(spy_settings_file(bin / "g++"));
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_EQ(settings->real_compiler, find_program("g++"));
  EXPECT_EQ(settings->mode, "poisoned");
  EXPECT_EQ(settings->evidence, workspace.evidence_socket("cold"));
  const Environment variables = workspace.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("TOY_COMPILER"), bin / "g++");
}

TEST_F(WorkspaceCase, on_a_gpu_gives_a_process_the_observers_of_one) {
  Workspace other =
      Workspace::create(folder.path() / "work" / "gpu", kernel, DeviceKind::cuda).value();
  Observers observers = find_observers(folder.path() / "store", folder.path() / "spies").value();
  observers.gpu_probe = ListedPath::create("/lib/gpu-probe.so").value();
  observers.runtime_compiler_spy = observers.fault_library.path();  // any library
  observers.runtime_compiler = observers.probe_library.path();
  AdapterInfo adapter;
  adapter.cache_variable = "TOY_CACHE";
  adapter.runtime_compiler_variables = {{DeviceKind::cuda, "TOY_NVRTC"},
                                        {DeviceKind::hip, "TOY_HIPRTC"}};
  ProcessSetup setup;
  setup.name = "cold";
  const auto prepared = other.prepare_process(setup, AdapterInfo(), observers);
  ASSERT_TRUE(prepared) << prepared.error().text();
  const Environment variables = other.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("CUDA_INJECTION64_PATH"), "/lib/gpu-probe.so");
  EXPECT_EQ(variables.at("TUNECHECK_PROBE_KERNEL"), "toy");
  EXPECT_THAT(variables.at("CUDA_CACHE_PATH"), StartsWith(other.process_folder("cold").string()));
  EXPECT_FALSE(variables.contains("LD_PRELOAD"));
  EXPECT_FALSE(variables.contains("TOY_HIPRTC"));
  const fs::path link = variables.at("TOY_NVRTC");
  EXPECT_TRUE(fs::equivalent(link, observers.fault_library.path()));
  const auto settings = read_spy_settings(spy_settings_file(link));
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_EQ(settings->real_compiler, observers.probe_library.path());
  EXPECT_EQ(settings->evidence, other.evidence_socket("cold"));
  setup.compiler = CompilerMode::absent;
  EXPECT_FALSE(fs::exists(other.environment_for(setup, adapter, observers).at("TOY_NVRTC")));
  setup.kill = KillPoint{};
  EXPECT_EQ(other.environment_for(setup, adapter, observers).at("LD_PRELOAD"),
            observers.fault_library.path());
}

TEST_F(WorkspaceCase, on_hip_gives_a_process_the_probe_that_the_loader_loads) {
  const auto compiler = open_runtime_compiler(DeviceKind::hip);
  if (!compiler) GTEST_SKIP() << compiler.error().text();
  Workspace other =
      Workspace::create(folder.path() / "work" / "hip", kernel, DeviceKind::hip).value();
  const auto observers =
      find_observers(folder.path() / "store", folder.path() / "spies", DeviceKind::hip);
  ASSERT_TRUE(observers) << observers.error().text();
  AdapterInfo adapter;
  adapter.runtime_compiler_variables = {{DeviceKind::hip, "TOY_HIPRTC"}};
  ProcessSetup setup;
  setup.name = "cold";
  ASSERT_TRUE(other.prepare_process(setup, AdapterInfo(), *observers));
  ::setenv("TUNECHECK_HIP", "/lib/some-hip.so", 1);
  const Environment variables = other.environment_for(setup, adapter, *observers);
  ::unsetenv("TUNECHECK_HIP");
  EXPECT_EQ(variables.at("LD_AUDIT"), find_gpu_probe(DeviceKind::hip).value());
  EXPECT_EQ(variables.at("TUNECHECK_HIP"), "/lib/some-hip.so");
  EXPECT_FALSE(variables.contains("CUDA_INJECTION64_PATH"));
  EXPECT_FALSE(variables.contains("LD_PRELOAD"));
  EXPECT_TRUE(fs::equivalent(variables.at("TOY_HIPRTC"), observers->runtime_compiler_spy));
  EXPECT_EQ(observers->runtime_compiler, (*compiler)->file());
}

// A tuner may ask a library for its version, or read its build ID.
TEST_F(WorkspaceCase, on_a_gpu_another_compiler_is_a_library_of_another_build) {
  const DeviceKind kind =
      open_runtime_compiler(DeviceKind::cuda) ? DeviceKind::cuda : DeviceKind::hip;
  if (const auto compiler = open_runtime_compiler(kind); !compiler)
    GTEST_SKIP() << compiler.error().text();
  Workspace other = Workspace::create(folder.path() / "work" / "gpu", kernel, kind).value();
  const auto observers = find_observers(folder.path() / "store", folder.path() / "spies", kind);
  ASSERT_TRUE(observers) << observers.error().text();
  AdapterInfo adapter;
  adapter.runtime_compiler_variables = {{kind, "TOY_RTC"}};
  const auto spy_of = [&](CompilerMode mode) {
    ProcessSetup setup;
    setup.name = std::string("process-") + (mode == CompilerMode::other ? "other" : "own");
    setup.compiler = mode;
    EXPECT_TRUE(other.prepare_process(setup, adapter, *observers));
    return ElfFile::read(other.environment_for(setup, adapter, *observers).at("TOY_RTC")).value();
  };
  const ElfFile own = spy_of(CompilerMode::spy);
  const ElfFile another = spy_of(CompilerMode::other);
  if (own.build_id.empty()) GTEST_SKIP() << "this linker writes no build IDs";
  EXPECT_NE(another.build_id, own.build_id);
  EXPECT_EQ(another.symbols, own.symbols);
}

TEST_F(WorkspaceCase, on_a_gpu_touches_the_source_for_gpus) {
  kernel.gpu = GpuSource{kernel.folder / "step.h", {"1"}, {"1"}, "", 0};  // any other file
  Workspace other =
      Workspace::create(folder.path() / "work" / "gpu", kernel, DeviceKind::cuda).value();
  ASSERT_TRUE(other.touch({Target::source}, kernel));
  EXPECT_EQ(read_text_file(other.kernel_folder() / "cpu.cpp").value(), KernelText().cpu);
  EXPECT_THAT(read_text_file(other.kernel_folder() / "step.h").value(),
              EndsWith("\nstruct tunecheck_touched_1;"));
}

TEST_F(WorkspaceCase, without_a_compiler_none_is_in_the_path) {
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  ProcessSetup setup;
  setup.name = "cold";
  setup.compiler = CompilerMode::absent;
  ASSERT_TRUE(workspace.prepare_process(setup, AdapterInfo(), observers));
  const std::string path = workspace.environment_for(setup, {}, observers).at("PATH");
  for (const char* const name : {"c++", "g++", "clang++", "cc"})
    EXPECT_EQ(find_program(name, path), "") << name;
}

TEST_F(WorkspaceCase, removing_it_changes_no_file_that_has_another_name_elsewhere) {
  const TemporaryFolder elsewhere = TemporaryFolder::create("tunecheck-test-elsewhere").value();
  const fs::path program = elsewhere.path() / "program";
  ASSERT_TRUE(write_file(program, std::string_view("x")));
  ASSERT_EQ(::chmod(program.c_str(), 0555), 0);
  fs::create_hard_link(program, workspace.folder() / "name");
  workspace.remove();
  EXPECT_FALSE(fs::exists(workspace.folder()));
  EXPECT_EQ(fs::status(program).permissions(), static_cast<fs::perms>(0555));
}

}  // namespace
}  // namespace tunecheck::test
