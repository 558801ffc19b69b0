#include "gate/rule/settings.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tunecheck::test {
namespace {

using gate::Settings;

std::string mistake(void (*change)(Settings&)) {
  Settings settings;
  change(settings);
  const auto checked = gate::check(settings);
  return checked ? "" : checked.error().message;
}

TEST(Settings, are_right_as_they_come) {
  EXPECT_EQ(mistake([](Settings&) {}), "");
}

TEST(Settings, of_a_user_plant_what_stays_as_easy_to_tell) {
  const Settings coarse = gate::settings_with(0.05, 0.2), fine = gate::settings_with(0.01, 0.02);
  EXPECT_EQ(coarse.delta, 0.05);
  EXPECT_EQ(coarse.tolerance, 0.2);
  EXPECT_EQ(coarse.planted, 0.4);
  EXPECT_EQ(fine.planted, Settings{}.planted);
  EXPECT_TRUE(gate::check(coarse));
  EXPECT_TRUE(gate::check(fine));
  EXPECT_EQ(gate::settings_with(0.02, 0.05), Settings{});
}

TEST(Settings, that_make_no_sense_are_named) {
  EXPECT_EQ(mistake([](Settings& s) { s.delta = -0.01; }),
            "delta: expected at least 0, found -0.01");
  EXPECT_EQ(mistake([](Settings& s) { s.delta = std::numeric_limits<double>::quiet_NaN(); }),
            "delta: expected at least 0, found nan");
  EXPECT_EQ(mistake([](Settings& s) { s.tolerance = 0.02; }),
            "tolerance: expected more than delta, 0.02, found 0.02");
  EXPECT_EQ(mistake([](Settings& s) { s.planted = 0.01; }),
            "planted: expected more than delta, 0.02, found 0.01");
  EXPECT_EQ(mistake([](Settings& s) { s.alpha = 0; }),
            "alpha: expected more than 0 and less than 0.5, found 0");
  EXPECT_EQ(mistake([](Settings& s) { s.same_alpha = 0; }),
            "same_alpha: expected more than 0 and less than 0.5, found 0");
  EXPECT_EQ(mistake([](Settings& s) { s.pass_alpha = 0.5; }),
            "pass_alpha: expected more than 0 and less than 0.5, found 0.5");
  EXPECT_EQ(mistake([](Settings& s) { s.planned_power = 1; }),
            "planned_power: expected more than 0.5 and less than 1, found 1");
  EXPECT_EQ(mistake([](Settings& s) { s.stated_power = 0.5; }),
            "stated_power: expected more than 0.5 and less than 1, found 0.5");
}

TEST(Settings, with_too_few_pairs_for_a_bound_are_refused) {
  EXPECT_EQ(mistake([](Settings& s) { s.screen_pairs = 6; }),
            "screen_pairs: expected at least 7, found 6");
  EXPECT_EQ(mistake([](Settings& s) { s.screen_pairs = 5; }),
            "screen_pairs: expected at least 6 for a level of 0.025, found 5");
  EXPECT_EQ(mistake([](Settings& s) { s.least_pairs = 14; }),
            "least_pairs: expected at least 15 for a level of 5e-05, found 14");
  EXPECT_EQ(mistake([](Settings& s) { s.most_pairs = 39; }),
            "most_pairs: expected at least least_pairs, 40, found 39");
}

}  // namespace
}  // namespace tunecheck::test
