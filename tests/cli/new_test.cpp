// `tunecheck new kernel`: what it writes runs as it is, and it never overwrites anything.
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "cli/kernel_template.hpp"
#include "core/resources.hpp"
#include "judge/run/session.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

std::set<std::string> names_of_template_files() {
  std::set<std::string> names;
  for (const cli::TemplateFile& file : cli::template_files(cli::NewKernel()))
    names.emplace(file.name);
  return names;
}

// The lines that a person can paste.
std::vector<std::string> commands_in(const std::string& output) {
  std::vector<std::string> commands;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.find("tunecheck ") != line.npos) commands.push_back(line.substr(2));
  return commands;
}

TEST(WithKernelName, replaces_the_whole_word_and_the_beginning_of_a_longer_name) {
  EXPECT_EQ(cli::with_kernel_name("my_kernel(my_kernel) my_kernel", "gelu"), "gelu(gelu) gelu");
  EXPECT_EQ(cli::with_kernel_name("restore.my_kernel_first", "gelu"), "restore.gelu_first");
  for (const char* other : {"my_kernels", "my_kernel2", "not_my_kernel", "tmy_kernel", ""})
    EXPECT_EQ(cli::with_kernel_name(other, "gelu"), other);
  EXPECT_EQ(cli::with_kernel_name("my_kernel", "my_kernel_too"), "my_kernel_too");
}

class NewKernel : public testing::TestWithParam<std::string> {};

TEST_P(NewKernel, is_a_folder_of_files_that_the_output_explains) {
  const Place place;
  const Ran ran = place.run({"new", "kernel", "mine", "--" + GetParam(), "--in", "a/b"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(names_in(place.path() / "a/b"), std::set<std::string>{"mine"});
  EXPECT_EQ(names_in(place.path() / "a/b/mine"), names_of_template_files());
  EXPECT_THAT(ran.out, StartsWith("a/b/mine\n"));
  for (const cli::TemplateFile& file : cli::template_files(cli::NewKernel())) {
    const std::string name(file.name);
    EXPECT_THAT(ran.out, ContainsRegex("\n  " + name + " +[a-z]"));
    EXPECT_THAT(place.read("a/b/mine/" + name), Not(HasSubstr("my_kernel"))) << name;
    EXPECT_THAT(place.read("a/b/mine/" + name),
                HasSubstr(name == "kernel.info" ? "mine\n" : "mine"))
        << name;
  }
  EXPECT_THAT(place.read("a/b/mine/kernel.info"), HasSubstr("DECIDE: "));
}

TEST_P(NewKernel, is_proved_and_its_scenarios_pass_by_the_commands_that_are_printed) {
  const Place place;
  const Ran ran = place.run({"new", "kernel", "mine", "--" + GetParam(), "--in", "it's mine"});
  const std::vector<std::string> commands = commands_in(ran.out);
  ASSERT_EQ(commands.size(), 3U) << ran.out << ran.err;
  const Ran proved = place.shell(commands[0]);
  EXPECT_EQ(proved.status, 0) << proved.out << proved.err;
  EXPECT_THAT(proved.out, HasSubstr("\nPROVED  mine: "));
  EXPECT_THAT(commands[1], HasSubstr(" kernels tune mine --size full --kernels "));
  const Ran passed = place.shell(commands[2]);
  EXPECT_EQ(passed.status, 0) << passed.out << passed.err;
  EXPECT_THAT(passed.out, HasSubstr("PASS: 2 of 2 scenarios;"));
}

TEST_P(NewKernel, fails_its_scenarios_with_every_mutant_that_they_claim_to_catch) {
  const Place place;
  ASSERT_EQ(place.run({"new", "kernel", "mine", "--" + GetParam()}).status, 0);
  const std::string file = (place.path() / "mine/scenario.info").string();
  const auto catalogue = read_catalogue({{place.path()}, {file}});
  ASSERT_TRUE(catalogue) << catalogue.error().text();
  ASSERT_EQ(catalogue->scenarios.size(), 2U);
  for (const auto& [name, scenario] : catalogue->scenarios) {
    EXPECT_FALSE(scenario.catches.empty()) << name;
    for (const std::string& mutant : scenario.catches) {
      const Ran ran = place.run(
          {"run", name, "--kernels", ".", "--scenarios", file, "--adapter", "mutant:" + mutant});
      EXPECT_EQ(ran.status, 1) << name << " " << mutant << '\n' << ran.out << ran.err;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, NewKernel, testing::Values("in-place", "accumulating", "pure"),
                         [](const auto& info) {
                           return info.param == "in-place" ? std::string("in_place") : info.param;
                         });

TEST(New, is_found_by_its_name_where_the_shell_finds_this_program) {
  const Place place;
  const std::string folder = fs::path(tunecheck_program()).parent_path().string();
  const Ran ran = place.shell("PATH='" + folder + "':$PATH; tunecheck new kernel mine --pure");
  EXPECT_THAT(commands_in(ran.out),
              ElementsAre("tunecheck kernels prove mine --kernels .",
                          "tunecheck kernels tune mine --size full --kernels .",
                          "tunecheck run --kernels . --scenarios ./mine/scenario.info"));
}

// A root with one kernel of tunecheck's own, and the templates.
Environment root_with_templates(const Place& place) {
  const Resources own = find_resources();
  fs::create_directories(place.path() / "root/kernels");
  fs::copy(own.kernels / "axpy_inplace", place.path() / "root/kernels/axpy_inplace");
  fs::copy(own.templates, place.path() / "root/templates", fs::copy_options::recursive);
  return {{"TUNECHECK_ROOT", (place.path() / "root").string()}};
}

TEST(New, among_the_kernels_of_tunecheck_itself_needs_no_folder_to_be_named) {
  const Place place;
  const Environment root = root_with_templates(place);
  const Ran ran = place.run({"new", "kernel", "mine", "--pure", "--in", "root/kernels"}, root);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("--kernels")));
  const Ran listed = place.run({"kernels", "list"}, root);
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("mine  "));
}

TEST(New, beside_a_kernel_with_a_mistake_is_made_all_the_same) {
  const Place place;
  place.write("kernels/broken/kernel.info", "kernel { name broken nonsense x }\n");
  EXPECT_EQ(place.run({"new", "kernel", "mine", "--pure", "--in", "kernels"}).status, 0);
  EXPECT_TRUE(place.has("kernels/mine/kernel.info"));
}

struct MistakeInNew {
  std::vector<std::string> arguments;  ///< after `new kernel`
  std::string message;                 ///< how the line begins
};

void PrintTo(const MistakeInNew& mistake, std::ostream* out) {
  for (const std::string& argument : mistake.arguments)
    *out << argument << ' ';
}

class BadNew : public testing::TestWithParam<MistakeInNew> {};

TEST_P(BadNew, is_one_line_status_3_and_changes_nothing) {
  const Place place;
  place.write("file", "kept");
  place.write("taken/there/other.txt", "kept");
  fs::create_directories(place.path() / "taken/empty");
  fs::create_symlink("nowhere", place.path() / "taken/link");
  ASSERT_EQ(place.run({"new", "kernel", "mine", "--pure", "--in", "kernels"}).status, 0);
  fs::rename(place.path() / "kernels/mine", place.path() / "kernels/moved");
  std::vector<std::string> arguments = {"new", "kernel"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const Ran ran = place.run(arguments);
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, StartsWith("tunecheck: " + GetParam().message));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_EQ(names_in(place.path()),
            (std::set<std::string>{"file", "kernels", "taken", "stderr.txt"}));
  EXPECT_EQ(names_in(place.path() / "kernels"), std::set<std::string>{"moved"});
  EXPECT_EQ(names_in(place.path() / "taken"), (std::set<std::string>{"there", "empty", "link"}));
  EXPECT_EQ(names_in(place.path() / "taken/empty"), std::set<std::string>{});
  EXPECT_EQ(place.read("taken/there/other.txt"), "kept");
  EXPECT_EQ(place.read("file"), "kept");
}

const std::string one_kind =
    "expected one of --in-place, --accumulating, --pure and --for; see tunecheck";
const std::string a_name =
    "NAME: expected lower-case letters, digits and '_', not beginning with a ";

INSTANTIATE_TEST_SUITE_P(
    Each, BadNew,
    testing::Values(
        MistakeInNew{{}, "NAME is required; see tunecheck new kernel --help"},
        MistakeInNew{{"other"}, one_kind},
        MistakeInNew{{"other", "--pure", "--in-place"}, one_kind},
        MistakeInNew{{"other", "--pure", "--accumulating", "--in-place"}, one_kind},
        MistakeInNew{{"other", "--for", "triton", "--pure"}, "--for: expected no --in-place"},
        MistakeInNew{{"other", "--for", "cubecl"}, "--for: expected"},
        MistakeInNew{{"other", "--inplace"},
                     "unknown option \"--inplace\"; did you mean \"--in-place\"?"},
        MistakeInNew{{"Other", "--pure"}, a_name}, MistakeInNew{{"2nd", "--pure"}, a_name},
        MistakeInNew{{"a-b", "--pure"}, a_name}, MistakeInNew{{"", "--pure"}, a_name},
        MistakeInNew{{"../other", "--pure"}, a_name}, MistakeInNew{{"a/b", "--pure"}, a_name},
        MistakeInNew{{"double", "--pure"},
                     "NAME: \"double\" is a word of C++, Python or tunecheck with a meaning of its "
                     "own; expected"},
        MistakeInNew{{"lambda", "--for", "flydsl"}, "NAME: \"lambda\" is a word of C++, Python"},
        MistakeInNew{{"configs", "--for", "flydsl"}, "NAME: \"configs\" is a word of C++, Python"},
        MistakeInNew{{"do_bench", "--for", "flydsl"},
                     "NAME: \"do_bench\" is a word of C++, Python"},
        MistakeInNew{{"int64_t", "--for", "flydsl"}, "NAME: \"int64_t\" is a word of C++, Python"},
        MistakeInNew{{"std", "--pure"}, "NAME: \"std\" is a word of C++, Python or tunecheck"},
        MistakeInNew{{"tunecheck", "--pure"},
                     "NAME: \"tunecheck\" is a word of C++, Python or tunecheck"},
        MistakeInNew{{"rmsnorm", "--pure"}, "NAME: \"rmsnorm\" is the kernel in /"},
        MistakeInNew{{"slow_restore", "--pure"}, "NAME: \"slow_restore\" is the kernel in /"},
        MistakeInNew{{"mine", "--pure", "--in", "kernels"},
                     "NAME: \"mine\" is the kernel in kernels/moved; expected another name"},
        MistakeInNew{
            {"moved", "--pure", "--in", "kernels"},
            "NAME: kernels/moved already exists; nothing was changed; expected another name"},
        MistakeInNew{{"there", "--pure", "--in", "taken"},
                     "NAME: taken/there already exists; nothing"},
        MistakeInNew{{"empty", "--pure", "--in", "taken"},
                     "NAME: taken/empty already exists; nothing"},
        MistakeInNew{{"link", "--pure", "--in", "taken"},
                     "NAME: taken/link already exists; nothing"},
        MistakeInNew{{"file", "--pure"}, "NAME: ./file already exists; nothing was changed"},
        MistakeInNew{{"other", "--pure", "--in", "file"},
                     "--in: expected a folder, found \"file\""},
        MistakeInNew{{"other", "--pure", "--in", ""}, "--in: expected a folder, found \"\""},
        MistakeInNew{{"other", "further", "--pure"}, "unexpected argument \"further\""}),
    [](const auto& info) { return "mistake_" + std::to_string(info.index); });

TEST(New, that_cannot_be_written_leaves_nothing_behind) {
  const Place place;
  const Environment root = root_with_templates(place);
  fs::remove(place.path() / "root/templates/kernel/pure/scenario.info");
  const Ran ran = place.run({"new", "kernel", "mine", "--pure", "--in", "a/b"}, root);
  EXPECT_EQ(ran.status, 4);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("templates/kernel/pure/scenario.info"));
  EXPECT_FALSE(place.has("a"));
  fs::create_directories(place.path() / "a/b");
  EXPECT_EQ(place.run({"new", "kernel", "mine", "--pure", "--in", "a/b"}, root).status, 4);
  EXPECT_EQ(names_in(place.path() / "a/b"), std::set<std::string>{});
}

TEST(New, below_a_file_is_not_to_be_trusted) {
  const Place place;
  place.write("file", "kept");
  const Ran ran = place.run({"new", "kernel", "mine", "--pure", "--in", "file/folder"});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.err, HasSubstr("file/folder"));
  EXPECT_EQ(place.read("file"), "kept");
}

class NewKernelFor : public testing::TestWithParam<std::string> {};

TEST_P(NewKernelFor, has_a_version_for_its_tuner_and_scenarios_that_no_other_tuner_is_asked) {
  const Place place;
  const Ran ran = place.run({"new", "kernel", "mine", "--for", GetParam()});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const std::vector<std::string> commands = commands_in(ran.out);
  ASSERT_EQ(commands.size(), 1U) << ran.out;
  EXPECT_THAT(commands[0], HasSubstr(" --adapter " + GetParam()));
  for (const cli::TemplateFile& file : cli::template_files({"mine", GetParam(), GetParam(), "."})) {
    const std::string name(file.name);
    EXPECT_THAT(ran.out, ContainsRegex("\n  " + name + " +[a-z]"));
    EXPECT_THAT(place.read("mine/" + name), Not(HasSubstr("my_kernel"))) << name;
  }
  EXPECT_THAT(place.read("mine/kernel.info"), HasSubstr("versions   \"" + GetParam() + ".py\""));
  const Ran other =
      place.run({"run", "--kernels", ".", "--scenarios", "mine/scenario.info", "--jobs", "1"});
  EXPECT_EQ(other.status, 4) << other.out;
  EXPECT_THAT(other.out, HasSubstr("the adapter has no kernel \"mine\""));
}
INSTANTIATE_TEST_SUITE_P(Each, NewKernelFor, testing::Values("flydsl", "triton"),
                         [](const auto& info) { return info.param; });

TEST(Templates, have_the_files_that_are_explained_and_no_other) {
  for (const char* tuner : {"flydsl", "triton"}) {
    std::set<std::string> names;
    for (const cli::TemplateFile& file : cli::template_files({"", tuner, tuner, ""}))
      names.emplace(file.name);
    EXPECT_EQ(names_in(find_resources().templates / "kernel_for" / tuner), names);
  }
  for (const char* kind : {"in_place", "accumulating", "pure"})
    EXPECT_EQ(names_in(find_resources().templates / "kernel" / kind), names_of_template_files());
}

}  // namespace
}  // namespace tunecheck::test
