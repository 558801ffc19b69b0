#include "observe/evidence.hpp"

#include <map>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/parse_json.hpp"

namespace tunecheck {
namespace {

using Parsed = nlohmann::json;

CompileEvent compile_event(const Parsed& json) {
  CompileEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("tool").get_to(event.tool);
  json.at("arguments").get_to(event.arguments);
  json.at("query").get_to(event.query);
  json.at("links").get_to(event.links);
  json.at("mode").get_to(event.mode);
  json.at("exit_status").get_to(event.exit_status);
  json.at("output_digest").get_to(event.output_digest);
  json.at("from_store").get_to(event.from_store);
  json.at("wall_ns").get_to(event.wall_ns);
  return event;
}

std::vector<TensorPlace> places(const Parsed& json) {
  std::vector<TensorPlace> places;
  for (const Parsed& place : json)
    places.push_back({place.at("address_mod_64").get<int>(),
                      place.at("shape").get<std::vector<std::int64_t>>(),
                      place.at("strides").get<std::vector<std::int64_t>>()});
  return places;
}

LaunchEvent launch_event(const Parsed& json) {
  LaunchEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("launch").get_to(event.launch);
  json.at("kernel").get_to(event.kernel);
  json.at("config").get_to(event.config);
  json.at("module").get_to(event.module);
  json.at("digests").get_to(event.digests);
  event.places = places(json.at("places"));
  json.at("stored").get_to(event.stored);
  json.at("cost_ns").get_to(event.cost_ns);
  return event;
}

LaunchEvent gpu_launch_event(const Parsed& json) {
  LaunchEvent event = launch_event(json);
  json.at("code").get_to(event.code);
  json.at("digested").get_to(event.digested);
  json.at("device").get_to(event.device);
  json.at("stream").get_to(event.stream);
  json.at("context").get_to(event.context);
  json.at("captured").get_to(event.captured);
  json.at("graph").get_to(event.graph);
  json.at("status").get_to(event.status);
  event.ended = true;
  return event;
}

ModuleEvent module_event(const Parsed& json) {
  ModuleEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("module").get_to(event.module);
  json.at("kind").get_to(event.kind);
  json.at("code").get_to(event.code);
  json.at("size").get_to(event.size);
  json.at("config").get_to(event.config);
  json.at("status").get_to(event.status);
  return event;
}

GraphLaunchEvent graph_launch_event(const Parsed& json) {
  GraphLaunchEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("stream").get_to(event.stream);
  json.at("context").get_to(event.context);
  json.at("kernels").get_to(event.kernels);
  json.at("status").get_to(event.status);
  return event;
}

TroubleEvent trouble_event(const Parsed& json) {
  TroubleEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("what").get_to(event.what);
  return event;
}

FaultEvent fault_event(const Parsed& json) {
  FaultEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("point").get_to(event.point);
  json.at("error").get_to(event.error);
  json.at("path").get_to(event.path);
  return event;
}

FileEvent file_event(const Parsed& json) {
  FileEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("operation").get_to(event.operation);
  json.at("path").get_to(event.path);
  json.at("from").get_to(event.from);
  json.at("error").get_to(event.error);
  return event;
}

ProgramEvent program_event(const Parsed& json) {
  ProgramEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("program").get_to(event.program);
  json.at("arguments").get_to(event.arguments);
  return event;
}

UnseenCodeEvent unseen_code_event(const Parsed& json) {
  UnseenCodeEvent event;
  json.at("time_ns").get_to(event.time_ns);
  json.at("pid").get_to(event.pid);
  json.at("program").get_to(event.program);
  json.at("file").get_to(event.file);
  return event;
}

// Collects events and joins the two lines of a launch. add() is called for each line in the order
// of the file, and take() once. A launch whose second line never comes stays one that has not
// ended: its process died in it. A second line without a first belongs to a launch that an earlier
// slice has handed out, and is dropped.
class Reader {
 public:
  void add(const Parsed& json, int sender) {
    const std::string kind = json.at("event").get<std::string>();
    if (kind == "compile") {
      m_evidence.compiles.push_back(compile_event(json));
      m_evidence.compiles.back().sender = sender;
    } else if (kind == "launch") {
      m_evidence.launches.push_back(launch_event(json));
      const LaunchEvent& launch = m_evidence.launches.back();
      m_running[{launch.pid, launch.launch}] = m_evidence.launches.size() - 1;
    } else if (kind == "launch_end") {
      end_launch(json);
    } else if (kind == "gpu_launch") {
      m_evidence.launches.push_back(gpu_launch_event(json));
    } else if (kind == "module") {
      m_evidence.modules.push_back(module_event(json));
    } else if (kind == "graph_launch") {
      m_evidence.graph_launches.push_back(graph_launch_event(json));
    } else if (kind == "probe_trouble") {
      m_evidence.troubles.push_back(trouble_event(json));
    } else if (kind == "fault") {
      m_evidence.faults.push_back(fault_event(json));
    } else if (kind == "file") {
      m_evidence.files.push_back(file_event(json));
    } else if (kind == "program") {
      m_evidence.programs.push_back(program_event(json));
    } else if (kind == "unseen_code") {
      m_evidence.unseen_code.push_back(unseen_code_event(json));
    } else {
      throw std::invalid_argument("unknown event");
    }
  }
  Evidence take() { return std::move(m_evidence); }

 private:
  void end_launch(const Parsed& json) {
    const auto running = m_running.find({json.at("pid"), json.at("launch")});
    const int status = json.at("status");
    const std::int64_t elapsed_ns = json.at("elapsed_ns");
    std::vector<std::string> left = json.at("left");
    if (running == m_running.end()) return;  // begun before this slice
    LaunchEvent& launch = m_evidence.launches[running->second];
    launch.ended = true;
    launch.status = status;
    launch.elapsed_ns = elapsed_ns;
    launch.left = std::move(left);
    m_running.erase(running);
  }

  Evidence m_evidence;
  std::map<std::pair<int, std::uint64_t>, std::size_t> m_running;
};

}  // namespace

namespace {

// Gives the lines of `text` to the reader; how many bytes they have. The error says of which byte.
tl::expected<std::size_t, std::string> add_lines(std::string_view text, std::uint64_t before,
                                                 int sender, Reader& reader) {
  std::size_t at = 0;
  for (std::size_t end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    const std::string_view line = text.substr(at, end - at);
    try {
      reader.add(parse_json<Parsed>(line), sender);
    } catch (const std::exception&) {  // what JSON's accessors throw says nothing of the file
      return tl::unexpected(
          fmt::format("damaged evidence at byte {}: expected an event, found \"{}\"", before + at,
                      line.substr(0, 80)));
    }
  }
  return at;
}

}  // namespace

Result<Evidence> parse_evidence(const std::vector<SentLines>& all) {
  Reader reader;
  std::uint64_t before = 0;
  for (const SentLines& lines : all) {
    const auto read = add_lines(lines.text, before, lines.sender, reader);
    if (!read) return failure(ErrorKind::untrusted, "{}", read.error());
    if (*read != lines.text.size())
      return failure(ErrorKind::untrusted, "damaged evidence: its last line has no end");
    before += lines.text.size();
  }
  return reader.take();
}

Result<Evidence> read_evidence(const std::filesystem::path& file, std::uint64_t& from) {
  const auto untrusted = [&](std::string what) {
    return failure(Error{ErrorKind::untrusted, std::move(what), file.string(), 0, {}});
  };
  const auto content = read_text_file_from(file, from);
  if (!content) return untrusted(content.error().message);
  Reader reader;
  // A last line without its newline is still being written: it belongs to the next slice.
  const auto read = add_lines(*content, from, 0, reader);
  if (!read) return untrusted(read.error());
  from += *read;
  return reader.take();
}

}  // namespace tunecheck
