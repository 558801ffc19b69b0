// `tunecheck cache`, as people start it.
#include <gmock/gmock.h>

#include "core/command.hpp"
#include "filled_cache.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Ran {
  int status = -1;
  std::string output;
};

Ran run(std::vector<std::string> arguments, const Environment& further = {}) {
  CommandOptions options;
  arguments.insert(arguments.begin(), {TUNECHECK_PROGRAM, "cache"});
  options.arguments = std::move(arguments);
  options.environment = current_environment();
  options.environment->erase("TUNECHECK_CACHE_DIR");
  for (const auto& [name, value] : further)
    (*options.environment)[name] = value;
  const auto ran = run_command(options);
  if (!ran) return {-1, ran.error().text()};
  return {ran->end.signal == 0 ? ran->end.exit_status : -1, ran->output};
}

TEST(CacheProgram, lists_the_folder_that_an_option_or_a_variable_names) {
  const FilledCache cache(2);
  for (const Ran& ran : {run({"list", "--cache", cache.path()}),
                         run({"list"}, {{"TUNECHECK_CACHE_DIR", cache.path()}})}) {
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.output, HasSubstr("2 entries"));
  }
}

TEST(CacheProgram, says_where_a_mistake_is_with_status_3) {
  const FilledCache cache(2);
  const std::string folder = cache.path();
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{"list"}, "--cache: expected the cache folder"},
      {{"list", "--cache", "/no/such"}, "/no/such: --cache: there is no such folder"},
      {{"show", "zz", "--cache", folder}, "expected the key of an entry"},
      {{"show", "--cache", folder}, "KEY is required"},
      {{"gc", "--limit", "much", "--cache", folder}, "--limit: expected a size such as 64M"},
      {{"import", "/no/such/bundle", "--cache", folder}, "/no/such/bundle: "},
      {{"frobnicate"}, "unexpected argument \"frobnicate\""},
      {{}, "subcommand is required"},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.status, 3) << expected;
    EXPECT_THAT(ran.output, StartsWith("tunecheck: "));
    EXPECT_THAT(ran.output, HasSubstr(expected));
    EXPECT_EQ(std::count(ran.output.begin(), ran.output.end(), '\n'), 1) << ran.output;
  }
}

TEST(CacheProgram, verify_has_status_1_where_something_is_damaged) {
  const FilledCache cache(2);
  EXPECT_EQ(run({"verify", "--cache", cache.path()}).status, 0);
  flip(cache.artifact_file(1));
  const Ran ran = run({"verify", "--cache", cache.path()});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.output, HasSubstr("SHA-256"));
  EXPECT_THAT(ran.output, HasSubstr("2 entries, 1 damaged"));
}

TEST(CacheProgram, shows_and_explains_an_entry) {
  const FilledCache cache(2);
  const std::string id = cache.contents().entries[0].id;
  EXPECT_THAT(run({"show", id, "--cache", cache.path()}).output, HasSubstr("axes of the key"));
  const Ran explained = run({"explain", id, "--cache", cache.path()});
  EXPECT_EQ(explained.status, 0);
  EXPECT_THAT(explained.output, HasSubstr("differ in 1 of 4 axes"));
}

TEST(CacheProgram, exports_imports_and_cleans) {
  const FilledCache from(3);
  const FilledCache to(0);
  const std::string bundle = from.beside("b.bundle");
  EXPECT_EQ(run({"export", bundle, "--cache", from.path()}).output, "3 exported\n");
  EXPECT_EQ(run({"import", bundle, "--cache", to.path()}).output, "3 imported\n");
  EXPECT_EQ(to.good().size(), 3U);
  const Ran dry = run({"gc", "--limit", "12K", "--dry-run", "--cache", to.path()});
  EXPECT_THAT(dry.output, HasSubstr("would remove"));
  EXPECT_EQ(to.good().size(), 3U);
  const Ran cleaned = run({"gc", "--cache", to.path()}, {{"TUNECHECK_CACHE_LIMIT", "12K"}});
  EXPECT_THAT(cleaned.output, HasSubstr("least recently used"));
  EXPECT_EQ(to.good().size(), 2U);
}

TEST(CacheProgram, has_help) {
  for (const char* const command :
       {"list", "show", "explain", "verify", "gc", "export", "import"}) {
    const Ran ran = run({command, "--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.output, HasSubstr(command));
  }
}

}  // namespace
}  // namespace tunecheck::test
