#include <gmock/gmock.h>
#include <sys/stat.h>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/source_text.hpp"
#include "core/resources.hpp"
#include "kernel_folder.hpp"

namespace tunecheck {
namespace {

using testing::Contains;
using testing::ElementsAre;

std::vector<std::string> header_names(const KernelFolder& folder) {
  const KernelDefinition kernel = folder.read();
  std::vector<std::string> names;
  for (const SourceText& header : value_of(CpuBackend().sources(kernel)).headers)
    names.push_back(header.name);
  return names;
}

std::map<std::string, std::string> with_source(const std::string& source,
                                               std::map<std::string, std::string> more = {}) {
  more.merge(axpy_files());
  more["cpu.cpp"] = source;
  return more;
}

TEST(Sources, the_source_comes_with_its_text_and_tunechecks_header) {
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  const KernelSources sources = value_of(CpuBackend().sources(kernel));
  EXPECT_EQ(sources.source.name, "cpu.cpp");
  EXPECT_EQ(sources.source.text, axpy_files().at("cpu.cpp"));
  ASSERT_EQ(sources.headers.size(), 1U);
  EXPECT_EQ(sources.headers[0].name, "tunecheck/cpu_kernel.h");
  EXPECT_EQ(sources.headers[0].text,
            value_of(read_text_file(find_resources().include / "tunecheck/cpu_kernel.h")));
}

TEST(Sources, headers_of_headers_are_found_in_the_order_of_inclusion) {
  const KernelFolder folder(
      with_source("#include \"a.h\"\n#include \"c.h\"\n",
                  {{"a.h", "#  include \"detail/b.h\"\n#include \"c.h\"\n"},
                   {"detail/b.h", "#include \"c.h\"\n#include \"../d.h\"\n"},
                   {"detail/c.h", "#pragma once\n"},
                   {"c.h", "#include <tunecheck/reference.h>\n#include \"a.h\"\n"},
                   {"d.h", ""}}));
  EXPECT_THAT(header_names(folder), ElementsAre("a.h", "detail/b.h", "detail/c.h", "d.h", "c.h",
                                                "tunecheck/reference.h", "tunecheck/cpu_kernel.h"));
}

TEST(Sources, headers_of_the_toolchain_are_left_out) {
  const KernelFolder folder(with_source("#include <vector>\n#include \"string.h\"\n"));
  EXPECT_THAT(header_names(folder), ElementsAre());
}

TEST(Sources, angle_brackets_do_not_search_beside_the_source) {
  const KernelFolder folder(with_source("#include <math.h>\n", {{"math.h", ""}}));
  EXPECT_THAT(header_names(folder), ElementsAre());
}

TEST(Sources, folders_that_the_kernels_options_name_are_searched) {
  auto files = with_source("#include <one.h>\n#include <two.h>\n#include \"three.h\"\n",
                           {{"first/one.h", ""},
                            {"second/two.h", ""},
                            {"third/three.h", ""},
                            {"forced.h", "#include <one.h>\n"}});
  files["kernel.info"] =
      kernel_info("", "-Ifirst -isystem second -iquote third -include forced.h -O2");
  EXPECT_THAT(header_names(KernelFolder(files)),
              ElementsAre("forced.h", "first/one.h", "second/two.h", "third/three.h"));
}

TEST(Sources, names_do_not_depend_on_where_the_folder_is) {
  const auto files =
      with_source("#include \"a.h\"\n#include <tunecheck/cpu_kernel.h>\n", {{"a.h", ""}});
  EXPECT_EQ(header_names(KernelFolder(files)), header_names(KernelFolder(files)));
}

TEST(Sources, an_include_in_a_comment_does_not_count) {
  const KernelFolder folder(with_source(
      "// #include \"a.h\"\n/*\n#include \"a.h\"\n*/\n// continued \\\n#include \"a.h\"\n"
      "const char* text = R\"x(\n/* )x\";\n/**/ #include /* why */ \"b.h\" // */\n",
      {{"a.h", ""}, {"b.h", ""}}));
  EXPECT_THAT(header_names(folder), ElementsAre("b.h"));
}

TEST(Sources, a_source_that_is_gone_is_named) {
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  std::filesystem::remove(folder.path() / "cpu.cpp");
  const auto sources = CpuBackend().sources(kernel);
  ASSERT_FALSE(sources);
  EXPECT_THAT(sources.error().text(), testing::HasSubstr("cpu.cpp"));
}

// A compiler would wait for it, for ever.
TEST(Sources, a_header_that_is_a_pipe_is_refused) {
  const KernelFolder folder(with_source("#include <vector>\n#include \"a.h\"\n"));
  const auto header = folder.path() / "a.h";
  ASSERT_EQ(::mkfifo(header.c_str(), 0600), 0);
  const auto sources = CpuBackend().sources(folder.read());
  ASSERT_FALSE(sources);
  EXPECT_EQ(sources.error().text(), header.string() + ": expected a header, and it is a pipe");
}

TEST(Sources, a_root_without_headers_is_named) {
  const KernelFolder folder(axpy_files());
  const ScopedVariable root("TUNECHECK_ROOT", (folder.path() / "nothing").string());
  const auto sources = CpuBackend().sources(folder.read());
  ASSERT_FALSE(sources);
  EXPECT_THAT(with_root(sources.error()).text(),
              testing::AllOf(testing::HasSubstr("expected the folder of the headers"),
                             testing::HasSubstr("TUNECHECK_ROOT is \"" + folder.path().string())));
}

TEST(SourceText, comments_become_blanks_and_literals_stay) {
  EXPECT_EQ(without_comments("a/* x */b"), "a b");
  EXPECT_EQ(without_comments("a // x\nb"), "a  \nb");
  EXPECT_EQ(without_comments("\"// no \\\" /* comment\" c"), "\"// no \\\" /* comment\" c");
  EXPECT_EQ(without_comments("R\"y(\" // )\" )y\"//z"), "R\"y(\" // )\" )y\" ");
  EXPECT_EQ(without_comments("'\"' // x\n'\\'' // y"), "'\"'  \n'\\''  ");
  EXPECT_EQ(without_comments("1'000 // x\n2'0"), "1'000  \n2'0");
  EXPECT_EQ(without_comments("a /* never closed"), "a  ");
  EXPECT_EQ(without_comments("a\\\nb\\\r\nc"), "abc");
  EXPECT_EQ(without_comments("\"a\\\nb\" R\"(c\nd)\"\n"), "\"a\\ b\" R\"(c d)\"\n");
  EXPECT_EQ(without_comments("R(x) // y"), "R(x)  ");
  EXPECT_EQ(without_comments("\"open // \nx // y"), "\"open // \nx  ");
}

TEST(SourceText, includes_keep_their_kind_and_order) {
  EXPECT_THAT(includes_of("#include <a/b.h>\n  # include \"c\"\n#include MACRO\n#included \"d\""),
              ElementsAre(Include{"a/b.h", false}, Include{"c", true}));
}

}  // namespace
}  // namespace tunecheck
