// The shape of the source tree: who includes whom, how long files are, where links lead.
#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "source_tree.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::filesystem::path root = TUNECHECK_SOURCE_ROOT;

std::vector<std::string> forbidden_in(const std::string& path, const std::string& text) {
  return forbidden_includes(parse_source(path, text), root);
}

TEST(Structure, a_part_includes_only_the_parts_before_it) {
  std::string found;
  const std::vector<SourceFile> files = read_sources(root, {"framework", "reports"});
  EXPECT_GT(files.size(), 50U);
  for (const SourceFile& file : files)
    for (const std::string& line : forbidden_includes(file, root))
      found += line + "\n";
  EXPECT_EQ(found, "");
}

TEST(Structure, no_file_exceeds_600_lines) {
  for (const SourceFile& file : read_sources(root, {"framework", "kernels", "reports", "tests"}))
    EXPECT_LE(file.lines, 600) << file.path;
}

TEST(Structure, files_are_short_on_the_whole) {
  std::vector<int> lines;
  for (const SourceFile& file : read_sources(root, {"framework", "reports"}))
    lines.push_back(file.lines);
  std::sort(lines.begin(), lines.end());
  EXPECT_LE(lines.at(lines.size() / 2), 130) << "the median";
}

TEST(Structure, a_source_includes_its_own_header_first) {
  const std::vector<SourceFile> files = read_sources(root, {"framework", "reports"});
  std::string found;
  for (const SourceFile& file : files)
    for (const std::string& line : not_included_first(file, root))
      found += line + "\n";
  EXPECT_EQ(found, "");
}

TEST(Structure, a_header_may_be_included_twice) {
  std::string found;
  for (const SourceFile& file : read_sources(root, {"framework", "reports"}))
    if (!file.path.ends_with(".cpp") && !file.guarded) found += file.path + "\n";
  EXPECT_EQ(found, "");
}

TEST(Structure, every_link_in_the_documents_leads_to_a_file) {
  std::vector<std::filesystem::path> documents = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    documents.push_back(entry.path());
  const std::regex link(R"(\]\(([A-Za-z0-9_./-]+)(#[^)]*)?\))");
  int links = 0;
  for (const auto& document : documents) {
    std::ostringstream text;
    text << std::ifstream(document).rdbuf();
    const std::string content = text.str();
    for (std::sregex_iterator at(content.begin(), content.end(), link), end; at != end; ++at) {
      ++links;
      EXPECT_TRUE(std::filesystem::exists(document.parent_path() / (*at)[1].str()))
          << document << ": " << (*at)[1];
    }
  }
  EXPECT_GT(links, 10);
}

TEST(Structure, the_judge_must_not_see_the_tuner) {
  EXPECT_THAT(forbidden_in("framework/judge/x.cpp",
                           "#include \"core/files.hpp\"\n\n"
                           "  # include \"tuner/tuner.hpp\"\n"),
              ElementsAre("framework/judge/x.cpp:3: judge may not use tuner"));
}

TEST(Structure, the_core_uses_nothing_but_itself) {
  EXPECT_THAT(forbidden_in("framework/core/x.hpp", "#include <backend/backend.hpp>\n"),
              ElementsAre("framework/core/x.hpp:1: core may not use backend"));
  EXPECT_THAT(forbidden_in("framework/core/x.hpp", "#include \"core/result.hpp\"\n"), IsEmpty());
}

TEST(Structure, the_judge_uses_the_protocol_and_not_our_adapter) {
  EXPECT_THAT(forbidden_in("framework/judge/x.cpp", "#include \"adapter/protocol/messages.hpp\"\n"),
              IsEmpty());
  EXPECT_THAT(
      forbidden_in("framework/judge/x.cpp", "#include \"adapter/reference/mapped_tensors.hpp\"\n"),
      ElementsAre("framework/judge/x.cpp:1: judge may not use adapter/reference"));
}

TEST(Structure, the_tuner_uses_no_observer_and_observers_no_tuner) {
  EXPECT_THAT(forbidden_in("framework/tuner/x.cpp", "#include \"observe/evidence.hpp\"\n"),
              ElementsAre("framework/tuner/x.cpp:1: tuner may not use observe"));
  EXPECT_THAT(forbidden_in("framework/observe/x.cpp", "#include \"tuner/tuner.hpp\"\n"),
              ElementsAre("framework/observe/x.cpp:1: observe may not use tuner"));
}

TEST(Structure, a_path_says_from_the_root_where_a_file_is) {
  EXPECT_THAT(forbidden_in("framework/core/x.cpp", "#include \"files.hpp\"\n"),
              ElementsAre("framework/core/x.cpp:1: \"files.hpp\" is not a path from framework/ or "
                          "the root"));
  EXPECT_THAT(forbidden_in("framework/core/x.cpp", "#include <vector>\n"), IsEmpty());
}

TEST(Structure, what_is_included_before_the_own_header_is_named) {
  const auto wrong = [](const std::string& path, const std::string& text) {
    return not_included_first(parse_source(path, text), root);
  };
  const std::string own = "#include \"core/files.hpp\"\n";
  EXPECT_THAT(wrong("framework/core/files.cpp", "// Files.\n" + own + "#include <map>\n"),
              IsEmpty());
  EXPECT_THAT(wrong("framework/core/files.cpp", "#include <map>\n" + own),
              ElementsAre("framework/core/files.cpp: core/files.hpp must be its first include"));
  EXPECT_THAT(wrong("framework/core/files.cpp", ""),
              ElementsAre("framework/core/files.cpp: core/files.hpp must be its first include"));
  EXPECT_THAT(wrong("reports/junit.cpp", "#include <map>\n"),
              ElementsAre("reports/junit.cpp: reports/junit.hpp must be its first include"));
  EXPECT_THAT(wrong("framework/core/there_is_no_such_header.cpp", "#include <map>\n"), IsEmpty());
}

TEST(Structure, a_guard_comes_before_all_that_is_compiled) {
  const auto guarded = [](const std::string& text) { return parse_source("x.hpp", text).guarded; };
  EXPECT_TRUE(guarded("// What it is.\n\n#pragma once\nint x;\n"));
  EXPECT_TRUE(guarded("#ifndef X_H\n#define X_H\nint x;\n#endif\n"));
  EXPECT_FALSE(guarded("int x;\n#pragma once\n"));
  EXPECT_FALSE(guarded("#ifndef X_H\nint x;\n#endif\n"));
  EXPECT_FALSE(guarded("// Nothing.\n"));
}

TEST(Structure, a_new_part_must_be_declared) {
  EXPECT_THAT(forbidden_in("framework/novelty/x.cpp", ""),
              ElementsAre("framework/novelty/x.cpp: belongs to no part that docs/architecture.md "
                          "knows"));
}

}  // namespace
}  // namespace tunecheck::test
