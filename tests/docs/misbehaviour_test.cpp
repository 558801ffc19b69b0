// The table of misbehaviour in docs/adapter-protocol.md: an adapter that does what a row says is
// judged as the row says.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/device_kinds.hpp"
#include "core/text.hpp"
#include "example.hpp"
#include "page.hpp"

namespace tunecheck::test::misbehaviour {
namespace {

constexpr std::string_view refusal =
    R"({"answer":"call","outcome":"failed","message":"no","winner":null,"cache":"disabled"})";

// A command that prints the page's answer to hello.
std::string greeting() {
  for (const Block& block : Page("adapter-protocol.md").blocks("json")) {
    const nlohmann::json message = nlohmann::json::parse(block.text);
    if (message.value("answer", "") == "hello") return "echo '" + message.dump() + "'";
  }
  return {};
}

// A shell script with the page's answer to hello, and then what the row says.
std::string script(const std::string& rest) {
  return "#!/bin/sh\nread request\n" + greeting() + "\nread request\n" + rest + "\n";
}

struct Misbehaviour {
  std::string row;  ///< the first cell
  std::string source;
};

std::vector<Misbehaviour> all() {
  const std::string call_and_quit = fmt::format("echo '{}'\nread request\n", refusal);
  return {
      {"ends with a request open", script("exit 1")},
      {"is silent", script("sleep 100")},
      {"writes a line that is no answer", script("echo tuned in 0.1 s; read request")},
      {"answers `error`", script(R"(echo '{"answer":"error","message":"pardon?"}')")},
      {"writes a line of more than 64 MiB", script("tr '\\0' x < /dev/zero")},
      // Both lines in one write, so that neither is late.
      {"writes a line that was not asked for",
       script(fmt::format("echo '{}\nmore'; read request", refusal))},
      {"writes another line after its answer to `quit`",
       script(call_and_quit + R"(echo '{"answer":"quit"}'; echo '{"answer":"quit"}')")},
      {"closes its stdin and goes on",
       "#!/bin/sh\nread request\nexec 0<&-\n" + greeting() + "\nsleep 100\n"},
      {"closes its stdout and goes on", script("exec 1>&-; sleep 100")},
      {"answers `quit` with another line", script(call_and_quit + "echo bye")},
      {"does not answer `quit`", script(call_and_quit + "sleep 100")},
      {"does not end after it", script(call_and_quit + R"(echo '{"answer":"quit"}'; sleep 100)")},
      {"ends with another status, or by a signal",
       script(call_and_quit + R"(echo '{"answer":"quit"}'; kill -SEGV $$)")}};
}

// The second cell of the row as a glob: "..." is anything, and so is what differs from case to
// case.
std::string promised(const std::string& row) {
  const std::string section = Page("adapter-protocol.md").section("Misbehaviour");
  const std::size_t at = section.find("| " + row + " | `");
  if (at == section.npos) throw std::runtime_error("no row for " + row);
  const std::size_t begin = section.find('`', at + row.size() + 4) + 1;
  std::string pattern = section.substr(begin, section.find('`', begin) - begin);
  for (const std::string placeholder : {"...", "NAME", "60000"})
    for (std::size_t found; (found = pattern.find(placeholder)) != pattern.npos;)
      pattern.replace(found, placeholder.size(), "*");
  return pattern;
}

TEST(Misbehaviour, is_what_every_row_of_the_page_is_tried_for) {
  const std::string section = Page("adapter-protocol.md").section("Misbehaviour");
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = section.find(" | `", at)) != section.npos; ++at)
    ++rows;
  EXPECT_EQ(rows, all().size());
}

TEST(Misbehaviour, is_a_verdict_in_the_words_of_the_page) {
  for (const auto& [row, source] : all()) {
    Example example;
    AdapterInfo adapter;
    adapter.name = "misbehaved";
    adapter.cache_variable = "CACHE";
    adapter.backends = {DeviceKind::cpu};
    adapter.time_limit = std::chrono::seconds(source.find("sleep") == source.npos ? 60 : 1);
    const auto file = example.write("adapter.sh", source);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    adapter.command = {file};
    const ScenarioResult result = example.run(
        scenario_with_steps("process a { call { expect { outcome failed } } }"), adapter);
    EXPECT_EQ(result.verdict, Verdict::fail) << row;
    ASSERT_THAT(troubles(result), testing::SizeIs(1)) << row;
    EXPECT_TRUE(matches_glob("adapter.answers: " + promised(row), troubles(result)[0]))
        << row << "\n"
        << promised(row) << "\n"
        << troubles(result)[0];
  }
}

TEST(Misbehaviour, leaves_out_the_other_calls_of_the_process_and_starts_the_next_process) {
  Example example;
  AdapterInfo adapter;
  adapter.backends = {DeviceKind::cpu};
  adapter.name = "misbehaved";
  adapter.cache_variable = "CACHE";
  const auto file = example.write("adapter.sh", script("exit 1"));
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  adapter.command = {file};
  const ScenarioResult result = example.run(
      scenario_with_steps("process a { repeat 3 { call { } } }\nprocess b { call { } }"), adapter);
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_EQ(result.checks[0].process, "a");
  EXPECT_EQ(result.checks[1].process, "b");
}

}  // namespace
}  // namespace tunecheck::test::misbehaviour
