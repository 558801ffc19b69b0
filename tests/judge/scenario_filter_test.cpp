// Conditions on scenarios: the grammar, what a term is true of, and what a slip is told.
#include "judge/scenario/scenario_filter.hpp"

#include <gmock/gmock.h>

#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Filter : public testing::Test {
 protected:
  Filter() {
    catalogue.kernels = folder.kernels();
    const std::string all =
        scenario("reload.warm", "cache miss", "needs \"cache\"") +
        scenario("restore.plain", "output.reference yes", "catches \"no_restore\"") +
        scenario("restore.reads", "inputs.pristine yes",
                 "needs \"in_place\"  catches \"no_restore one_more\"");
    for (const Scenario& one : folder.scenarios(all))
      catalogue.scenarios.emplace(one.name, one);
  }

  static std::string scenario(const std::string& name, const std::string& expectations,
                              const std::string& head) {
    return scenario_text("process a { call { expect { " + expectations + " } } }", head, name);
  }

  // The names of those of which it is true; throws the error's text.
  [[nodiscard]] std::vector<std::string> find(const std::string& text) const {
    const auto filter = ScenarioFilter::parse(text, catalogue);
    if (!filter) throw std::runtime_error(filter.error().text());
    std::vector<std::string> names;
    for (const auto& [name, one] : catalogue.scenarios)
      if (filter->matches(one)) names.push_back(name);
    return names;
  }
  [[nodiscard]] std::string mistake(const std::string& text) const {
    const auto filter = ScenarioFilter::parse(text, catalogue);
    return filter ? "" : filter.error().text();
  }

  ScenarioFolder folder;
  Catalogue catalogue;
};

TEST_F(Filter, a_term_is_about_a_field_and_a_glob_alone_about_the_name) {
  EXPECT_THAT(find("reload.*"), ElementsAre("reload.warm"));
  EXPECT_THAT(find("name:*.plain"), ElementsAre("restore.plain"));
  EXPECT_THAT(find("family:restore"), ElementsAre("restore.plain", "restore.reads"));
  EXPECT_THAT(find("check:output.*"), ElementsAre("restore.plain"));
  EXPECT_THAT(find("needs:in_place"), ElementsAre("restore.reads"));
  EXPECT_THAT(find("catches:one_more"), ElementsAre("restore.reads"));
  EXPECT_THAT(find("kernel:toy").size(), 3U);
  EXPECT_THAT(find("device:cpu").size(), 3U);
}

TEST_F(Filter, not_binds_closer_than_and_which_binds_closer_than_or) {
  EXPECT_THAT(find("reload.warm or family:restore and not catches:one_more"),
              ElementsAre("reload.warm", "restore.plain"));
  EXPECT_THAT(find("(reload.warm or family:restore) and not catches:no_restore"),
              ElementsAre("reload.warm"));
  EXPECT_THAT(find("not(family:restore)or(restore.plain)"),
              ElementsAre("reload.warm", "restore.plain"));
  EXPECT_THAT(find("not not reload.warm"), ElementsAre("reload.warm"));
}

TEST_F(Filter, a_mistake_has_its_column_and_what_was_expected) {
  EXPECT_EQ(mistake(""), "column 1: expected a name, FIELD:VALUE, \"not\" or \"(\", found the end");
  EXPECT_EQ(mistake("family:restore and"),
            "column 19: expected a name, FIELD:VALUE, \"not\" or \"(\", found the end");
  EXPECT_EQ(mistake("reload.warm restore.*"),
            "column 13: expected \"and\", \"or\" or the end, found \"restore.*\"");
  EXPECT_EQ(mistake("(reload.warm"), "column 13: expected \"and\", \"or\" or \")\", found the end");
  EXPECT_EQ(mistake("reload.warm)"), "column 12: expected \"and\", \"or\" or the end, found \")\"");
  EXPECT_EQ(mistake("family:"), "column 8: expected a value after \"family:\"");
  EXPECT_THAT(mistake("not famly:restore"),
              HasSubstr("column 5: unknown field \"famly\"; did you mean \"family\"?"));
}

TEST_F(Filter, a_value_that_nothing_has_is_a_slip) {
  EXPECT_EQ(mistake("not family:restor"),
            "column 12: unknown family \"restor\"; did you mean \"restore\"?");
  EXPECT_EQ(mistake("reload.warn"),
            "column 1: no scenario matches \"reload.warn\"; did you mean \"reload.warm\"?");
  EXPECT_THAT(mistake("\xc3\xa4 or x"), HasSubstr("column 1: no scenario matches"));
  // A device that exists, and that nothing here runs on, is none.
  EXPECT_EQ(mistake("device:sim"), "");
}

TEST_F(Filter, what_is_too_deep_is_refused) {
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
      all += text;
    return all;
  };
  EXPECT_THAT(mistake(repeated("(", 100'000)), HasSubstr("expected fewer than 100"));
  EXPECT_THAT(mistake(repeated("not ", 100'000)), HasSubstr("expected fewer than 100"));
  EXPECT_EQ(mistake(repeated("reload.warm or ", 10'000) + "restore.plain"), "");
}

}  // namespace
}  // namespace tunecheck::test
