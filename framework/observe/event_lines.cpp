#include "observe/event_lines.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include "observe/event_fields.hpp"
#include "observe/evidence_socket.hpp"

namespace tunecheck {
namespace {

// Keeps the order of the fields, for people who read the file.
using Json = nlohmann::ordered_json;

// A line that begins with its kind; each field that it is called with comes behind what is there.
class LineWriter {
 public:
  explicit LineWriter(std::string_view kind) : m_line({{"event", kind}}) {}
  template <class Value>
  void operator()(const char* name, const Value& value) {
    m_line[name] = value;
  }
  void operator()(const char* name, const std::vector<TensorPlace>& places) {
    Json& all = m_line[name] = Json::array();
    for (const TensorPlace& place : places)
      all.push_back({{"address_mod_64", place.address_mod_64},
                     {"shape", place.shape},
                     {"strides", place.strides}});
  }
  [[nodiscard]] std::string text() const {
    return m_line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  }

 private:
  Json m_line;
};

template <class Event>
std::string line_of(const Event& event) {
  LineWriter line(event_fields::kind_of<Event>);
  event_fields::visit_fields(event, line);
  return line.text();
}

}  // namespace

std::string to_begin_line(const LaunchEvent& event) {
  LineWriter line(event_fields::launch_begin);
  event_fields::visit_launch<false>(event, line);
  return line.text();
}

std::string to_end_line(const LaunchEvent& event) {
  LineWriter line(event_fields::launch_end);
  event_fields::visit_launch_end(event, line);
  return line.text();
}

std::string to_gpu_line(const LaunchEvent& event) {
  LineWriter line(event_fields::gpu_launch);
  event_fields::visit_launch<true>(event, line);
  return line.text();
}

std::string to_line(const CompileEvent& event) {
  return line_of(event);
}
std::string to_line(const ModuleEvent& event) {
  return line_of(event);
}
std::string to_line(const GraphLaunchEvent& event) {
  return line_of(event);
}
std::string to_line(const TroubleEvent& event) {
  return line_of(event);
}
std::string to_line(const FaultEvent& event) {
  return line_of(event);
}
std::string to_line(const FileEvent& event) {
  return line_of(event);
}
std::string to_line(const ProgramEvent& event) {
  return line_of(event);
}
std::string to_line(const UnseenCodeEvent& event) {
  return line_of(event);
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
