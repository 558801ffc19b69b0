// The spies that stand for NVRTC and HIPRTC, in front of the real ones where they are.
#include <csignal>
#include <cstdlib>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "backend/gpu/gpu_compiler.hpp"
#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/kernel.hpp"
#include "core/resources.hpp"
#include "observe/evidence.hpp"
#include "observe/file_digest.hpp"
#include "observe/spy_settings.hpp"
#include "observe/tools.hpp"
#include "runtime_libraries.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Library {
  DeviceKind backend;
  const char* prefix;
  const char* output;
  const char* arch_option;
  const char* variable;
  const char* arch;
};

void PrintTo(const Library& library, std::ostream* out) {
  *out << library.prefix;
}

class RuntimeSpy : public testing::TestWithParam<Library> {
 protected:
  void SetUp() override {
    real = GetParam().backend == DeviceKind::cuda ? test::find_nvrtc() : test::find_hiprtc();
    if (real.empty()) GTEST_SKIP() << "there is no " << GetParam().prefix;
    fs::create_directories(link.parent_path());
    settings.real_compiler = real;
    settings.evidence = evidence_file;
    settings.store = folder.path() / "store";
    settings.workspace = folder.path();
    install();
    put("headers/number.h", "#define NUMBER 1\n");
    put("kernel.cu", kernel);
  }

  void install() const {
    const auto installed =
        install_spy(link, find_library_spy(GetParam().backend).value(), settings);
    ASSERT_TRUE(installed) << installed.error().text();
  }

  void put(const std::string& name, const std::string& content) const {
    fs::create_directories((folder.path() / name).parent_path());
    ASSERT_TRUE(write_file(folder.path() / name, content));
  }

  // What the compiler answers to a program of its own.
  CommandResult compile(std::vector<std::string> more = {}, const std::string& expression = "-",
                        const fs::path& library = {}) const {
    fs::remove(output_file());
    CommandOptions options;
    options.arguments = {(program_folder() / "observe-runtime-compile-helper").string(),
                         library.empty() ? link.string() : library.string(),
                         GetParam().prefix,
                         (folder.path() / "kernel.cu").string(),
                         "kernel.cu",
                         expression,
                         std::string(GetParam().arch_option) + GetParam().arch,
                         "-std=c++17",
                         "-I" + (folder.path() / "headers").string()};
    options.arguments.insert(options.arguments.end(), more.begin(), more.end());
    options.folder = folder.path();
    // The real one finds what lies beside it.
    options.environment = current_environment();
    (*options.environment)["LD_LIBRARY_PATH"] = real.parent_path().string();
    auto result = run_command(options);
    EXPECT_TRUE(result);
    return result.value_or(CommandResult{});
  }

  [[nodiscard]] fs::path output_file() const {
    return folder.path() / ("kernel.cu." + std::string(GetParam().output));
  }
  [[nodiscard]] std::string output_digest() const {
    const auto bytes = read_binary_file(output_file());
    return bytes ? artifact_digest(*bytes) : "";
  }
  [[nodiscard]] std::vector<CompileEvent> steps() const {
    if (!fs::exists(evidence_file)) return {};
    std::uint64_t from = 0;
    const auto evidence = read_evidence(evidence_file, from);
    EXPECT_TRUE(evidence) << evidence.error().text();
    return evidence ? evidence->compiles : std::vector<CompileEvent>();
  }
  // Without the second steps, which are what a program takes besides.
  [[nodiscard]] std::vector<CompileEvent> recorded() const {
    std::vector<CompileEvent> events = steps();
    std::erase_if(events, [](const CompileEvent& event) { return event.links; });
    return events;
  }
  // Whether another compile, of what now lies in the folder, is answered from the store.
  [[nodiscard]] bool is_stored(const std::vector<std::string>& more = {},
                               const std::string& expression = "-") const {
    EXPECT_THAT(compile(more, expression).output, HasSubstr("compile 0"));
    return recorded().back().from_store;
  }

  const std::string kernel =
      "#include \"number.h\"\n#include <given.h>\n"
      "template <class T> __global__ void add(T* y) { y[0] += NUMBER; }\n"
      "extern \"C\" __global__ void scale(float* y) { y[0] *= NUMBER + GIVEN; }\n";
  TemporaryFolder folder = TemporaryFolder::create("tunecheck-runtime-spy").value();
  fs::path real;
  fs::path link = folder.path() / "bin" / "libspied.so";
  fs::path evidence_file = folder.path() / "evidence.jsonl";
  SpySettings settings;
};

TEST_P(RuntimeSpy, a_compile_is_passed_on_and_recorded) {
  settings.store.clear();
  install();
  const CommandResult real_run = compile({}, "add<float>", real);
  const std::string real_digest = output_digest();
  const CommandResult run = compile({}, "add<float>");
  EXPECT_EQ(run.output, real_run.output);
  EXPECT_EQ(output_digest(), real_digest);
  EXPECT_NE(real_digest, "");
  EXPECT_THAT(run.output, HasSubstr("lowered _Z3addIfEvPT_"));
  ASSERT_EQ(recorded().size(), 1U);
  const CompileEvent event = recorded()[0];
  EXPECT_EQ(event.tool, GetParam().prefix);
  EXPECT_THAT(event.arguments,
              ElementsAre(std::string(GetParam().arch_option) + GetParam().arch, "-std=c++17",
                          "-I" + (folder.path() / "headers").string(), "kernel.cu"));
  EXPECT_EQ(event.mode, "pass");
  EXPECT_EQ(event.exit_status, 0);
  EXPECT_EQ(event.output_digest, real_digest);
  EXPECT_FALSE(event.from_store || event.query);
  EXPECT_GT(event.wall_ns, 0);
  EXPECT_GT(event.pid, 0);
}

// What is launched may be the text, which the driver compiles: CubeCL takes no binary.
TEST_P(RuntimeSpy, a_text_that_is_taken_beside_the_binary_is_a_second_step) {
  if (GetParam().backend != DeviceKind::cuda) GTEST_SKIP() << "HIPRTC makes binaries alone";
  for (const bool is_stored : {false, true}) {
    fs::remove(evidence_file);
    EXPECT_THAT(compile().output, HasSubstr("compile 0"));
    const auto events = steps();
    ASSERT_EQ(events.size(), 2U) << "each output once, and no other kind";
    EXPECT_EQ(events[0].from_store, is_stored);
    EXPECT_EQ(events[0].output_digest, output_digest());
    EXPECT_FALSE(events[0].links);
    EXPECT_TRUE(events[1].links);
    const std::string text = read_text_file(folder.path() / "kernel.cu.PTX").value();
    ASSERT_EQ(text.back(), '\0');
    EXPECT_EQ(events[1].output_digest,
              bytes_digest(std::as_bytes(std::span(text.data(), text.size() - 1))));
  }
}

// A program may open the library under another name, by a link of its own: CubeCL looks for
// libnvrtc.so.
TEST_P(RuntimeSpy, links_to_its_link_are_followed) {
  const fs::path other = folder.path() / "other";
  fs::create_directories(other);
  fs::create_symlink("second.so", other / "first.so");
  fs::create_symlink(fs::relative(link, other), other / "second.so");
  EXPECT_THAT(compile({}, "-", other / "first.so").output, HasSubstr("compile 0"));
  EXPECT_EQ(recorded().size(), 1U);
}

TEST_P(RuntimeSpy, an_error_in_the_source_is_the_compilers) {
  put("kernel.cu", kernel + "nonsense\n");
  const CommandResult run = compile();
  EXPECT_THAT(run.output, HasSubstr("compile 6"));
  EXPECT_THAT(run.output, HasSubstr("nonsense"));
  EXPECT_EQ(recorded().at(0).exit_status, 6);
  EXPECT_EQ(recorded()[0].output_digest, "");
}

TEST_P(RuntimeSpy, a_poisoned_one_refuses_every_compile_and_says_so) {
  EXPECT_FALSE(is_stored());
  settings.mode = "poisoned";
  install();
  const CommandResult run = compile();
  EXPECT_THAT(run.output, HasSubstr("compile 6"));
  EXPECT_THAT(run.output, HasSubstr("log tunecheck: error: the compiler is poisoned"));
  EXPECT_FALSE(fs::exists(output_file()));
  ASSERT_EQ(recorded().size(), 2U);
  EXPECT_EQ(recorded()[1].mode, "poisoned");
  EXPECT_EQ(recorded()[1].exit_status, 6);
  EXPECT_EQ(recorded()[1].output_digest, "");
}

TEST_P(RuntimeSpy, a_slow_one_waits_and_a_crashing_one_takes_its_process_along) {
  settings.mode = "slow";
  settings.delay_ms = 300;
  install();
  EXPECT_THAT(compile().output, HasSubstr("compile 0"));
  EXPECT_GE(recorded().at(0).wall_ns, 300'000'000);
  settings.mode = "crashing";
  install();
  EXPECT_EQ(compile().end.signal, SIGSEGV);
  EXPECT_EQ(recorded().at(1).exit_status, 128 + SIGSEGV);
}

TEST_P(RuntimeSpy, another_build_has_another_version) {
  const std::string before = compile().output;
  settings.version_suffix = " (another build)";
  install();
  const std::string after = compile().output;
  EXPECT_NE(after.substr(0, after.find('\n')), before.substr(0, before.find('\n')));
}

TEST_P(RuntimeSpy, a_second_compile_of_the_same_is_answered_from_the_store) {
  const CommandResult first = compile({}, "add<float>");
  const std::string digest = output_digest();
  const CommandResult second = compile({}, "add<float>");
  EXPECT_EQ(second.output, first.output);
  EXPECT_EQ(output_digest(), digest);
  ASSERT_EQ(recorded().size(), 2U);
  EXPECT_FALSE(recorded()[0].from_store);
  EXPECT_TRUE(recorded()[1].from_store);
  EXPECT_EQ(recorded()[1].output_digest, digest);
}

TEST_P(RuntimeSpy, whatever_decides_the_output_is_compared) {
  EXPECT_FALSE(is_stored());
  EXPECT_TRUE(is_stored());
  EXPECT_FALSE(is_stored({"-DMORE=1"}));
  EXPECT_FALSE(is_stored({}, "add<float>"));
  put("headers/number.h", "#define NUMBER 2\n");
  EXPECT_FALSE(is_stored()) << "a header";
  EXPECT_TRUE(is_stored());
  put("number.h", "#define NUMBER 3\n");
  EXPECT_FALSE(is_stored()) << "a header that hides another";
  put("kernel.cu", kernel + "#if 0\n#endif\n");
  EXPECT_FALSE(is_stored()) << "the source";
  EXPECT_TRUE(is_stored());
}

TEST_P(RuntimeSpy, a_header_of_a_header_counts) {
  put("headers/number.h", "#include \"deeper.h\"\n");
  put("headers/deeper.h", "#define NUMBER 1\n");
  EXPECT_FALSE(is_stored());
  EXPECT_TRUE(is_stored());
  put("headers/deeper.h", "#define NUMBER 2\n");
  EXPECT_FALSE(is_stored());
}

TEST_P(RuntimeSpy, a_folder_counts_by_its_content_and_not_by_its_name) {
  EXPECT_FALSE(is_stored());
  fs::rename(folder.path() / "headers", folder.path() / "others");
  fs::create_directory_symlink(folder.path() / "others", folder.path() / "headers");
  put("empty/nothing.h", "");
  EXPECT_TRUE(is_stored());
  EXPECT_FALSE(is_stored({"-I" + (folder.path() / "empty").string()})) << "one folder more";
}

TEST_P(RuntimeSpy, what_tells_not_all_is_never_stored) {
  for (const char* const line :
       {"// __TIME__\n", "#define WHAT \"number.h\"\n#include WHAT\n", "// assert(true)\n"}) {
    put("kernel.cu", kernel + line);
    EXPECT_FALSE(is_stored()) << line;
    EXPECT_FALSE(is_stored()) << line;
  }
}

TEST_P(RuntimeSpy, a_damaged_output_in_the_store_is_compiled_again) {
  EXPECT_FALSE(is_stored());
  for (const auto& entry : fs::directory_iterator(settings.store / "outputs"))
    ASSERT_TRUE(write_file(entry.path(), std::string_view("damaged")));
  EXPECT_FALSE(is_stored());
  EXPECT_TRUE(is_stored());
}

TEST_P(RuntimeSpy, what_cannot_be_recorded_is_not_compiled) {
  settings.evidence = "/nonexistent/evidence.jsonl";
  install();
  const CommandResult run = compile();
  EXPECT_THAT(run.output, HasSubstr("compile 6"));
  EXPECT_THAT(run.output, HasSubstr("cannot record evidence"));
}

TEST_P(RuntimeSpy, without_settings_there_is_no_compiler) {
  fs::remove(spy_settings_file(link));
  EXPECT_THAT(compile().output, Not(HasSubstr("create 0")));
}

TEST_P(RuntimeSpy, a_missing_real_library_cannot_be_spied_on) {
  settings.real_compiler = "/nonexistent/library.so";
  EXPECT_FALSE(install_spy(link, find_library_spy(GetParam().backend).value(), settings));
}

TEST_P(RuntimeSpy, a_fifo_in_place_of_builtins_is_not_waited_for) {
  const fs::path beside = folder.path() / "real" / real.filename();
  fs::create_directories(beside.parent_path());
  fs::create_symlink(real, beside);
  ASSERT_EQ(::mkfifo((beside.parent_path() / "libnvrtc-builtins.so.1").c_str(), 0600), 0);
  settings.real_compiler = beside;
  install();
  EXPECT_THAT(compile().output, HasSubstr("compile 0"));
}

// As the tuner compiles: in children that find the library by its variable.
TEST_P(RuntimeSpy, the_backend_compiles_through_it) {
  KernelDefinition scale;
  scale.name = "scale";
  scale.folder = folder.path();
  scale.gpu = GpuSource{folder.path() / "gpu.cu", {"1"}, {"block"}, "", 1};
  put("gpu.cu",
      "#include <tunecheck/gpu_kernel.h>\n"
      "extern \"C\" __global__ void scale(tunecheck::Tensor<float> y) { y(0) = BLOCK; }\n");
  const std::vector<CompileRequest> requests = {{&scale, {}, {{"block", 64}}, GetParam().arch, {}}};
  ::setenv(GetParam().variable, link.c_str(), 1);
  const auto first = compile_gpu_all(GetParam().backend, requests, 1);
  const auto second = compile_gpu_all(GetParam().backend, requests, 1);
  settings.mode = "poisoned";
  install();
  const auto third = compile_gpu_all(GetParam().backend, requests, 1);
  ::unsetenv(GetParam().variable);
  ASSERT_TRUE(first[0]) << first[0].error().text();
  ASSERT_TRUE(second[0]) << second[0].error().text();
  EXPECT_EQ(second[0]->bytes, first[0]->bytes);
  ASSERT_FALSE(third[0]);
  EXPECT_THAT(third[0].error().message, HasSubstr("poisoned"));
  const auto events = recorded();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].output_digest, artifact_digest(first[0]->bytes));
  EXPECT_FALSE(events[0].from_store);
  EXPECT_TRUE(events[1].from_store);
}

INSTANTIATE_TEST_SUITE_P(Each, RuntimeSpy,
                         testing::Values(Library{DeviceKind::cuda, "nvrtc", "CUBIN",
                                                 "--gpu-architecture=", "TUNECHECK_NVRTC", "sm_90"},
                                         Library{DeviceKind::hip, "hiprtc", "Code",
                                                 "--offload-arch=", "TUNECHECK_HIPRTC", "gfx90a"}),
                         [](const auto& tested) { return std::string(tested.param.prefix); });

}  // namespace
}  // namespace tunecheck
