#include "harness/process/planted_list.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> keys = {"name", "summary", "caught_by"};

// The last line that the program wrote to its stderr, which is where Python says what went wrong.
std::string last_words(const std::filesystem::path& log) {
  const auto text = read_text_file(log);
  if (!text) return {};
  std::size_t end = text->find_last_not_of(" \n\r");
  if (end == text->npos) return {};
  const std::size_t before = text->rfind('\n', end);
  return ": " + text->substr(before == text->npos ? 0 : before + 1,
                             end - (before == text->npos ? 0 : before + 1) + 1);
}

// One entry of the list; what is wrong with it, with its key, where something is.
struct Entry {
  MutantInfo mutant;
  std::string mistake;
};

std::string text_at(const json& entry, std::string_view key, std::string& mistake) {
  const auto found = entry.find(key);
  if (found != entry.end() && found->is_string()) return found->get<std::string>();
  if (mistake.empty())
    mistake = found == entry.end()
                  ? fmt::format("{}: expected text, and it is not there", key)
                  : fmt::format("{}: expected text, found {}", key, found->type_name());
  return {};
}

void read_claims(const json& claims, Entry& read) {
  if (!claims.is_object()) {
    read.mistake =
        fmt::format("caught_by: expected an object, each scenario with its check, found {}",
                    claims.type_name());
    return;
  }
  for (const auto& [scenario, check] : claims.items()) {
    if (!check.is_string()) {
      read.mistake = fmt::format("caught_by: expected the name of a check for \"{}\", found {}",
                                 scenario, check.type_name());
      return;
    }
    read.mutant.caught_by[scenario] = check.get<std::string>();
  }
}

Entry read_entry(const json& entry) {
  Entry read;
  if (!entry.is_object()) {
    read.mistake = fmt::format("expected an object, found {}", entry.type_name());
    return read;
  }
  read.mutant.name = text_at(entry, "name", read.mistake);
  // It becomes an argument, the name of a folder and, behind a ':', a part of the adapter's name.
  if (read.mistake.empty() && !is_identifier(read.mutant.name))
    read.mistake = fmt::format("name: expected lower-case letters, digits and '_', found \"{}\"",
                               read.mutant.name);
  read.mutant.summary = text_at(entry, "summary", read.mistake);
  for (const auto& [key, value] : entry.items())
    if (read.mistake.empty() && std::find(keys.begin(), keys.end(), key) == keys.end())
      read.mistake =
          fmt::format("unknown key \"{}\"; expected one of: {}", key, fmt::join(keys, ", "));
  if (const auto claims = entry.find("caught_by"); read.mistake.empty() && claims != entry.end())
    read_claims(*claims, read);
  return read;
}

// What is printed to the end, and how that came about.
struct Printed {
  std::string text, errors;
  ProcessEnd end;
};

// stdout alone: interpreters write warnings to stderr.
Result<Printed> printed_by(const CommandOptions& command) {
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-list"));
  const std::filesystem::path log = folder.path() / "stderr";
  const auto deadline = std::chrono::steady_clock::now() + command.time_limit;
  const auto left = [&] {
    return std::max(std::chrono::milliseconds(0),
                    std::chrono::duration_cast<std::chrono::milliseconds>(
                        deadline - std::chrono::steady_clock::now()));
  };
  TUNECHECK_TRY(LineProcess process, LineProcess::start(command, log));
  process.close_input();
  Printed printed;
  using State = LineProcess::ReadState;
  for (LineProcess::Read read{State::line, {}}; read.state == State::line;) {
    read = process.read_line(left());
    printed.text += read.line;
    if (read.state == State::line) printed.text += '\n';
  }
  printed.end = process.wait(left());
  printed.errors = last_words(log);
  return printed;
}

}  // namespace

Result<std::vector<MutantInfo>> ask_for_planted(std::vector<std::string> command,
                                                const std::string& what,
                                                std::chrono::milliseconds time_limit) {
  CommandOptions listing;
  listing.arguments = std::move(command);
  listing.arguments.emplace_back("--list");
  listing.time_limit = time_limit;
  TUNECHECK_TRY(const Printed printed, printed_by(listing));
  const auto wrong = [&](ErrorKind kind, const std::string& how) {
    return failure(kind, "{} did not print its {}: {}", fmt::join(listing.arguments, " "), what,
                   how);
  };
  if (printed.end.timed_out)
    return wrong(ErrorKind::machine, fmt::format("it was killed after {} ms", time_limit.count()));
  if (!printed.end.success()) return wrong(ErrorKind::machine, printed.end.text() + printed.errors);
  json listed;
  try {
    listed = parse_json(printed.text);
  } catch (const std::exception&) {
    return wrong(ErrorKind::bad_input, "expected JSON on stdout");
  }
  if (!listed.is_array())
    return wrong(ErrorKind::bad_input,
                 fmt::format("expected a list, found {}", listed.type_name()));
  std::vector<MutantInfo> all;
  std::set<std::string> names;
  for (const json& each : listed) {
    Entry entry = read_entry(each);
    if (!entry.mistake.empty())
      return wrong(ErrorKind::bad_input,
                   fmt::format("entry {}: {}", all.size() + 1, entry.mistake));
    if (!names.insert(entry.mutant.name).second)
      return wrong(ErrorKind::bad_input, fmt::format("it names \"{}\" twice", entry.mutant.name));
    all.push_back(std::move(entry.mutant));
  }
  return all;
}

}  // namespace tunecheck
