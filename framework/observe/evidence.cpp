#include "observe/evidence.hpp"

#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "observe/event_fields.hpp"

namespace tunecheck {
namespace {

using Parsed = nlohmann::json;

// Takes the fields of an event out of its line. What a field is not is an exception.
class FieldReader {
 public:
  explicit FieldReader(const Parsed& json) : m_json(json) {}
  template <class Value>
  void operator()(const char* name, Value& value) const {
    m_json.at(name).get_to(value);
  }
  void operator()(const char* name, std::vector<TensorPlace>& places) const {
    for (const Parsed& place : m_json.at(name))
      places.push_back({place.at("address_mod_64").get<int>(),
                        place.at("shape").get<std::vector<std::int64_t>>(),
                        place.at("strides").get<std::vector<std::int64_t>>()});
  }

 private:
  const Parsed& m_json;
};

// Collects events and joins the two lines of a launch. add() is called for each line in the order
// of the file, and take() once. A launch whose second line never comes stays one that has not
// ended: its process died in it. A second line without a first belongs to a launch that an earlier
// slice has handed out, and is dropped.
class Reader {
 public:
  void add(const Parsed& json, int sender) {
    const std::string kind = json.at("event").get<std::string>();
    if (kind == event_fields::launch_begin) {
      const LaunchEvent& launch = add_launch<false>(json);
      m_running[{launch.pid, launch.launch}] = m_evidence.launches.size() - 1;
    } else if (kind == event_fields::launch_end) {
      end_launch(json);
    } else if (kind == event_fields::gpu_launch) {
      add_launch<true>(json).ended = true;
    } else if (add_to(m_evidence.compiles, kind, json)) {
      m_evidence.compiles.back().sender = sender;
    } else if (!add_to(m_evidence.modules, kind, json) &&
               !add_to(m_evidence.graph_launches, kind, json) &&
               !add_to(m_evidence.troubles, kind, json) && !add_to(m_evidence.faults, kind, json) &&
               !add_to(m_evidence.files, kind, json) && !add_to(m_evidence.programs, kind, json) &&
               !add_to(m_evidence.unseen_code, kind, json)) {
      throw std::invalid_argument("unknown event");
    }
  }
  Evidence take() { return std::move(m_evidence); }

 private:
  template <class Event>
  static bool add_to(std::vector<Event>& events, std::string_view kind, const Parsed& json) {
    if (kind != event_fields::kind_of<Event>) return false;
    Event event;
    event_fields::visit_fields(event, FieldReader(json));
    events.push_back(std::move(event));
    return true;
  }

  template <bool on_gpu>
  LaunchEvent& add_launch(const Parsed& json) {
    LaunchEvent event;
    event_fields::visit_launch<on_gpu>(event, FieldReader(json));
    return m_evidence.launches.emplace_back(std::move(event));
  }

  void end_launch(const Parsed& json) {
    LaunchEvent end;
    event_fields::visit_launch_end(end, FieldReader(json));
    const auto running = m_running.find({end.pid, end.launch});
    if (running == m_running.end()) return;  // begun before this slice
    LaunchEvent& launch = m_evidence.launches[running->second];
    launch.ended = true;
    launch.status = end.status;
    launch.elapsed_ns = end.elapsed_ns;
    launch.left = std::move(end.left);
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
