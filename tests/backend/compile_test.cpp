#include <gmock/gmock.h>

#include "backend/cpu/cpu_module.hpp"
#include "core/command.hpp"
#include "core/resources.hpp"
#include "kernel_folder.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A source whose object would hold paths, if anything could make it hold them.
const char* const talkative_source = R"(#include <tunecheck/cpu_kernel.h>
#include "detail/more.h"
namespace { struct Begin { Begin() { count = 1; } static inline int count; } begin; }
__attribute__((visibility("default"))) const char* where() { return __FILE__; }
void axpy(tunecheck::Tensor<const X_TYPE>, tunecheck::Tensor<Y_TYPE> y) { y(0) = Begin::count; }
TUNECHECK_KERNEL(axpy)
)";

std::map<std::string, std::string> talkative_files() {
  return {{"kernel.info", kernel_info("", "-g")},
          {"cpu.cpp", talkative_source},
          {"detail/more.h",
           "inline const char* header() { return __FILE__; }\n"
           "__attribute__((visibility(\"default\"))) "
           "inline const char* (*used)() = header;\n"},
          {"reference.cpp", axpy_files().at("reference.cpp")}};
}

bool holds(const Artifact& artifact, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return std::search(artifact.bytes.begin(), artifact.bytes.end(), bytes.begin(), bytes.end()) !=
         artifact.bytes.end();
}

Result<Artifact> compile_in(const KernelFolder& folder) {
  const KernelDefinition kernel = folder.read();
  return CpuBackend().compile(request_for(kernel));
}

Result<Artifact> compile_source(const std::string& source) {
  auto files = axpy_files();
  files["cpu.cpp"] = source;
  return compile_in(KernelFolder(files));
}

// How the compiler was called, one word a line, its temporary folder and this one left out.
class CompilerLog {
 public:
  explicit CompilerLog(const KernelFolder& folder)
      : m_file(folder.path() / "log"),
        m_variable("TUNECHECK_CXX", script(folder, value_of(Toolchain::find()).compiler())) {}
  [[nodiscard]] std::string text() const { return value_of(read_text_file(m_file)); }

 private:
  std::string script(const KernelFolder& folder, const fs::path& compiler) const {
    const fs::path path = folder.path() / "logging-compiler";
    write_script(path, "printf '%s\\n' \"$@\" >>" + m_file.string() + "\nexec " +
                           compiler.string() + " \"$@\"\n");
    return path.string();
  }
  fs::path m_file;
  ScopedVariable m_variable;
};

TEST(Compile, the_same_request_makes_the_same_bytes_wherever_the_folder_is) {
  const KernelFolder one(talkative_files());
  const KernelFolder two(talkative_files());
  const Artifact first = value_of(compile_in(one));
  const Artifact second = value_of(compile_in(two));
  EXPECT_TRUE(first.bytes == second.bytes);
  EXPECT_FALSE(holds(first, one.path().string()));
}

TEST(Compile, the_same_request_makes_the_same_bytes_wherever_temporary_files_go) {
  const KernelFolder folder(talkative_files());
  const KernelFolder other_place{{}};
  const Artifact first = value_of(compile_in(folder));
  const ScopedVariable place("TMPDIR", other_place.path().string());
  EXPECT_TRUE(value_of(compile_in(folder)).bytes == first.bytes);
}

TEST(Compile, the_same_request_makes_the_same_bytes_wherever_tunecheck_is_installed) {
  const KernelFolder folder(talkative_files());
  const Artifact first = value_of(compile_in(folder));
  const KernelFolder installed{{}};
  fs::copy(find_resources().include, installed.path() / "include", fs::copy_options::recursive);
  const ScopedVariable root("TUNECHECK_ROOT", installed.path().string());
  EXPECT_TRUE(value_of(compile_in(folder)).bytes == first.bytes);
}

TEST(Compile, the_same_request_makes_the_same_bytes_through_a_wrapper) {
  const KernelFolder folder(talkative_files());
  const KernelFolder scratch{{}};
  const Artifact first = value_of(compile_in(folder));
  const CompilerLog log(scratch);
  EXPECT_TRUE(value_of(compile_in(folder)).bytes == first.bytes);
  EXPECT_THAT(log.text(), HasSubstr("cpu.cpp"));
}

TEST(Compile, the_same_request_makes_the_same_bytes_with_clang) {
  fs::path clang = find_program("clang++");
  if (clang.empty()) clang = find_program("clang++-14");
  if (clang.empty()) GTEST_SKIP() << "needs clang++";
  const ScopedVariable compiler("TUNECHECK_CXX", clang.string());
  const KernelFolder one(talkative_files());
  const Artifact first = value_of(compile_in(one));
  EXPECT_TRUE(value_of(compile_in(KernelFolder(talkative_files()))).bytes == first.bytes);
  EXPECT_FALSE(holds(first, one.path().string()));
  EXPECT_TRUE(CpuBackend().load(first));
}

TEST(Compile, the_folder_is_left_as_it_was) {
  const KernelFolder folder(talkative_files());
  ASSERT_TRUE(compile_in(folder));
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, talkative_files().size());
}

TEST(Compile, a_relative_folder_is_as_good_as_an_absolute_one) {
  const KernelFolder folder(axpy_files());
  const Artifact absolute = value_of(compile_in(folder));
  const KernelDefinition kernel = value_of(read_kernel(fs::relative(folder.path())));
  EXPECT_TRUE(value_of(CpuBackend().compile(request_for(kernel))).bytes == absolute.bytes);
  EXPECT_TRUE(value_of(compile_reference(value_of(Toolchain::find()), kernel)).bytes ==
              value_of(compile_reference(value_of(Toolchain::find()), folder.read())).bytes);
}

TEST(Compile, config_dtypes_and_options_reach_the_source) {
  auto files = axpy_files();
  files["kernel.info"] = kernel_info("factor { dtype f32  value 2 }", "-DKERNEL_OPTION=1");
  files["cpu.cpp"] = R"(#include <tunecheck/cpu_kernel.h>
template <class A, class B> struct Same { static constexpr bool yes = false; };
template <class A> struct Same<A, A> { static constexpr bool yes = true; };
static_assert(BLOCK == 8 && KERNEL_OPTION == 1 && CALLER_OPTION == 2);
static_assert(Same<X_TYPE, unsigned char>::yes && Same<Y_TYPE, tunecheck::bf16>::yes);
static_assert(__builtin_strcmp(TUNECHECK_TO_TEXT(TUNECHECK_CONFIG), "block=8,vec=4") == 0);
void axpy(tunecheck::Tensor<X_TYPE>, tunecheck::Tensor<Y_TYPE>, float) {}
TUNECHECK_KERNEL(axpy)
)";
  const KernelFolder folder(files);
  const KernelDefinition kernel = folder.read();
  CompileRequest request = request_for(kernel);
  request.config = {{"vec", 4}, {"block", 8}};
  request.dtypes = {DType::u8, DType::bf16};
  request.options = {"-DCALLER_OPTION=2"};
  const auto artifact = CpuBackend().compile(request);
  EXPECT_TRUE(artifact) << artifact.error().text();
}

TEST(Compile, files_that_options_name_are_relative_to_the_kernels_folder) {
  auto files = axpy_files();
  files["kernel.info"] = kernel_info("factor { dtype f32  value 2 }", "-Iheaders -DBUILT=1");
  files["headers/own/name.h"] = "";
  files["cpu.cpp"] = "#include <own/name.h>\n" + files["cpu.cpp"];
  EXPECT_TRUE(compile_in(KernelFolder(files)));
}

TEST(Compile, a_source_in_another_alphabet_compiles) {
  EXPECT_TRUE(compile_source("// ünïcode ≤\n" + axpy_files().at("cpu.cpp")));
}

TEST(Compile, the_error_is_the_compilers_first_complaint) {
  const auto artifact = compile_source(
      "#warning not this\n#include <tunecheck/cpu_kernel.h>\nint f() { return first_mistake; }\n"
      "int g() { return second_mistake; }\n");
  ASSERT_FALSE(artifact);
  EXPECT_THAT(artifact.error().message, StartsWith("cpu.cpp:3:"));
  EXPECT_THAT(artifact.error().message, HasSubstr("error:"));
  EXPECT_THAT(artifact.error().message, HasSubstr("first_mistake"));
}

TEST(Compile, complaints_are_english_in_every_locale) {
  const ScopedVariable language("LC_ALL", "de_DE.UTF-8");
  const KernelFolder scratch{{}};
  const fs::path compiler = scratch.path() / "polyglot";
  write_script(compiler, "test \"$LC_ALL\" = C && echo x: error: english || echo Fehler\nexit 1\n");
  const ScopedVariable variable("TUNECHECK_CXX", compiler.string());
  EXPECT_EQ(compile_source("").error().message, "x: error: english");
}

TEST(Compile, a_compiler_that_fails_without_a_word_is_reported_by_its_end) {
  const KernelFolder scratch{{}};
  const fs::path compiler = scratch.path() / "broken";
  write_script(compiler, "echo starting; echo 'giving up'; exit 7\n");
  const ScopedVariable variable("TUNECHECK_CXX", compiler.string());
  EXPECT_EQ(compile_source("").error().message, "the compiler failed: exit status 7: giving up");
  write_script(compiler, "exit 0\n");
  EXPECT_THAT(compile_source("").error().message, HasSubstr("wrote no shared object"));
}

TEST(Compile, a_compiler_that_hangs_is_ended_and_cleaned_up_after) {
  const KernelFolder scratch{{}};
  const fs::path compiler = scratch.path() / "endless";
  write_script(compiler,
               "touch \"$TMPDIR/left-behind\"; sleep 20; echo error: not ended; exit 1\n");
  const ScopedVariable variable("TUNECHECK_CXX", compiler.string());
  const KernelFolder temporary{{}};
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  const ScopedVariable place("TMPDIR", temporary.path().string());
  const auto artifact = CpuBackend(std::chrono::milliseconds(200)).compile(request_for(kernel));
  ASSERT_FALSE(artifact);
  EXPECT_THAT(artifact.error().message, HasSubstr("no end within the time limit"));
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

TEST(Compile, a_request_that_does_not_fit_the_kernel_is_refused) {
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  CompileRequest request = request_for(kernel);
  request.dtypes.pop_back();
  EXPECT_THAT(CpuBackend().compile(request).error().text(), HasSubstr("2 tensors"));
  request = request_for(kernel);
  request.arch = "x86-64-v9";
  EXPECT_THAT(CpuBackend().compile(request).error().text(), HasSubstr("x86-64-v9"));
}

TEST(Compile, every_variable_of_the_environment_that_counts_is_named) {
  const std::vector<std::string> variables = CpuBackend().environment_variables();
  for (const char* const name : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    auto files = axpy_files();
    files["cpu.cpp"] = "#include <from_environment.h>\n" + files["cpu.cpp"];
    files["elsewhere/from_environment.h"] = "";
    const KernelFolder folder(files);
    EXPECT_FALSE(compile_in(folder));
    const ScopedVariable variable(name, (folder.path() / "elsewhere").string());
    EXPECT_TRUE(compile_in(folder)) << name;
    EXPECT_THAT(variables, testing::Contains(name));
  }
  const KernelFolder folder(axpy_files());
  const Artifact plain = value_of(compile_in(folder));
  for (const char* const name : {"C_INCLUDE_PATH", "LD_LIBRARY_PATH", "LD_RUN_PATH"}) {
    const ScopedVariable variable(name, "/nowhere");
    const bool changes = value_of(compile_in(folder)).bytes != plain.bytes;
    const bool named = std::find(variables.begin(), variables.end(), name) != variables.end();
    EXPECT_EQ(changes, named) << name;
  }
}

TEST(CompileAll, results_come_in_the_order_of_the_requests) {
  auto files = axpy_files();
  files["cpu.cpp"] = "#if BLOCK == 3\n#error three is refused\n#endif\n" + files["cpu.cpp"];
  const KernelFolder folder(files);
  const KernelDefinition kernel = folder.read();
  std::vector<CompileRequest> requests;
  for (std::int64_t block = 1; block <= 5; ++block) {
    requests.push_back(request_for(kernel));
    requests.back().config = {{"block", block}};
  }
  const CpuBackend backend;
  const auto results = backend.compile_all(requests, 2);
  ASSERT_EQ(results.size(), 5U);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i == 2) {
      ASSERT_FALSE(results[i]);
      EXPECT_THAT(results[i].error().text(), HasSubstr("three is refused"));
      continue;
    }
    ASSERT_TRUE(results[i]) << results[i].error().text();
    EXPECT_TRUE(holds(*results[i], "block=" + std::to_string(i + 1)));
  }
}

// Each compiler takes a numbered seat while it runs; the log tells how many were taken at once.
TEST(CompileAll, no_more_compilers_run_than_were_asked_for) {
  const KernelFolder scratch{{}};
  const std::string seats = scratch.path().string();
  const fs::path compiler = scratch.path() / "seated";
  write_script(compiler, "mkdir -p " + seats + "/seats; touch " + seats + "/seats/$$; ls " + seats +
                             "/seats | wc -l >>" + seats + "/log; sleep 0.2; ls " + seats +
                             "/seats | wc -l >>" + seats + "/log; rm " + seats +
                             "/seats/$$; exit 1\n");
  const ScopedVariable variable("TUNECHECK_CXX", compiler.string());
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  const std::vector<CompileRequest> requests(6, request_for(kernel));
  const auto most_at_once = [&](int jobs) {
    fs::remove(scratch.path() / "log");
    (void)CpuBackend().compile_all(requests, jobs);
    std::istringstream log(value_of(read_text_file(scratch.path() / "log")));
    int most = 0;
    for (int seen = 0; log >> seen;)
      most = std::max(most, seen);
    return most;
  };
  EXPECT_EQ(most_at_once(1), 1);
  EXPECT_LE(most_at_once(2), 2);
  EXPECT_GT(most_at_once(6), 2);
}

TEST(CompileAll, nothing_to_compile_is_nothing) {
  EXPECT_TRUE(CpuBackend().compile_all({}, 0).empty());
}

}  // namespace
}  // namespace tunecheck
