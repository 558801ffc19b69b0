// The shape of the source tree: what includes what, how long files are, which classes have a
// comment, where links lead.
#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "long_classes.hpp"
#include "source_tree.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::filesystem::path root = TUNECHECK_SOURCE_ROOT;

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string part_of_include(const Include& include, const std::filesystem::path& from) {
  const std::string target = resolve(include, from);
  return target.empty() ? target : part_of(target);
}

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

// Somebody who meets such a class must not have to read all of its callers: above it stands what it
// is for, in which order its members are called, and what holds when it is half done.
TEST(Structure, a_class_of_over_40_lines_says_what_it_is_for) {
  std::string found;
  for (const SourceFile& file : read_sources(root, {"framework", "reports"}))
    for (const std::string& line : uncommented_classes(file.path, text_of(root / file.path)))
      found += line + "\n";
  EXPECT_EQ(found, "");
}

TEST(Structure, every_link_in_the_documents_leads_to_a_file) {
  std::vector<std::filesystem::path> documents = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    documents.push_back(entry.path());
  const std::regex link(R"(\]\(([A-Za-z0-9_./-]+)(#[^)]*)?\))");
  int links = 0;
  for (const auto& document : documents) {
    const std::string content = text_of(document);
    for (std::sregex_iterator at(content.begin(), content.end(), link), end; at != end; ++at) {
      ++links;
      EXPECT_TRUE(std::filesystem::exists(document.parent_path() / (*at)[1].str()))
          << document << ": " << (*at)[1];
    }
  }
  EXPECT_GT(links, 10);
}

TEST(Structure, the_judge_must_not_see_the_tuner) {
  EXPECT_THAT(forbidden_in("framework/judge/run/x.cpp",
                           "#include \"core/files.hpp\"\n\n"
                           "  # include \"tuner/tuner.hpp\"\n"),
              ElementsAre("framework/judge/run/x.cpp:3: judge/run may not use tuner"));
}

TEST(Structure, the_core_uses_nothing_but_itself) {
  EXPECT_THAT(forbidden_in("framework/core/x.hpp", "#include <backend/backend.hpp>\n"),
              ElementsAre("framework/core/x.hpp:1: core may not use backend"));
  EXPECT_THAT(forbidden_in("framework/core/x.hpp", "#include \"core/result.hpp\"\n"), IsEmpty());
}

TEST(Structure, the_judge_uses_the_protocol_and_not_our_adapter) {
  EXPECT_THAT(
      forbidden_in("framework/judge/run/x.cpp", "#include \"adapter/protocol/messages.hpp\"\n"),
      IsEmpty());
  EXPECT_THAT(forbidden_in("framework/judge/run/x.cpp",
                           "#include \"adapter/reference/mapped_tensors.hpp\"\n"),
              ElementsAre("framework/judge/run/x.cpp:1: judge/run may not use adapter/reference"));
}

TEST(Structure, scenarios_see_the_table_of_checks_and_checks_see_scenarios) {
  EXPECT_THAT(
      forbidden_in("framework/judge/scenario/x.cpp", "#include \"judge/checks/table/check.hpp\"\n"),
      IsEmpty());
  EXPECT_THAT(
      forbidden_in("framework/judge/scenario/x.cpp", "#include \"judge/checks/record.hpp\"\n"),
      ElementsAre("framework/judge/scenario/x.cpp:1: judge/scenario may not use judge/checks"));
  EXPECT_THAT(forbidden_in("framework/judge/checks/table/x.cpp",
                           "#include \"judge/scenario/scenario.hpp\"\n"),
              ElementsAre("framework/judge/checks/table/x.cpp:1: judge/checks/table may not use "
                          "judge/scenario"));
}

// What uses what, with everything that is used in turn: no part may come back to itself.
TEST(Structure, no_two_parts_use_each_other) {
  std::map<std::string, std::set<std::string>> uses;
  for (const SourceFile& file : read_sources(root, {"framework", "reports"}))
    for (const Include& include : file.includes)
      if (const std::string used = part_of_include(include, root);
          !used.empty() && used != part_of(file.path))
        uses[part_of(file.path)].insert(used);
  EXPECT_THAT(uses["judge/checks"], testing::Contains("judge/scenario"));
  // The header that every kernel includes also declares what the probe defines.
  uses["observe"].erase("backend");
  for (bool grows = true; grows;) {
    grows = false;
    for (auto& [part, used] : uses)
      for (const std::string& each : std::set<std::string>(used))
        for (const std::string& further : uses[each])
          grows = used.insert(further).second || grows;
  }
  for (const auto& [part, used] : uses)
    EXPECT_FALSE(used.contains(part)) << part;
}

TEST(Structure, judge_proof_and_gate_stand_side_by_side_over_the_harness) {
  EXPECT_THAT(
      forbidden_in("framework/harness/process/x.cpp", "#include \"judge/scenario/scenario.hpp\"\n"),
      ElementsAre("framework/harness/process/x.cpp:1: harness/process may not use "
                  "judge/scenario"));
  EXPECT_THAT(forbidden_in("framework/harness/kernel/x.cpp",
                           "#include \"harness/process/workspace.hpp\"\n"),
              ElementsAre("framework/harness/kernel/x.cpp:1: harness/kernel may not use "
                          "harness/process"));
  EXPECT_THAT(forbidden_in("framework/proof/x.cpp", "#include \"judge/scenario/scenario.hpp\"\n"),
              ElementsAre("framework/proof/x.cpp:1: proof may not use judge/scenario"));
  EXPECT_THAT(forbidden_in("framework/gate/measure/x.cpp", "#include \"judge/run/session.hpp\"\n"),
              ElementsAre("framework/gate/measure/x.cpp:1: gate/measure may not use judge/run"));
  EXPECT_THAT(forbidden_in("framework/gate/rule/x.cpp", "#include \"result/verdict.hpp\"\n"),
              ElementsAre("framework/gate/rule/x.cpp:1: gate/rule may not use result"));
}

// A folder of many files hides what belongs together.
TEST(Structure, no_folder_holds_more_than_55_sources) {
  std::map<std::filesystem::path, int> folders;
  for (const SourceFile& file : read_sources(root, {"framework", "reports"}))
    ++folders[std::filesystem::path(file.path).parent_path()];
  EXPECT_GT(folders.size(), 20U);
  for (const auto& [folder, sources] : folders)
    EXPECT_LE(sources, 55) << folder;
}

// Only there is a limit of its depth.
TEST(Structure, json_is_parsed_in_one_place) {
  const std::regex call(R"((\w*[Jj]son|Parsed)::(parse|sax_parse)\()");
  std::vector<std::string> places;
  for (const SourceFile& file : read_sources(root, {"framework", "reports"}))
    if (std::regex_search(text_of(root / file.path), call)) places.push_back(file.path);
  EXPECT_THAT(places, ElementsAre("framework/core/parse_json.hpp"));
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
  EXPECT_THAT(wrong("reports/ci/junit.cpp", "#include <map>\n"),
              ElementsAre("reports/ci/junit.cpp: reports/ci/junit.hpp must be its first include"));
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

// A definition of so many lines that begins with `head`.
std::string definition(const std::string& head, int lines) {
  std::string text = head + " {\n";
  for (int i = 2; i < lines; ++i)
    text += "  int m_" + std::to_string(i) + ";\n";
  return text + "};\n";
}

TEST(Structure, a_long_class_without_a_comment_is_named) {
  const auto wrong = [](const std::string& text) { return uncommented_classes("x.cpp", text); };
  EXPECT_THAT(wrong("namespace n {\n\n" + definition("class Reader final : public Base", 41)),
              ElementsAre("x.cpp:3: Reader has 41 lines and no comment directly above"));
  EXPECT_THAT(
      wrong(definition("template <class A,\n          class B>\nstruct Outer<A>::Inner", 50)),
      ElementsAre("x.cpp:1: Inner has 52 lines and no comment directly above"));
  EXPECT_THAT(wrong("// Of something else.\n\n" + definition("class [[nodiscard]] Tuning", 60)),
              ElementsAre("x.cpp:3: Tuning has 60 lines and no comment directly above"));
  EXPECT_THAT(wrong("// Outer.\nclass Outer {\n" + definition("struct Inner", 41) + "};\n"),
              ElementsAre("x.cpp:3: Inner has 41 lines and no comment directly above"));
  EXPECT_THAT(wrong("// Braces elsewhere count for nothing.\n" + definition("class A", 40) +
                    "const char brace = '}'; const auto text = R\"({)\"; // {\n" +
                    definition("class B", 41)),
              ElementsAre("x.cpp:43: B has 41 lines and no comment directly above"));
}

TEST(Structure, a_long_class_with_a_comment_and_a_short_one_are_accepted) {
  const auto wrong = [](const std::string& text) { return uncommented_classes("x.hpp", text); };
  EXPECT_THAT(wrong("// What it is for.\n" + definition("class Reader", 41)), IsEmpty());
  EXPECT_THAT(wrong("  /// What it is for.\n" + definition("struct Reader", 90)), IsEmpty());
  EXPECT_THAT(wrong("/* What it\n   is for. */\n" + definition("template <class T>\nclass R", 41)),
              IsEmpty());
  EXPECT_THAT(wrong(definition("class Reader", 40)), IsEmpty());
  EXPECT_THAT(wrong("class Later;\n" + definition("enum class Word", 41) +
                    definition("template <class T>\nvoid function()", 41)),
              IsEmpty());
  EXPECT_THAT(wrong("// class Reader\n" + definition("void function()", 41)), IsEmpty());
}

TEST(Structure, the_page_about_architecture_has_every_part) {
  const std::string page = text_of(root / "docs/architecture.md");
  std::set<std::string> parts;
  for (const SourceFile& file : read_sources(root, {"framework", "reports"}))
    parts.insert(part_of(file.path));
  EXPECT_GT(parts.size(), 15U);
  for (const std::string& part : parts)
    EXPECT_THAT(page, testing::HasSubstr(
                          fmt::format("| `{}` |", part == "reports" ? part : "framework/" + part)));
}

TEST(Structure, a_new_part_must_be_declared) {
  EXPECT_THAT(forbidden_in("framework/novelty/x.cpp", ""),
              ElementsAre("framework/novelty/x.cpp: belongs to no part that docs/architecture.md "
                          "knows"));
}

}  // namespace
}  // namespace tunecheck::test
