#include "observe/watch/watch_events.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"

namespace tunecheck::watch {
namespace {

using Json = nlohmann::json;

constexpr std::string_view beginning = R"({"watch":")";
// In the order of Replay.
constexpr std::array<std::string_view, 4> replay_names = {"none", "same", "differs", "not_steady"};

}  // namespace

// Without an object that is made at the first use: it would be gone when a process tells its last
// lines at its end.
void to_json(Json& json, const Replay& replay) {
  json = replay_names[static_cast<std::size_t>(replay)];
}
void from_json(const Json& json, Replay& replay) {
  const auto name = json.get<std::string>();
  const auto found = std::find(replay_names.begin(), replay_names.end(), name);
  if (found == replay_names.end()) throw Json::other_error::create(501, "no replay", nullptr);
  replay = static_cast<Replay>(found - replay_names.begin());
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessEvent, pid, parent, program, device, rank, time_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CodeLaunches, code, module, launches, runs, measured, captured,
                                   first_ns, last_ns, paths, has_all_paths, first_run_ns,
                                   last_run_ns, restored, built)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ArgumentSeen, index, bytes, found, differing, written, spoilt,
                                   is_read, is_written)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BurstEvent, pid, number, kernel, shapes, scalars, place,
                                   definition, stream, first_ns, last_ns, codes, winner,
                                   after_trials, measured, last_path, is_over, concurrent, inputs,
                                   result, replay, why_not, was_on_copies, arguments)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TotalEvent, pid, kernel, shapes, codes, last_code, after_trials,
                                   last_path, skipped, rank)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WriteEvent, pid, folder, file)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JitEvent, pid, time_ns, library, compiler, place, source, file,
                                   kernels, result, wall_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SectionEvent, pid, name, from_ns, to_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TroubleEvent, pid, what)

namespace {

template <class Event>
std::string line_of(const char* kind, const Event& event) {
  const std::string fields = Json(event).dump(-1, ' ', false, Json::error_handler_t::replace);
  return std::string(beginning) + kind + "\"," + fields.substr(1) + '\n';
}

}  // namespace

std::int64_t BurstEvent::launches() const {
  std::int64_t all = 0;
  for (const CodeLaunches& code : codes)
    all += code.launches;
  return all;
}

std::string to_line(const ProcessEvent& event) {
  return line_of("process", event);
}
std::string to_line(const BurstEvent& event) {
  return line_of("burst", event);
}
std::string to_line(const TotalEvent& event) {
  return line_of("total", event);
}
std::string to_line(const WriteEvent& event) {
  return line_of("write", event);
}
std::string to_line(const JitEvent& event) {
  return line_of("jit", event);
}
std::string to_line(const SectionEvent& event) {
  return line_of("section", event);
}
std::string to_line(const TroubleEvent& event) {
  return line_of("trouble", event);
}

bool is_watch_line(std::string_view line) {
  return line.starts_with(beginning);
}

void read_line(std::string_view line, Told& told) {
  try {
    const Json json = parse_json<Json>(line);
    const auto kind = json.at("watch").get<std::string>();
    if (kind == "process") {
      told.processes.push_back(json.get<ProcessEvent>());
    } else if (kind == "burst") {
      auto burst = json.get<BurstEvent>();
      const auto same =
          std::find_if(told.bursts.rbegin(), told.bursts.rend(), [&](const BurstEvent& other) {
            return other.pid == burst.pid && other.number == burst.number &&
                   other.kernel == burst.kernel;
          });
      if (same == told.bursts.rend())
        told.bursts.push_back(std::move(burst));
      else
        *same = std::move(burst);
    } else if (kind == "total") {
      auto total = json.get<TotalEvent>();
      const auto same =
          std::find_if(told.totals.begin(), told.totals.end(), [&](const TotalEvent& other) {
            return other.pid == total.pid && other.kernel == total.kernel &&
                   other.shapes == total.shapes;
          });
      if (same == told.totals.end())
        told.totals.push_back(std::move(total));
      else
        *same = std::move(total);
    } else if (kind == "write") {
      told.writes.push_back(json.get<WriteEvent>());
    } else if (kind == "jit") {
      told.jits.push_back(json.get<JitEvent>());
    } else if (kind == "section") {
      told.sections.push_back(json.get<SectionEvent>());
    } else if (kind == "trouble") {
      told.troubles.push_back(json.get<TroubleEvent>());
    } else {
      ++told.damaged_lines;
    }
  } catch (const Json::exception&) {
    ++told.damaged_lines;
  }
}

}  // namespace tunecheck::watch
