#pragma once
// A spy in a folder of its own, in front of the machine's compiler.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "observe/evidence.hpp"
#include "observe/spy_settings.hpp"
#include "observe/tools.hpp"

namespace tunecheck {

class SpyFixture : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(link.parent_path());
    settings.real_compiler = "c++";
    settings.evidence = evidence_file;
    settings.workspace = folder.path();
    install();
  }

  void install() {
    const auto installed = install_spy(link, spy(), settings);
    ASSERT_TRUE(installed.has_value()) << installed.error().text();
  }

  // As in a run, a copy on the file system of the link, which is therefore a hard one.
  [[nodiscard]] std::filesystem::path spy() const {
    const std::filesystem::path built = find_compiler_spy().value();
    const std::filesystem::path copy = folder.path() / "spies" / built.filename();
    std::filesystem::create_directories(copy.parent_path());
    std::filesystem::copy_file(built, copy, std::filesystem::copy_options::skip_existing);
    return copy;
  }

  [[nodiscard]] CommandResult run(std::vector<std::string> arguments, const Environment& more = {},
                                  const std::filesystem::path& working_folder = {}) const {
    arguments.insert(arguments.begin(), link.string());
    CommandOptions options;
    options.arguments = std::move(arguments);
    options.environment = current_environment();
    for (const auto& [name, value] : more)
      (*options.environment)[name] = value;
    options.folder = working_folder.empty() ? folder.path() : working_folder;
    auto result = run_command(options);
    EXPECT_TRUE(result.has_value());
    return result.value_or(CommandResult{});
  }

  void put(const std::filesystem::path& file, const std::string& content) const {
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(write_file(file, content).has_value());
  }

  [[nodiscard]] std::vector<CompileEvent> recorded() const {
    std::uint64_t from = 0;
    const auto evidence = read_evidence(evidence_file, from);
    EXPECT_TRUE(evidence.has_value()) << evidence.error().text();
    return evidence ? evidence->compiles : std::vector<CompileEvent>();
  }

  TemporaryFolder folder = TemporaryFolder::create("tunecheck-spy").value();
  std::filesystem::path link = folder.path() / "bin" / "c++";
  std::filesystem::path evidence_file = folder.path() / "evidence.jsonl";
  SpySettings settings;
};

}  // namespace tunecheck
