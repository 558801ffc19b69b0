// Words that one file owns are spelled nowhere else: other code asks that file.
#include "literals.hpp"

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "source_tree.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

const std::filesystem::path tree = TUNECHECK_SOURCE_ROOT;
constexpr const char* device_kinds_file = "framework/core/device_kinds.hpp";
constexpr const char* checks_folder = "framework/judge/checks/";

std::string read_source(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(tree / path).rdbuf();
  return text.str();
}

std::set<std::string> device_kind_names() {
  std::set<std::string> names;
  for (const Literal& literal : literals_of(read_source(device_kinds_file)))
    if (literal.text.find('.') == literal.text.npos) names.insert(literal.text);
  return names;
}

std::set<std::string> check_names() {
  const std::string table = checks_folder + std::string("table/check");
  const std::string text = read_source(table + ".cpp") + read_source(table + ".hpp");
  const std::regex name(R"re((\.name|adapter_answers) = "([^"]+)")re");
  std::set<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
    names.insert((*at)[2]);
  return names;
}

// Every source but those whose path begins with `owner`, without the lines that are allowed.
std::vector<std::string> spelled_elsewhere(const std::set<std::string>& words,
                                           const std::string& owner) {
  std::vector<std::string> found;
  for (const SourceFile& file : read_sources(tree, {"framework", "reports"}))
    if (!file.path.starts_with(owner))
      for (const std::string& place : spelled_in(file.path, read_source(file.path), words))
        found.push_back(place);
  return found;
}

// Where one of the words is the name of something else, and of what.
const std::map<std::string, std::string>& not_a_device() {
  static const std::map<std::string, std::string> places = {
      {"framework/core/kernel_reader.cpp", "sections of a kernel file"},
      {"framework/core/resources.cpp", "a folder of headers"},
      {"framework/judge/run/machine.cpp", "a fact about the machine: its processor"},
      {"framework/observe/gpu/cupti_library.cpp", "what the folders of toolkits begin with"},
      {"reports/stored/result_reader.cpp", "a fact about the machine: its processor"},
  };
  return places;
}

TEST(Words, that_name_kinds_of_device_are_spelled_in_one_file) {
  const std::set<std::string> names = device_kind_names();
  EXPECT_THAT(names, ElementsAre("cpu", "cuda", "hip", "sim"));
  std::vector<std::string> wrong;
  std::set<std::string> allowed;
  for (const std::string& place : spelled_elsewhere(names, device_kinds_file))
    if (const std::string path = place.substr(0, place.find(':')); not_a_device().contains(path))
      allowed.insert(path);
    else
      wrong.push_back(place);
  EXPECT_THAT(wrong, IsEmpty()) << "these sources should hold a DeviceKind";
  for (const auto& [path, reason] : not_a_device())
    EXPECT_TRUE(allowed.contains(path)) << path << " has no need to be listed any more: " << reason;
}

TEST(Words, that_name_checks_are_spelled_in_their_table) {
  const std::set<std::string> names = check_names();
  EXPECT_THAT(names, IsSupersetOf({"output.reference", "no_foreign_code", "adapter.answers"}));
  EXPECT_GT(names.size(), 45U);
  // What an adapter prints of its mutants is for the judge to read, who looks the words up.
  const std::string mutants_of_an_adapter = "framework/adapter/fftw/habits.cpp";
  std::vector<std::string> wrong = spelled_elsewhere(names, checks_folder);
  EXPECT_GT(std::erase_if(
                wrong,
                [&](const std::string& place) { return place.starts_with(mutants_of_an_adapter); }),
            0U);
  EXPECT_THAT(wrong, IsEmpty())
      << "these sources should ask the table for what they need to know of a check";
}

TEST(Words, count_as_whole_literals_and_not_in_comments) {
  const std::set<std::string> words = {"cuda", "key.must_hit"};
  const auto in = [&](const std::string& text) { return spelled_in("x.cpp", text, words); };
  EXPECT_THAT(in("int a;\nif (backend == \"cuda\") f(\"cuda\");\n"),
              ElementsAre("x.cpp:2: \"cuda\"", "x.cpp:2: \"cuda\""));
  EXPECT_THAT(in("const char* text = R\"x(\n)x\";\nconst auto a = {\"key.must_hit\"};\n"),
              ElementsAre("x.cpp:3: \"key.must_hit\""));
  EXPECT_THAT(in("auto a = R\"(cuda)\";\n"), ElementsAre("x.cpp:1: \"cuda\""));
  EXPECT_THAT(in("// \"cuda\"\n/* \"cuda\" */ char c = '\"'; int n = 1'000;\n"
                 "#include \"cuda/x.hpp\"\nauto a = \"cuda or hip\", b = \"\\\"cuda\\\"\";\n"),
              IsEmpty());
}

}  // namespace
}  // namespace tunecheck::test
