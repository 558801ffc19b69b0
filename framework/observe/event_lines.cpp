#include "observe/event_lines.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include "observe/evidence_socket.hpp"

namespace tunecheck {
namespace {

// Keeps the order of the fields, for people who read the file.
using Json = nlohmann::ordered_json;

std::string line_of(const Json& event) {
  return event.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json json_of(const std::vector<TensorPlace>& places) {
  Json all = Json::array();
  for (const TensorPlace& place : places)
    all.push_back({{"address_mod_64", place.address_mod_64},
                   {"shape", place.shape},
                   {"strides", place.strides}});
  return all;
}

}  // namespace

std::string to_line(const CompileEvent& event) {
  return line_of({{"event", "compile"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"tool", event.tool},
                  {"arguments", event.arguments},
                  {"query", event.query},
                  {"links", event.links},
                  {"mode", event.mode},
                  {"exit_status", event.exit_status},
                  {"output_digest", event.output_digest},
                  {"from_store", event.from_store},
                  {"wall_ns", event.wall_ns}});
}

std::string to_begin_line(const LaunchEvent& event) {
  return line_of({{"event", "launch"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"launch", event.launch},
                  {"kernel", event.kernel},
                  {"config", event.config},
                  {"module", event.module},
                  {"digests", event.digests},
                  {"places", json_of(event.places)},
                  {"stored", event.stored},
                  {"cost_ns", event.cost_ns}});
}

std::string to_end_line(const LaunchEvent& event) {
  return line_of({{"event", "launch_end"},
                  {"pid", event.pid},
                  {"launch", event.launch},
                  {"status", event.status},
                  {"elapsed_ns", event.elapsed_ns},
                  {"left", event.left}});
}

std::string to_line(const FaultEvent& event) {
  return line_of({{"event", "fault"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"point", event.point},
                  {"error", event.error},
                  {"path", event.path}});
}

std::string to_line(const FileEvent& event) {
  return line_of({{"event", "file"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"operation", event.operation},
                  {"path", event.path},
                  {"from", event.from},
                  {"error", event.error}});
}

std::string to_gpu_line(const LaunchEvent& event) {
  return line_of({{"event", "gpu_launch"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"launch", event.launch},
                  {"kernel", event.kernel},
                  {"config", event.config},
                  {"module", event.module},
                  {"code", event.code},
                  {"digests", event.digests},
                  {"places", json_of(event.places)},
                  {"digested", event.digested},
                  {"stored", event.stored},
                  {"cost_ns", event.cost_ns},
                  {"device", event.device},
                  {"stream", event.stream},
                  {"context", event.context},
                  {"captured", event.captured},
                  {"graph", event.graph},
                  {"status", event.status}});
}

std::string to_line(const ModuleEvent& event) {
  return line_of({{"event", "module"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"module", event.module},
                  {"code", event.code},
                  {"kind", event.kind},
                  {"size", event.size},
                  {"config", event.config},
                  {"status", event.status}});
}

std::string to_line(const GraphLaunchEvent& event) {
  return line_of({{"event", "graph_launch"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"stream", event.stream},
                  {"context", event.context},
                  {"kernels", event.kernels},
                  {"status", event.status}});
}

std::string to_line(const TroubleEvent& event) {
  return line_of({{"event", "probe_trouble"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"what", event.what}});
}

std::string to_line(const ProgramEvent& event) {
  return line_of({{"event", "program"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"program", event.program},
                  {"arguments", event.arguments}});
}

std::string to_line(const UnseenCodeEvent& event) {
  return line_of({{"event", "unseen_code"},
                  {"time_ns", event.time_ns},
                  {"pid", event.pid},
                  {"program", event.program},
                  {"file", event.file}});
}

Result<FileDescriptor> open_evidence(const std::filesystem::path& path) {
  if (leads_to_socket(path)) return connect_to(path);
  FileDescriptor opened(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (!opened.valid())
    return failure(Error{ErrorKind::machine,
                         "cannot record evidence: " + last_system_error(),
                         path.string(),
                         0,
                         {}});
  return opened;
}

namespace {

// A file takes a line as a whole or not at all; a socket may take a piece.
ssize_t write_piece(int descriptor, const char* first, std::size_t size) {
  const ssize_t sent = ::send(descriptor, first, size, MSG_NOSIGNAL);
  return sent < 0 && errno == ENOTSOCK ? ::write(descriptor, first, size) : sent;
}

}  // namespace

Result<void> append_line(const FileDescriptor& evidence, const std::string& line) {
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t written = write_piece(evidence.get(), line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      return failure("cannot record evidence: {} after {} of {} bytes", last_system_error(), done,
                     line.size());
    done += static_cast<std::size_t>(written);
  }
  return {};
}

}  // namespace tunecheck
