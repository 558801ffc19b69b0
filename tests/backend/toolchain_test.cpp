#include "backend/cpu/toolchain.hpp"

#include <gmock/gmock.h>

#include "core/command.hpp"
#include "kernel_folder.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class ToolchainTest : public testing::Test {
 protected:
  // A compiler that passes everything on to the real one, but for what `body` does first.
  fs::path wrapper(const std::string& name, const std::string& body = "") {
    write_script(m_folder.path() / name, body + "\nexec \"" + m_compiler.string() + "\" \"$@\"\n");
    return m_folder.path() / name;
  }
  static Toolchain using_compiler(const fs::path& path) {
    const ScopedVariable variable("TUNECHECK_CXX", path.string());
    return value_of(Toolchain::find());
  }
  static std::string fingerprint_of(const fs::path& path) {
    return value_of(using_compiler(path).fingerprint());
  }

  const KernelFolder m_folder{{}};
  const fs::path m_compiler = value_of(Toolchain::find()).compiler();
};

TEST_F(ToolchainTest, tunecheck_cxx_may_be_a_path_or_a_name) {
  const fs::path program = wrapper("my-compiler");
  EXPECT_EQ(using_compiler(program).compiler(), program);
  const ScopedVariable path("PATH", m_folder.path().string());
  EXPECT_EQ(using_compiler("my-compiler").compiler(), program);
}

TEST_F(ToolchainTest, the_compiler_is_looked_up_anew_each_time) {
  const ScopedVariable none("TUNECHECK_CXX", std::nullopt);
  const ScopedVariable path("PATH", m_folder.path().string());
  ASSERT_FALSE(Toolchain::find());
  const fs::path last = wrapper("clang++");
  EXPECT_EQ(value_of(Toolchain::find()).compiler(), last);
  const fs::path second = wrapper("g++");
  EXPECT_EQ(value_of(Toolchain::find()).compiler(), second);
  const fs::path first = wrapper("c++");
  EXPECT_EQ(value_of(Toolchain::find()).compiler(), first);
}

TEST_F(ToolchainTest, without_a_compiler_the_error_says_how_to_get_one) {
  const ScopedVariable none("TUNECHECK_CXX", std::nullopt);
  const ScopedVariable path("PATH", m_folder.path().string());
  const std::string expected = "no C++ compiler: set TUNECHECK_CXX or install g++ or clang++";
  EXPECT_EQ(Toolchain::find().error().text(), expected);
  EXPECT_EQ(CpuBackend().toolchain_fingerprint().error().text(), expected);
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  EXPECT_EQ(CpuBackend().compile(request_for(kernel)).error().text(), expected);
}

TEST_F(ToolchainTest, a_tunecheck_cxx_that_is_no_program_is_named) {
  const ScopedVariable wrong("TUNECHECK_CXX", "/no/such/compiler");
  EXPECT_THAT(Toolchain::find().error().text(),
              HasSubstr("TUNECHECK_CXX is \"/no/such/compiler\""));
}

TEST_F(ToolchainTest, a_wrapper_has_the_fingerprint_of_what_it_wraps) {
  const std::string direct = fingerprint_of(m_compiler);
  EXPECT_EQ(fingerprint_of(wrapper("passes-on")), direct);
  fs::create_directory_symlink(m_folder.path(), m_folder.path() / "elsewhere");
  EXPECT_EQ(fingerprint_of(m_folder.path() / "elsewhere" / "passes-on"), direct);
}

TEST_F(ToolchainTest, neither_the_compilers_name_nor_its_folder_counts) {
  for (const char* const name : {"g++", "clang++", "clang++-14"}) {
    const fs::path compiler = find_program(name);
    if (compiler.empty()) continue;
    const fs::path link = m_folder.path() / (std::string("another-") + name);
    fs::create_symlink(compiler, link);
    EXPECT_EQ(fingerprint_of(link), fingerprint_of(compiler)) << name;
  }
}

TEST_F(ToolchainTest, another_version_text_is_another_fingerprint) {
  const std::string other =
      fingerprint_of(wrapper("newer", "if [ \"$1\" = --version ]; then \"" + m_compiler.string() +
                                          "\" --version | sed 's/[0-9][.][0-9]/9.9/'; exit; fi"));
  EXPECT_NE(other, fingerprint_of(m_compiler));
}

TEST_F(ToolchainTest, another_compiling_program_is_another_fingerprint) {
  const fs::path program = m_folder.path() / "cc1plus";
  m_folder.write("cc1plus", "one build");
  const std::string answer =
      "case \"$1\" in -print-prog-name=*) echo " + program.string() + "; exit;; esac";
  const fs::path compiler = wrapper("other", answer);
  const std::string first = fingerprint_of(compiler);
  EXPECT_NE(first, fingerprint_of(m_compiler));
  m_folder.write("cc1plus", "two build");
  EXPECT_NE(fingerprint_of(compiler), first);
  m_folder.write("cc1plus", "one build");
  EXPECT_EQ(fingerprint_of(compiler), first);
}

TEST_F(ToolchainTest, a_replaced_compiler_is_asked_again) {
  const std::string before = fingerprint_of(wrapper("replaced"));
  const std::string after = fingerprint_of(
      wrapper("replaced", "if [ \"$1\" = --version ]; then echo replaced compiler 2; exit; fi"));
  EXPECT_NE(before, after);
}

TEST_F(ToolchainTest, one_compiler_is_asked_once_and_twice_at_most) {
  const fs::path log = m_folder.path() / "log";
  const fs::path compiler = wrapper("counted", "echo \"$@\" >>" + log.string());
  const std::string first = fingerprint_of(compiler);
  EXPECT_EQ(fingerprint_of(compiler), first);
  EXPECT_TRUE(using_compiler(compiler).version_line());
  const std::string lines = value_of(read_text_file(log));
  EXPECT_LE(std::count(lines.begin(), lines.end(), '\n'), 2) << lines;
  EXPECT_GE(std::count(lines.begin(), lines.end(), '\n'), 1) << lines;
}

TEST_F(ToolchainTest, neither_finding_nor_making_a_backend_starts_the_compiler) {
  const fs::path log = m_folder.path() / "log";
  const ScopedVariable variable("TUNECHECK_CXX",
                                wrapper("quiet", "echo >>" + log.string()).string());
  (void)value_of(Toolchain::find());
  (void)value_of(CpuBackend().resolve_arch("native"));
  EXPECT_FALSE(fs::exists(log));
}

TEST_F(ToolchainTest, a_compiler_that_gives_no_version_has_no_fingerprint) {
  const auto fingerprint = using_compiler(wrapper("mute", "exit 3")).fingerprint();
  ASSERT_FALSE(fingerprint);
  EXPECT_THAT(fingerprint.error().text(), HasSubstr("does not answer --version: exit status 3"));
}

TEST_F(ToolchainTest, the_version_line_is_the_compilers_own) {
  CommandOptions command;
  command.arguments = {m_compiler.string(), "--version"};
  const std::string version = value_of(run_command(command)).output;
  EXPECT_EQ(value_of(using_compiler(m_compiler).version_line()),
            version.substr(0, version.find('\n')));
}

TEST_F(ToolchainTest, gcc_and_clang_differ) {
  const fs::path gcc = find_program("g++");
  fs::path clang = find_program("clang++");
  if (clang.empty()) clang = find_program("clang++-14");
  if (gcc.empty() || clang.empty()) GTEST_SKIP() << "needs g++ and clang++";
  EXPECT_NE(fingerprint_of(gcc), fingerprint_of(clang));
  EXPECT_THAT(fingerprint_of(clang), Not(HasSubstr("/")));
  EXPECT_THAT(fingerprint_of(gcc), Not(HasSubstr("/")));
}

}  // namespace
}  // namespace tunecheck
