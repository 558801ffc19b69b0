#include "cli/run/run_again.hpp"

#include <atomic>
#include <cstdio>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/run/interruption.hpp"
#include "core/processes/end_children.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto interval = std::chrono::milliseconds(300);
constexpr std::size_t most_files = 20'000;

void stamp(const fs::path& file, FileStamps& stamps) {
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(file, unknown);
  if (unknown) return;
  const auto written = fs::last_write_time(file, unknown).time_since_epoch().count();
  if (!unknown) stamps[file] = {size, written};
}

bool is_passed_over(const fs::path& entry, const fs::path& out) {
  const std::string name = entry.filename().string();
  std::error_code unknown;
  return name.starts_with('.') || name == "__pycache__" || fs::equivalent(entry, out, unknown);
}

void stamp_all_below(const fs::path& folder, const fs::path& out, FileStamps& stamps) {
  std::error_code unknown;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      unknown);
  for (; !unknown && at != fs::recursive_directory_iterator() && stamps.size() < most_files;
       at.increment(unknown)) {
    std::error_code none;
    if (is_passed_over(at->path(), out)) {
      if (at->is_directory(none)) at.disable_recursion_pending();
    } else if (at->is_regular_file(none)) {
      stamp(at->path(), stamps);
    }
  }
}

std::vector<fs::path> changed_between(const FileStamps& before, const FileStamps& after) {
  std::vector<fs::path> changed;
  for (const auto& [file, facts] : after)
    if (const auto was = before.find(file); was == before.end() || was->second != facts)
      changed.push_back(file);
  for (const auto& [file, facts] : before)
    if (!after.contains(file)) changed.push_back(file);
  return changed;
}

// Until something differs from `before`, and has stayed as it is for one interval.
std::vector<fs::path> wait_for_change(const FileStamps& before, const std::vector<fs::path>& paths,
                                      const fs::path& out) {
  FileStamps last = before;
  while (true) {
    std::this_thread::sleep_for(interval);
    FileStamps now = stamps_of(paths, out);
    if (now == last && now != before) return changed_between(before, now);
    last = std::move(now);
  }
}

void say_what_changed(const std::vector<fs::path>& changed) {
  const std::string first = changed.front().lexically_proximate(fs::current_path()).string();
  print(fmt::format(
      "\n{} changed{}\n", first,
      changed.size() == 1 ? "" : fmt::format(", and {}", counted(changed.size() - 1, "other"))));
  (void)flushed(held);
}

}  // namespace

FileStamps stamps_of(const std::vector<fs::path>& paths, const fs::path& out) {
  FileStamps stamps;
  for (const fs::path& path : paths) {
    std::error_code unknown;
    if (fs::is_directory(path, unknown))
      stamp_all_below(path, out, stamps);
    else
      stamp(path, stamps);
  }
  return stamps;
}

std::vector<fs::path> paths_of(const RunArguments& arguments, const fs::path& adapter) {
  const Resources own = find_resources();
  std::vector<fs::path> paths = {own.kernels};
  if (!adapter.empty()) paths.push_back(fs::absolute(adapter).parent_path());
  if (arguments.scenarios.empty()) paths.push_back(own.scenarios);
  for (const auto* const given : {&arguments.kernels, &arguments.scenarios, &arguments.known})
    for (const std::string& path : *given)
      paths.push_back(fs::absolute(path).lexically_normal());
  return paths;
}

void run_whenever_files_change(const std::function<int()>& run,
                               const std::function<std::vector<fs::path>()>& paths,
                               const fs::path& out) {
  std::atomic<int> last{held};
  const Interruption ending([&] {
    end_children();
    std::fflush(stdout);
    ::_exit(last);
  });
  while (true) {
    // Before it runs: what changes meanwhile is a change.
    const std::vector<fs::path> watched = paths();
    const FileStamps before = stamps_of(watched, out);
    last = run();
    print(
        fmt::format("\nwaiting for a change of {}; Ctrl-C ends\n", counted(before.size(), "file")));
    (void)flushed(held);
    say_what_changed(wait_for_change(before, watched, out));
  }
}

}  // namespace tunecheck::cli
