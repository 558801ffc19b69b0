// Files include what declares the names that they use.
#include "names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const std::filesystem::path source_root = TUNECHECK_SOURCE_ROOT;

NamedFile named(const std::string& path, const std::string& text) {
  return {parse_source(path, text), names_of(text)};
}

TEST(Names, every_file_includes_what_declares_the_names_that_it_uses) {
  const std::vector<NamedFile> files = read_names(source_root, {"framework", "reports"});
  EXPECT_GT(files.size(), 500U);
  EXPECT_THAT(names_without_headers(files, source_root), IsEmpty());
}

TEST(Names, of_a_library_and_own_types_are_told_apart_from_members) {
  const Names names = names_of(
      "std::vector<Layout> f(const Shape& shape) { return fmt::format(shape.Rank, Kind::Fill); "
      "}\n");
  EXPECT_THAT(names.library, UnorderedElementsAre("std::vector", "fmt::format"));
  EXPECT_THAT(names.types, UnorderedElementsAre("Layout", "Shape", "Kind"));
  EXPECT_THAT(names.declared, IsEmpty());
}

TEST(Names, declared_ones_are_types_and_parameters_of_templates) {
  EXPECT_THAT(names_of("class A { struct B; enum class C { x }; };\n"
                       "using D = A;\n"
                       "template <class E, typename F, class... Gs> void f(E, F, Gs...);\n")
                  .declared,
              UnorderedElementsAre("A", "B", "C", "D", "E", "F", "Gs"));
}

TEST(Names, in_comments_and_literals_do_not_count) {
  const Names names = names_of(
      "// std::map and Layout\n/* std::set */\n#include <vector>\n"
      "const char* a = \"std::list \\\" Text\"; char b = '\"'; int c = 1'000; int d = 'D';\n"
      "const char* e = R\"x(std::span )\" More)x\"; std::string f;\n");
  EXPECT_THAT(names.library, UnorderedElementsAre("std::string"));
  EXPECT_THAT(names.types, IsEmpty());
}

TEST(Names, may_be_declared_in_what_a_header_of_ours_includes) {
  const std::string user = "#include \"core/text.hpp\"\nstd::string f(Result<int>, FileId);\n";
  const std::vector<NamedFile> files = {
      named("framework/core/layout.hpp", "struct FileId {};\n"),
      named("framework/core/result.hpp", "#include <string>\ntemplate <class T> class Result;\n"),
      named("framework/core/text.hpp", "#include \"core/result.hpp\"\n"),
      named("framework/core/user.cpp", user)};
  EXPECT_THAT(names_without_headers(files, source_root),
              ElementsAre("framework/core/user.cpp: FileId without framework/core/layout.hpp"));
}

TEST(Names, of_a_library_need_its_header) {
  const std::vector<NamedFile> files = {
      named("framework/core/user.hpp", "std::optional<nlohmann::json> f(std::vector<int>);\n"),
      named("framework/core/text.hpp", "#include <nlohmann/json.hpp>\nnlohmann::json g();\n")};
  EXPECT_THAT(names_without_headers(files, source_root),
              UnorderedElementsAre(
                  "framework/core/user.hpp: std::vector without <vector>",
                  "framework/core/user.hpp: std::optional without <optional>",
                  "framework/core/user.hpp: nlohmann::json without <nlohmann/json_fwd.hpp>"));
}

TEST(Names, that_a_file_declares_itself_need_no_header) {
  const std::vector<NamedFile> files = {
      named("framework/core/layout.hpp", "class Layout;\n"),
      named("framework/core/user.hpp", "class Layout;\nvoid f(Layout&);\n"),
      named("framework/core/third.hpp", "struct Point {};\n"),
      named("framework/core/fourth.cpp", "struct Point {};\nPoint p; Layout* l;\n")};
  EXPECT_THAT(names_without_headers(files, source_root), IsEmpty());
}

}  // namespace
}  // namespace tunecheck::test
