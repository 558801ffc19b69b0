// tunecheck-cache: what `tunecheck cache ARGUMENTS...` starts.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/byte_size.hpp"
#include "core/exit_status.hpp"
#include "core/files.hpp"
#include "tuner/cache_command/bundle.hpp"
#include "tuner/cache_command/clean.hpp"
#include "tuner/cache_command/remote.hpp"
#include "tuner/cache_command/show.hpp"
#include "tuner/cache_usage/cache_usage.hpp"
#include "tuner/remote/remote_options.hpp"
#include "tuner/request.hpp"

namespace tunecheck::cache {
namespace {

using namespace status;

int report(const Error& error) {
  std::cerr << "tunecheck: " << error.text() << '\n';
  return status_of(error);
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Result<std::filesystem::path> cache_folder(const Arguments& arguments) {
  if (!arguments.cache.empty()) return arguments.cache;
  const char* const variable = std::getenv("TUNECHECK_CACHE_DIR");
  if (variable != nullptr && *variable != '\0') return variable;
  return failure(ErrorKind::bad_input,
                 "--cache: expected the cache folder, here or in TUNECHECK_CACHE_DIR");
}

Result<int> list(const Arguments& arguments) {
  TUNECHECK_TRY(const std::filesystem::path folder, cache_folder(arguments));
  EntryList list(std::cout, arguments.json, now_ns());
  TUNECHECK_CHECK(for_each_entry(folder, [&](const StoredEntry& entry) -> Result<void> {
    list.add(entry);
    return {};
  }));
  list.finish();
  return held;
}

Result<int> show(const Arguments& arguments) {
  TUNECHECK_TRY(const std::filesystem::path folder, cache_folder(arguments));
  TUNECHECK_TRY(const StoredEntry entry, find_entry(folder, arguments.first));
  std::cout << show_text(entry, now_ns());
  return held;
}

Result<StoredEntry> find_good(const std::filesystem::path& folder, const std::string& name) {
  TUNECHECK_TRY(StoredEntry entry, find_entry(folder, name));
  if (!entry.trouble.empty())
    return failure(ErrorKind::bad_input, "{} is damaged: {}", entry.id, entry.trouble);
  return entry;
}

Result<StoredEntry> find_other(const std::filesystem::path& folder, const std::string& name,
                               const StoredEntry& one) {
  if (!name.empty()) return find_good(folder, name);
  TUNECHECK_TRY(auto nearest, nearest_to(one, folder));
  if (!nearest)
    return failure(ErrorKind::bad_input, "{} is the only entry of the kernel {}", one.id,
                   one.kernel);
  return std::move(*nearest);
}

Result<int> explain(const Arguments& arguments) {
  TUNECHECK_TRY(const std::filesystem::path folder, cache_folder(arguments));
  TUNECHECK_TRY(const StoredEntry one, find_good(folder, arguments.first));
  TUNECHECK_TRY(const StoredEntry other, find_other(folder, arguments.second, one));
  std::cout << explain_text(one, other);
  return held;
}

Result<int> verify(const Arguments& arguments) {
  TUNECHECK_TRY(const std::filesystem::path folder, cache_folder(arguments));
  std::size_t all = 0, damaged = 0;
  TUNECHECK_CHECK(for_each_entry(folder, [&](const StoredEntry& entry) -> Result<void> {
    ++all;
    if (entry.trouble.empty()) return {};
    ++damaged;
    std::cout << entry.file.lexically_relative(folder).string() << ": " << entry.trouble << '\n';
    return {};
  }));
  std::cout << all << (all == 1 ? " entry" : " entries") << ", " << damaged << " damaged\n";
  return damaged == 0 ? held : failed;
}

Result<std::uint64_t> limit_of(const Arguments& arguments) {
  const char* const variable = std::getenv("TUNECHECK_CACHE_LIMIT");
  const bool is_given = !arguments.limit.empty();
  const std::string text = is_given ? arguments.limit : variable != nullptr ? variable : "";
  if (text.empty()) return TunerOptions().cache_limit_bytes;
  if (text == "none") return no_cache_limit;
  if (const auto bytes = parse_byte_size(text)) return *bytes;
  return failure(ErrorKind::bad_input, "{}: expected a size such as 64M, or none, found \"{}\"",
                 is_given ? "--limit" : "TUNECHECK_CACHE_LIMIT", text);
}

Result<int> gc(const Arguments& arguments) {
  TUNECHECK_TRY(const std::filesystem::path folder, cache_folder(arguments));
  TUNECHECK_TRY(const std::uint64_t limit, limit_of(arguments));
  TUNECHECK_TRY(const Cleaned cleaned, clean(folder, limit, arguments.dry));
  for (const std::string& line : cleaned.removed)
    std::cout << (arguments.dry ? "would remove " : "removed ") << line << '\n';
  for (const std::string& path : cleaned.in_use)
    std::cout << "kept " << path << ": it is in use\n";
  for (const std::string& line : cleaned.not_removed)
    std::cout << line << '\n';
  std::cout << byte_size_text(cleaned.bytes_before) << " before, "
            << byte_size_text(cleaned.bytes_after) << (arguments.dry ? " would be left" : " left")
            << '\n';
  return cleaned.not_removed.empty() ? held : untrusted;
}

// "" where no key is given.
Result<std::string> key_of(const Arguments& arguments) {
  if (arguments.key.empty()) return std::string();
  return read_remote_key(arguments.key);
}

Result<int> export_entries(const Arguments& arguments) {
  TUNECHECK_TRY(const std::filesystem::path folder, cache_folder(arguments));
  TUNECHECK_TRY(const std::string key, key_of(arguments));
  TUNECHECK_TRY(const Contents contents, read_contents(folder));
  TUNECHECK_TRY(const auto left_out, write_bundle(contents, arguments.file, key));
  for (const std::string& id : left_out)
    std::cout << "left out " << id << ": it is damaged\n";
  std::cout << contents.entries.size() - left_out.size() << " exported\n";
  return held;
}

Result<int> import_entries(const Arguments& arguments) {
  TUNECHECK_TRY(const std::filesystem::path folder, cache_folder(arguments));
  TUNECHECK_TRY(const std::string key, key_of(arguments));
  TUNECHECK_TRY(const Imported imported, read_bundle(arguments.file, folder, key));
  for (const std::string& id : imported.kept)
    std::cout << "kept " << id << ": the folder has one that is at least as new\n";
  std::cout << imported.added.size() << " imported\n";
  return held;
}

Result<int> remote(const Arguments& /*arguments*/) {
  TUNECHECK_TRY(const RemoteState state, try_remote());
  std::cout << state.text;
  return state.answers ? held : failed;
}

using Action = Result<int> (*)(const Arguments&);

Action action_of(const std::string& command) {
  constexpr std::array<std::pair<std::string_view, Action>, 8> actions = {
      {{"list", list},
       {"show", show},
       {"explain", explain},
       {"verify", verify},
       {"gc", gc},
       {"export", export_entries},
       {"import", import_entries},
       {"remote", remote}}};
  for (const auto& [name, action] : actions)
    if (name == command) return action;
  throw std::logic_error("no action for " + command);
}

// tunecheck has read the same command line before, and has said what is wrong with it; mistakes
// come this far if somebody starts this program itself.
int run(int count, char** values) {
  Arguments arguments;
  CLI::App app("Shows and manages the reference tuner's cache folder\n", "tunecheck cache");
  describe_cache_usage(app, arguments);
  try {
    app.parse(count, values);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    std::cout.flush();
    return held;
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    if (const auto remaining = app.remaining(true); !remaining.empty())
      what = "unexpected argument \"" + remaining.front() + "\"";
    return report({ErrorKind::bad_input, what + "; see tunecheck cache --help", {}, 0, {}});
  }
  const Result<int> done = action_of(app.get_subcommands().front()->get_name())(arguments);
  const int status = done ? *done : report(done.error());
  std::cout.flush();
  return status;
}

}  // namespace
}  // namespace tunecheck::cache

int main(int count, char** arguments) {
  try {
    std::cout.exceptions(std::ios::badbit);  // errno tells why only at that moment
    return tunecheck::cache::run(count, arguments);
  } catch (const std::ios_base::failure&) {
    const std::string why = tunecheck::last_system_error();
    std::cout.exceptions(std::ios::goodbit);  // stderr's stream flushes stdout's first
    std::cerr << "tunecheck: cannot write to stdout: " << why << '\n';
    return tunecheck::status::untrusted;
  } catch (const std::exception& error) {
    using namespace tunecheck;
    return cache::report(
        {ErrorKind::internal, std::string("internal error: ") + error.what(), {}, 0, {}});
  }
}
