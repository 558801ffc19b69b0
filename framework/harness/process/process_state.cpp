#include "harness/process/process_state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> of_status = {{
    {"Umask:", "umask"},
    {"SigBlk:", "blocked signals"},
    {"SigIgn:", "ignored signals"},
    {"SigCgt:", "caught signals"},
    {"Cpus_allowed_list:", "processors"},
}};

// "2 17" of a mask in hexadecimal digits. Signals 32 and 33 are the C library's own: it catches
// them once a process has threads.
std::string signals_of(const std::string& mask) {
  constexpr int first_own = 32, last_own = 33, last = 64;
  const std::uint64_t bits = std::strtoull(mask.c_str(), nullptr, 16);
  std::string numbers;
  for (int signal = 1; signal <= last; ++signal)
    if ((bits >> (signal - 1) & 1) != 0 && (signal < first_own || signal > last_own))
      numbers += (numbers.empty() ? "" : " ") + std::to_string(signal);
  return numbers.empty() ? "none" : numbers;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(std::move(line));
  return lines;
}

// "Max open files    1024    4096    files": names have words, values have none.
void add_limits(const fs::path& folder, ProcessState& state) {
  constexpr std::size_t name_width = 26;
  for (const std::string& line : lines_of(folder / "limits")) {
    if (!line.starts_with("Max ") || line.size() <= name_width) continue;
    std::string name = line.substr(0, name_width);
    name.erase(name.find_last_not_of(' ') + 1);
    const auto values = split_words(line.substr(name_width));
    if (values.size() >= 2) state["limit: " + name] = values[0] + " of " + values[1];
  }
}

// What stands behind the program's name, which may hold anything: priority is the 16th of it.
void add_priority(const fs::path& folder, ProcessState& state) {
  constexpr std::size_t nice = 16;
  const auto lines = lines_of(folder / "stat");
  if (lines.empty()) return;
  const auto words = split_words(lines.back().substr(lines.back().rfind(')') + 1));
  if (words.size() > nice) state["nice value"] = words[nice];
}

// Each trial or compiler may take a pipe, and a tuner that forgets to close one runs out of
// descriptors. Files and devices are left out: libraries open these when they are first needed.
void add_pipes(const fs::path& folder, ProcessState& state) {
  std::size_t pipes = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder / "fd", error), end; !error && at != end;
       at.increment(error)) {
    std::error_code closed;
    if (fs::read_symlink(at->path(), closed).string().starts_with("pipe:")) ++pipes;
  }
  if (!error) state[open_pipes] = std::to_string(pipes);
}

}  // namespace

Result<ProcessState> process_state(int process) {
  const fs::path folder = fmt::format("/proc/{}", process);
  ProcessState state;
  for (const std::string& line : lines_of(folder / "status"))
    for (const auto& [key, name] : of_status)
      if (line.starts_with(key)) {
        std::string value =
            line.substr(std::min(line.size(), line.find_first_not_of(" \t", key.size())));
        state[std::string(name)] = key.starts_with("Sig") ? signals_of(value) : std::move(value);
      }
  if (state.size() != of_status.size())
    return failure(ErrorKind::machine, "cannot read the state of process {}", process);
  std::error_code error;
  state["working folder"] = fs::read_symlink(folder / "cwd", error).string();
  if (error)
    return failure(ErrorKind::machine, "cannot read the working folder of process {}: {}", process,
                   error.message());
  add_limits(folder, state);
  add_priority(folder, state);
  add_pipes(folder, state);
  return state;
}

}  // namespace tunecheck
