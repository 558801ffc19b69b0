// Collecting kernels and scenarios, and choosing among them.
#include "judge/scenario/catalogue.hpp"

#include <gmock/gmock.h>

#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A folder of scenario files, read beside the toy kernel.
class CatalogueCase : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    const auto path = folder.path() / "scenarios" / file;
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(write_file(path, text));
  }
  Result<Catalogue> read(const std::string& path = "scenarios") const {
    CatalogueOptions options;
    options.kernel_folders = {folder.path() / "kernels"};
    options.scenario_paths = {folder.path() / path};
    return read_catalogue(options);
  }
  static std::string one(const std::string& name) {
    return scenario_text("process a { call { } }", "", name);
  }

  ScenarioFolder folder;
};

TEST_F(CatalogueCase, holds_the_scenarios_of_all_files_below_a_folder) {
  write("b.info", one("b.one") + one("a.two"));
  write("deep/er/c.info", one("c.three"));
  write("notes.txt", "no scenario");
  const auto catalogue = read();
  ASSERT_TRUE(catalogue) << catalogue.error().text();
  std::vector<std::string> names;
  for (const auto& [name, scenario] : catalogue->scenarios)
    names.push_back(name);
  EXPECT_THAT(names, ElementsAre("a.two", "b.one", "c.three"));
  EXPECT_TRUE(catalogue->kernels.contains("toy"));
  EXPECT_TRUE(catalogue->kernels.contains("axpy_inplace"));
}

TEST_F(CatalogueCase, takes_folders_of_kernels_for_what_they_are) {
  write("one.info", one("a.one"));
  write("kernels/mine/kernel.info", "kernel { }");
  const auto catalogue = read();
  EXPECT_TRUE(catalogue) << catalogue.error().text();
}

TEST_F(CatalogueCase, finds_the_scenarios_that_are_in_folders_of_kernels) {
  write("mine/kernel.info", "kernel { }");
  write("mine/scenario.info", one("a.one"));
  write("mine/other.info", "other { }");
  for (const std::string path : {"scenarios", "scenarios/mine", "scenarios/mine/scenario.info"}) {
    const auto catalogue = read(path);
    ASSERT_TRUE(catalogue) << catalogue.error().text();
    EXPECT_EQ(catalogue->scenarios.size(), 1U);
  }
  write("bare/kernel.info", "kernel { }");
  const auto catalogue = read("scenarios/bare");
  ASSERT_FALSE(catalogue);
  EXPECT_THAT(catalogue.error().text(), HasSubstr("this folder of a kernel has no scenario.info"));
}

TEST_F(CatalogueCase, a_kernel_that_an_adapter_names_is_one_of_those_that_are_there) {
  write("one.info", one("a.one"));
  const auto catalogue = read();
  AdapterInfo adapter;
  adapter.kernels = {"toy", "axpy_inplace"};
  EXPECT_TRUE(check_kernels(adapter, *catalogue));
  adapter.kernels = {"axpy_inplac"};
  EXPECT_THAT(check_kernels(adapter, *catalogue).error().text(),
              HasSubstr("kernels: unknown kernel \"axpy_inplac\"; did you mean \"axpy_inplace\"?"));
  adapter.kernels = {"something_else_altogether"};
  EXPECT_THAT(check_kernels(adapter, *catalogue).error().text(),
              HasSubstr("expected one of tunecheck's, or of a folder given by --kernels"));
}

TEST_F(CatalogueCase, reads_a_single_file) {
  write("one.info", one("a.one"));
  write("two.info", "broken {");
  EXPECT_TRUE(read("scenarios/one.info"));
  EXPECT_FALSE(read());
}

TEST_F(CatalogueCase, refuses_a_name_that_is_there_twice) {
  write("one.info", one("a.one"));
  write("two.info", "\n\n" + one("a.one"));
  const auto catalogue = read();
  ASSERT_FALSE(catalogue);
  EXPECT_THAT(catalogue.error().file, HasSubstr("two.info"));
  EXPECT_EQ(catalogue.error().line, 3);
  EXPECT_EQ(catalogue.error().key, "name");
  EXPECT_THAT(catalogue.error().message, HasSubstr("\"a.one\" is also a scenario in "));
  EXPECT_THAT(catalogue.error().message, HasSubstr("one.info"));
}

TEST_F(CatalogueCase, refuses_a_path_that_is_not_there) {
  const auto catalogue = read("nowhere");
  ASSERT_FALSE(catalogue);
  EXPECT_THAT(catalogue.error().message, HasSubstr("expected a scenario file or a folder of them"));
  EXPECT_THAT(catalogue.error().file, HasSubstr("nowhere"));
}

TEST_F(CatalogueCase, selects_by_globs_without_repeating) {
  write("one.info", one("a.one") + one("a.two") + one("b.one"));
  const Catalogue catalogue = read().value();
  const auto names = [&](const std::vector<std::string>& globs) {
    std::vector<std::string> found;
    const auto selected = select_scenarios(catalogue, globs).value();
    for (const Scenario* const scenario : selected)
      found.push_back(scenario->name);
    return found;
  };
  EXPECT_THAT(names({}), ElementsAre("a.one", "a.two", "b.one"));
  EXPECT_THAT(names({"*.one", "b.*"}), ElementsAre("a.one", "b.one"));
  const auto none = select_scenarios(catalogue, {"a.*", "c.*"});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("no scenario matches \"c.*\""));
  EXPECT_FALSE(select_scenarios(Catalogue(), {}));
}

TEST(Catalogue, of_tunechecks_own_files_is_right) {
  const auto catalogue = read_catalogue({});
  ASSERT_TRUE(catalogue) << catalogue.error().text();
  EXPECT_FALSE(catalogue->scenarios.empty());
}

TEST(PromisesOf, a_tuner_are_those_that_hold_on_the_backend) {
  AdapterInfo adapter;
  adapter.keyed_variables = {{"EVERYWHERE", "1", "2"}, {"ON_GPUS", "1", "2", {DeviceKind::cuda}}};
  adapter.free_variables = {{"FREE_ON_GPUS", "1", "2", {DeviceKind::cuda}}};
  const auto names = [&](const char* list, DeviceKind backend) {
    std::vector<std::string> variables;
    const LoopTables promises = promises_of(adapter, backend);
    for (const auto& row : promises.at(list))
      variables.push_back(row.at("variable").value_or("unset"));
    return variables;
  };
  EXPECT_THAT(names("keyed_variables", DeviceKind::cpu), ElementsAre("EVERYWHERE"));
  EXPECT_THAT(names("keyed_variables", DeviceKind::cuda), ElementsAre("EVERYWHERE", "ON_GPUS"));
  EXPECT_THAT(names("free_variables", DeviceKind::cuda), ElementsAre("FREE_ON_GPUS"));
}

}  // namespace
}  // namespace tunecheck::test
