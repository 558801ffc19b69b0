// `tunecheck cache`, as people start it.
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "filled_cache.hpp"
#include "remote_server.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;
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
  options.environment->erase("TUNECHECK_REMOTE");
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
      {{"frobnicate"}, "unknown command \"frobnicate\". Expected one of: list, show, explain"},
      {{"gc", "further", "--cache", folder}, "unexpected argument \"further\""},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.status, 3) << expected;
    EXPECT_THAT(ran.output, StartsWith("tunecheck: "));
    EXPECT_THAT(ran.output, HasSubstr(expected));
    EXPECT_EQ(std::count(ran.output.begin(), ran.output.end(), '\n'), 1) << ran.output;
  }
}

TEST(CacheProgram, takes_no_key_file_that_names_none_or_is_a_pipe) {
  const FilledCache cache(1);
  const std::string bundle = cache.beside("b.bundle"), pipe = cache.beside("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"", "--key: expected a file with a key, found \"\""}, {pipe, "nobody else may read"}};
  for (const char* const command : {"export", "import"})
    for (const auto& [key, expected] : mistakes) {
      const Ran ran = run({command, bundle, "--key", key, "--cache", cache.path()});
      EXPECT_EQ(ran.status, 3) << ran.output;
      EXPECT_THAT(ran.output, HasSubstr(expected));
      EXPECT_EQ(std::count(ran.output.begin(), ran.output.end(), '\n'), 1) << ran.output;
    }
  EXPECT_FALSE(std::filesystem::exists(bundle));
}

TEST(CacheProgram, says_that_stdout_cannot_be_written) {
  const FilledCache cache(2);
  const std::string folder = cache.path(), bundle = cache.beside("b.bundle");
  const std::string id = cache.contents().entries[0].id;
  for (const std::string& command :
       {std::string("list"), std::string("list --json"), "show " + id, std::string("verify"),
        std::string("gc --dry-run"), "export " + bundle, "import " + bundle}) {
    CommandOptions options;
    options.arguments = {
        "sh", "-c",
        fmt::format("'{}' cache {} --cache '{}' > /dev/full", TUNECHECK_PROGRAM, command, folder)};
    const auto ran = run_command(options).value();
    EXPECT_EQ(ran.end.exit_status, 4) << command;
    EXPECT_EQ(ran.output, "tunecheck: cannot write to stdout: No space left on device\n");
  }
}

TEST(CacheProgram, gc_says_that_it_kept_what_is_in_use) {
  const FilledCache cache(1);
  FolderStore store(cache.path());
  const auto tuning = store.lock(FilledCache::key(0));
  const Ran ran = run({"gc", "--limit", "1", "--cache", cache.path()});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.output, HasSubstr(": it is in use"));
}

// root may remove whatever it wants to.
TEST(CacheProgram, gc_has_status_4_where_something_cannot_be_removed) {
  const FilledCache cache(2);
  flip(cache.artifact_file(0));
  cache.close_to_writers();
  CommandOptions options;
  if (::geteuid() == 0) options.arguments = {"setpriv", "--reuid", "65534", "--clear-groups"};
  for (const std::string& word :
       {std::string(TUNECHECK_PROGRAM), std::string("cache"), std::string("gc"),
        std::string("--limit"), std::string("1"), std::string("--cache"), cache.path().string()})
    options.arguments.push_back(word);
  const auto ran = run_command(options);
  if (!ran || ran->output.find("setpriv: ") != std::string::npos)
    GTEST_SKIP() << "nobody else can start the program here";
  EXPECT_EQ(ran->end.exit_status, 4) << ran->output;
  EXPECT_THAT(ran->output, HasSubstr("cannot be removed: Permission denied"));
  EXPECT_THAT(ran->output, Not(HasSubstr("removed v1")));
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

// What a script has mistyped must not look like a server that is down.
TEST(CacheRemote, a_value_that_makes_no_sense_is_one_line_and_status_3) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-remote").value();
  const std::string here = "http://127.0.0.1:1/", missing = (folder.path() / "nowhere").string();
  const std::vector<std::pair<Environment, std::string>> mistakes = {
      {{}, "TUNECHECK_REMOTE: expected the address of a remote cache"},
      {{{"TUNECHECK_REMOTE", "example"}}, "TUNECHECK_REMOTE: expected an address that begins"},
      {{{"TUNECHECK_REMOTE", "redis://:secret@host/nodb"}},
       "TUNECHECK_REMOTE: expected a remote cache's address with the number of a database"},
      {{{"TUNECHECK_REMOTE", "http://someone:secret@host:99999999/"}},
       "TUNECHECK_REMOTE: expected an address of a remote cache such as"},
      // What would be left out without a word.
      {{{"TUNECHECK_REMOTE", "redis://host/?db=3"}}, "address without \"?\" and \"#\""},
      {{{"TUNECHECK_REMOTE", "http://host/a#f"}}, "address without \"?\" and \"#\""},
      {{{"TUNECHECK_REMOTE", "redis:///0"}}, "address with a host"},
      {{{"TUNECHECK_REMOTE", "http:///x"}}, "address with a host"},
      {{{"TUNECHECK_REMOTE", "redis://someone@host/0"}}, "address with a password for its user"},
      {{{"TUNECHECK_REMOTE", "redis://:a%0d%0ab@host/0"}}, "address whose password can be decoded"},
      {{{"TUNECHECK_REMOTE", "http://host:0/x"}}, "address with a port from 1 on"},
      {{{"TUNECHECK_REMOTE", here}, {"TUNECHECK_REMOTE_LIMIT_MS", "soon"}},
       "TUNECHECK_REMOTE_LIMIT_MS: expected milliseconds"},
      {{{"TUNECHECK_REMOTE", here}, {"TUNECHECK_REMOTE_AUTHORITIES", missing}},
       missing + ": TUNECHECK_REMOTE_AUTHORITIES: expected a PEM file that can be read"},
      {{{"TUNECHECK_REMOTE", here}, {"TUNECHECK_REMOTE_AUTHORITIES", folder.path().string()}},
       "TUNECHECK_REMOTE_AUTHORITIES: expected a PEM file that can be read"},
      {{{"TUNECHECK_REMOTE", here}, {"TUNECHECK_REMOTE_KEY_FILE", missing}},
       missing + ": TUNECHECK_REMOTE_KEY_FILE: cannot be read"},
      // A variable that is set and empty comes of a mistake in a script: nothing would be signed.
      {{{"TUNECHECK_REMOTE", here}, {"TUNECHECK_REMOTE_KEY_FILE", ""}},
       "TUNECHECK_REMOTE_KEY_FILE: expected a file with a key, found \"\""},
  };
  for (const auto& [environment, expected] : mistakes) {
    const Ran ran = run({"remote"}, environment);
    EXPECT_EQ(ran.status, 3) << expected;
    EXPECT_THAT(ran.output, HasSubstr(expected));
    EXPECT_THAT(ran.output, Not(HasSubstr("secret")));
    EXPECT_EQ(std::count(ran.output.begin(), ran.output.end(), '\n'), 1) << ran.output;
  }
}

TEST(CacheRemote, a_server_is_good_if_it_knows_that_it_has_nothing) {
  const auto ask = [](const std::string& answer) {
    const BadServer server("HTTP/1.1 " + answer, 0);
    return run({"remote"},
               {{"TUNECHECK_REMOTE", fmt::format("http://127.0.0.1:{}/", server.port())}});
  };
  const Ran good = ask("404 Not Found\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_THAT(good.output, HasSubstr(" answers; a read took "));
  // A page for everybody, or an empty one, is no cache.
  for (const char* const page : {"", "hello"}) {
    const Ran ran = ask(
        fmt::format("200 OK\r\nContent-Length: {}\r\n\r\n{}", std::string_view(page).size(), page));
    EXPECT_EQ(ran.status, 1) << ran.output;
    EXPECT_THAT(ran.output,
                HasSubstr(fmt::format("it has a value of {} bytes under a name that nobody stores "
                                      "anything under: it is no remote cache",
                                      std::string_view(page).size())));
  }
  EXPECT_EQ(run({"remote"}, {{"TUNECHECK_REMOTE", "http://127.0.0.1:1/"}}).status, 1);
}

TEST(CacheProgram, has_help) {
  for (const char* const command :
       {"list", "show", "explain", "verify", "gc", "export", "import", "remote"}) {
    const Ran ran = run({command, "--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.output, HasSubstr(command));
  }
}

}  // namespace
}  // namespace tunecheck::test
