#include "core/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tunecheck {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const std::vector<Config>& configs) {
  std::vector<std::string> all;
  for (const Config& config : configs)
    all.push_back(to_string(config));
  return all;
}

TEST(Config, is_written_with_its_names_in_alphabetical_order) {
  EXPECT_EQ(to_string({{"vec", 4}, {"block", 256}}), "block=256,vec=4");
  EXPECT_EQ(to_string({}), "");
}

TEST(Config, is_read_back_as_it_was_written) {
  const Config config = {{"vec", -4}, {"block", 256}};
  EXPECT_EQ(parse_config(to_string(config)), config);
  EXPECT_EQ(parse_config(""), Config());
  EXPECT_EQ(parse_config("vec=4 block=256"), (Config{{"block", 256}, {"vec", 4}}));
}

TEST(Config, nonsense_is_refused_whole) {
  for (const char* const text :
       {"block", "block=", "=4", "block=a", "block=1.5", "Block=4", "a=b=4"}) {
    const auto config = parse_config(text);
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().message,
              "expected a config like \"block=256,vec=4\", found \"" + std::string(text) + "\"");
  }
}

TEST(Space, the_last_parameter_varies_fastest) {
  const SpaceDefinition space{{{"vec", {2, 1}}, {"block", {64, 128}}}, ""};
  EXPECT_THAT(texts(space.enumerate({}).value()), ElementsAre("block=64,vec=2", "block=128,vec=2",
                                                              "block=64,vec=1", "block=128,vec=1"));
}

TEST(Space, the_condition_may_use_parameters_and_sizes) {
  const SpaceDefinition space{{{"block", {64, 128, 256}}, {"vec", {1, 2}}}, "block * vec <= cols"};
  EXPECT_THAT(texts(space.enumerate({{"cols", 128}}).value()),
              ElementsAre("block=64,vec=1", "block=64,vec=2", "block=128,vec=1"));
}

TEST(Space, a_condition_that_excludes_all_is_an_error) {
  const SpaceDefinition space{{{"block", {64, 128}}}, "block < cols"};
  EXPECT_EQ(space.enumerate({{"cols", 64}}).error().message,
            "\"block < cols\" excludes all 2 configs; expected at least one that remains");
}

TEST(SpaceDefinition, more_combinations_than_anybody_tries_are_an_error_at_once) {
  SpaceDefinition space;
  for (const char* const name : {"a", "b", "c", "d"}) {
    space.parameters.push_back({name, {}});
    for (std::int64_t value = 0; value < 100'000; ++value)
      space.parameters.back().values.push_back(value);
  }
  EXPECT_EQ(space.enumerate({}).error().message,
            "the space has more than 1048576 combinations; expected at most as many");
}

TEST(Space, an_empty_space_is_an_error) {
  EXPECT_FALSE(SpaceDefinition{}.enumerate({}));
  EXPECT_FALSE((SpaceDefinition{{{"block", {}}}, ""}.enumerate({})));
}

TEST(Space, a_condition_that_cannot_be_evaluated_is_an_error) {
  const SpaceDefinition space{{{"block", {64}}}, "blok > 3"};
  EXPECT_THAT(space.enumerate({}).error().message, testing::EndsWith("known names: block"));
}

}  // namespace
}  // namespace tunecheck
