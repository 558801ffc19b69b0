// What an adapter.info may say.
#include "harness/process/adapter_info.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

Result<AdapterInfo> read(const std::string& cache_variable, const std::string& more = "") {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-adapter-info").value();
  const auto file = folder.path() / "adapter.info";
  EXPECT_TRUE(
      write_file(file, std::string_view("adapter\n{\n  name mine\n  command run\n"
                                        "  cache_variable " +
                                        cache_variable + "\n  backends cpu\n  " + more + "\n}\n")));
  return read_adapter_info(file);
}

TEST(AdapterInfoFile, names_the_variable_of_its_cache_folder) {
  for (const std::string variable : {"MY_CACHE", "XDG_CACHE_HOME", "HOME", "PATH_OF_MINE"}) {
    const auto info = read(variable);
    ASSERT_TRUE(info) << info.error().text();
    EXPECT_EQ(info->cache_variable, variable);
  }
}

TEST(AdapterInfoFile, may_not_take_a_variable_that_belongs_to_the_judge) {
  for (const std::string variable : {"PATH", "LD_PRELOAD", "TUNECHECK_PROBE_EVIDENCE"}) {
    const auto info = read(variable);
    ASSERT_FALSE(info) << variable;
    EXPECT_THAT(info.error().text(),
                HasSubstr("adapter.info:5: cache_variable: " + variable + " belongs to the judge"));
  }
}

TEST(AdapterInfoFile, has_a_time_limit_between_a_second_and_a_day) {
  EXPECT_EQ(read("MY_CACHE", "time_limit 86400").value().time_limit, std::chrono::hours(24));
  for (const std::string limit : {"0", "-1", "86401"}) {
    const auto info = read("MY_CACHE", "time_limit " + limit);
    ASSERT_FALSE(info) << limit;
    EXPECT_THAT(info.error().text(), HasSubstr(":7: time_limit: expected seconds from 1 to 86400"));
  }
}

TEST(AdapterInfoFile, declares_how_often_a_winner_is_warmed_up) {
  EXPECT_EQ(read("MY_CACHE").value().warm_up_launches, 0);
  EXPECT_EQ(read("MY_CACHE", "policies { warm_up 3 }").value().warm_up_launches, 3);
  const auto info = read("MY_CACHE", "policies { warm_up -1 }");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().text(), HasSubstr("warm_up: expected launches from 0 to 1000"));
}

TEST(AdapterInfoFile, declares_what_it_promises_of_results) {
  EXPECT_EQ(read("MY_CACHE").value().result_policy, std::nullopt);
  EXPECT_EQ(read("MY_CACHE", "policies { result bitwise }").value().result_policy,
            ResultPolicy::bitwise);
  EXPECT_EQ(read("MY_CACHE", "policies { result tolerance }").value().result_policy,
            ResultPolicy::tolerance);
  const auto info = read("MY_CACHE", "policies { result roughly }");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().text(),
              HasSubstr("result: expected bitwise or tolerance, found \"roughly\""));
}

TEST(AdapterInfoFile, declares_in_which_calls_it_tunes) {
  EXPECT_EQ(read("MY_CACHE").value().tuning_calls, 1);
  EXPECT_EQ(read("MY_CACHE", "policies { tuning_calls 5 }").value().tuning_calls, 5);
  const auto info = read("MY_CACHE", "policies { tuning_calls 0 }");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().text(), HasSubstr("tuning_calls: expected calls from 1 to 1000"));
}

}  // namespace
}  // namespace tunecheck::test
