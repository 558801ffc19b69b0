#include "table/offline_table.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <tuple>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/file.h>

#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "core/text.hpp"

namespace tunecheck::table {
namespace {

using TableJson = nlohmann::ordered_json;

constexpr std::string_view table_kind = "tunecheck table";
// A table of a million entries has 300 MB; more is none.
constexpr std::uint64_t table_size_limit = std::uint64_t{512} << 20;

auto order_of(const Entry& entry) {
  return std::tie(entry.kernel, entry.device, entry.dtypes, entry.sizes);
}

// The parser knows no lines: each entry begins at a `"kernel"`, in the order of the entries. A text
// that says the word elsewhere gives lines that are a little off, and no wrong entry.
std::vector<int> lines_of_entries(std::string_view text) {
  constexpr std::string_view word = "\"kernel\"";
  std::vector<int> lines;
  int line = 1;
  std::size_t counted = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                        text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    lines.push_back(line);
  }
  return lines;
}

int line_of_byte(std::string_view text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

constexpr std::array<std::string_view, 3> table_members = {"schema", "kind", "entries"};
constexpr std::array<std::string_view, 8> entry_members = {
    "kernel", "device", "dtypes", "sizes", "config", "median_ns", "code", "space"};
constexpr std::array<std::string_view, 2> device_members = {"arch", "kind"};

template <class Members>
bool has(const Members& members, std::string_view name) {
  return std::find(members.begin(), members.end(), name) != members.end();
}

// The members that an object has beside these, as JSON; "" where there are none. Its device keeps
// those that this version does not know.
template <class Members>
std::string further_in(const TableJson& json, const Members& members) {
  TableJson further = TableJson::object();
  for (const auto& [name, value] : json.items())
    if (!has(members, name)) {
      further[name] = value;
    } else if (name == "device") {
      for (const auto& [of_device, what] : value.items())
        if (!has(device_members, of_device)) further["device"][of_device] = what;
    }
  return further.empty() ? std::string()
                         : further.dump(-1, ' ', false, TableJson::error_handler_t::replace);
}

// "1.9.0" as numbers; empty where it is none.
std::vector<std::int64_t> version_numbers(std::string_view version) {
  std::vector<std::int64_t> numbers;
  while (!version.empty()) {
    const std::size_t end = std::min(version.find('.'), version.size());
    const auto number = parse_integer(version.substr(0, end));
    if (!number || *number < 0) return {};
    numbers.push_back(*number);
    version.remove_prefix(std::min(end + 1, version.size()));
  }
  return numbers;
}

bool is_of_this_version(std::string_view schema) {
  const auto numbers = version_numbers(schema);
  return numbers.size() == 3 && numbers[0] == version_numbers(table_schema_version)[0];
}

// Reads one table. read() is called once, and stops at the first mistake, which has its place.
class TableReader {
 public:
  TableReader(std::string_view text, const std::string& file) : m_text(text), m_file(file) {}

  Result<OfflineTable> read() {
    try {
      return from(parse_json<TableJson>(m_text));
    } catch (const TableJson::parse_error& error) {
      m_line = line_of_byte(m_text, error.byte);
      return mistake("", "expected a table as JSON; " + json_problem(error));
    } catch (const TableJson::exception& error) {
      return mistake("", json_problem(error));
    }
  }

 private:
  Result<OfflineTable> from(const TableJson& json) {
    if (!json.is_object() || !json.contains("kind") || json.at("kind") != table_kind)
      return mistake("kind", fmt::format("expected \"{}\"", table_kind));
    OfflineTable table;
    m_line = line_of_word("\"schema\"");
    TUNECHECK_TRY(const TableJson* const schema, in(json, "schema"));
    if (!schema->is_string() || !is_of_this_version(schema->get<std::string>()))
      return mistake("schema", fmt::format("expected a table of version {}, found {}",
                                           table_schema_version, shown(*schema)));
    table.schema = schema->get<std::string>();
    m_line = line_of_word("\"entries\"");
    TUNECHECK_TRY(const TableJson* const entries, in(json, "entries"));
    if (!entries->is_array()) return mistake("entries", "expected a list");
    const std::vector<int> lines = lines_of_entries(m_text);
    for (const TableJson& each : *entries) {
      if (!each.is_object())
        return mistake("entries", fmt::format("expected objects, found {}", shown(each)));
      if (table.entries.size() < lines.size()) m_line = lines[table.entries.size()];
      TUNECHECK_TRY(Entry entry, entry_from(each));
      entry.line = m_line;
      table.entries.push_back(std::move(entry));
    }
    table.further = further_in(json, table_members);
    return table;
  }

  Result<Entry> entry_from(const TableJson& json) {
    Entry entry;
    TUNECHECK_TRY(entry.kernel, text_in(json, "kernel"));
    TUNECHECK_TRY(const TableJson* const device, in(json, "device"));
    if (!device->is_object()) return mistake("device", "expected an object with arch and kind");
    TUNECHECK_TRY(entry.device.arch, text_in(*device, "arch"));
    TUNECHECK_TRY(entry.device.kind, text_in(*device, "kind"));
    TUNECHECK_TRY(const TableJson* const dtypes, in(json, "dtypes"));
    if (!dtypes->is_object()) return mistake("dtypes", "expected names with dtypes");
    for (const auto& [tensor, name] : dtypes->items()) {
      const auto dtype = name.is_string() ? parse_dtype(name.get<std::string>()) : std::nullopt;
      if (!dtype)
        return mistake("dtypes",
                       fmt::format("expected a dtype such as f32, found {}", shown(name)));
      entry.dtypes[tensor] = *dtype;
    }
    TUNECHECK_TRY(entry.sizes, numbers_in(json, "sizes"));
    TUNECHECK_TRY(entry.config, numbers_in(json, "config"));
    if (const auto median = json.find("median_ns"); median != json.end()) {
      if (!median->is_number())
        return mistake("median_ns", fmt::format("expected a number, found {}", shown(*median)));
      entry.median_ns = median->get<double>();
    }
    for (const auto& [key, text] : {std::pair("code", &entry.code), {"space", &entry.space}})
      if (json.contains(key)) {
        TUNECHECK_TRY(*text, text_in(json, key));
      }
    if (entry.kernel.empty() || entry.device.arch.empty() || entry.config.empty())
      return mistake(entry.kernel.empty()   ? "kernel"
                     : entry.config.empty() ? "config"
                                            : "device",
                     "expected one that is not empty");
    entry.further = further_in(json, entry_members);
    return entry;
  }

  Result<const TableJson*> in(const TableJson& json, const char* key) const {
    const auto found = json.find(key);
    if (found == json.end()) return mistake(key, "expected this key");
    return &*found;
  }

  Result<std::string> text_in(const TableJson& json, const char* key) const {
    TUNECHECK_TRY(const TableJson* const text, in(json, key));
    if (!text->is_string())
      return mistake(key, fmt::format("expected a text, found {}", shown(*text)));
    return text->get<std::string>();
  }

  // Sizes and configs are whole numbers; the library would cut others off.
  Result<std::map<std::string, std::int64_t>> numbers_in(const TableJson& json,
                                                         const char* key) const {
    std::map<std::string, std::int64_t> numbers;
    TUNECHECK_TRY(const TableJson* const values, in(json, key));
    if (!values->is_object()) return mistake(key, "expected names with whole numbers");
    for (const auto& [name, value] : values->items()) {
      if (!value.is_number_integer())
        return mistake(
            key, fmt::format("expected whole numbers, found {} for \"{}\"", shown(value), name));
      numbers[name] = value.get<std::int64_t>();
    }
    return numbers;
  }

  // The line of the first one; 0 where the text has none.
  [[nodiscard]] int line_of_word(std::string_view word) const {
    const std::size_t at = m_text.find(word);
    return at == m_text.npos ? 0 : line_of_byte(m_text, at);
  }

  [[nodiscard]] static std::string shown(const TableJson& json) {
    constexpr std::size_t most = 80;
    const std::string text = json.dump(-1, ' ', false, replace);
    return text.size() <= most ? text : text.substr(0, most) + "...";
  }

  [[nodiscard]] tl::unexpected<Error> mistake(std::string key, std::string message) const {
    return failure(Error{ErrorKind::bad_input, std::move(message), m_file, m_line, std::move(key)});
  }

  static constexpr auto replace = TableJson::error_handler_t::replace;
  std::string_view m_text;
  const std::string& m_file;
  int m_line = 0;
};

// Members of a newer version, or of a person, at the end of an object.
void add_further(TableJson& json, const std::string& further) {
  if (further.empty()) return;
  const auto members = parse_json<TableJson>(further);
  for (const auto& [name, value] : members.items())
    if (json.contains(name))
      json[name].update(value);  // the device
    else
      json[name] = value;
}

TableJson to_json(const Entry& entry) {
  TableJson dtypes = TableJson::object();
  for (const auto& [tensor, dtype] : entry.dtypes)
    dtypes[tensor] = name_of(dtype);
  TableJson json = {{"kernel", entry.kernel},
                    {"device", {{"arch", entry.device.arch}, {"kind", entry.device.kind}}},
                    {"dtypes", dtypes},
                    {"sizes", entry.sizes},
                    {"config", entry.config}};
  if (entry.median_ns) json["median_ns"] = *entry.median_ns;
  if (!entry.code.empty()) json["code"] = entry.code;
  if (!entry.space.empty()) json["space"] = entry.space;
  add_further(json, entry.further);
  return json;
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

// One writer of the file at a time; the lock ends with this object. The folder is locked, so that
// no further file is left, and the file can be replaced as a whole.
Result<FileDescriptor> lock_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = folder_of(file);
  FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid())
    return failure(Error{
        ErrorKind::bad_input, "cannot be written: " + last_system_error(), file.string(), 0, {}});
  // A folder that cannot be locked, as on some network file systems, has one writer or bad luck.
  (void)::flock(opened.get(), LOCK_EX);
  return opened;
}

}  // namespace

std::string text_of(const Device& device) {
  return device.kind.empty() ? device.arch : fmt::format("{} on {}", device.arch, device.kind);
}

bool same_question(const Entry& a, const Entry& b) {
  return order_of(a) == order_of(b);
}

Result<OfflineTable> parse_table(std::string_view text, const std::string& file) {
  return TableReader(text, file).read();
}

Result<OfflineTable> read_table(const std::filesystem::path& file) {
  TUNECHECK_TRY(const std::string text, read_text_file(file, table_size_limit));
  return parse_table(text, file.string());
}

std::string to_json_text(OfflineTable table) {
  std::stable_sort(table.entries.begin(), table.entries.end(),
                   [](const Entry& a, const Entry& b) { return order_of(a) < order_of(b); });
  TableJson entries = TableJson::array();
  for (const Entry& entry : table.entries)
    entries.push_back(to_json(entry));
  const bool is_newer = version_numbers(table.schema) > version_numbers(table_schema_version);
  TableJson json = {{"schema", is_newer ? table.schema : std::string(table_schema_version)},
                    {"kind", table_kind}};
  add_further(json, table.further);
  json["entries"] = std::move(entries);
  return json.dump(2, ' ', false, TableJson::error_handler_t::replace) + "\n";
}

Result<void> merge_into_table(const std::filesystem::path& file,
                              const std::vector<Entry>& entries) {
  TUNECHECK_TRY(const FileDescriptor lock, lock_folder_of(file));
  OfflineTable table;
  if (std::filesystem::exists(file)) {
    TUNECHECK_TRY(table, read_table(file));
  }
  for (const Entry& entry : entries) {
    std::erase_if(table.entries, [&](const Entry& old) { return same_question(old, entry); });
    table.entries.push_back(entry);
  }
  return write_output(file, to_json_text(std::move(table)));
}

Result<void> check_can_merge(const std::filesystem::path& file) {
  const std::filesystem::path folder = folder_of(file);
  if (::access(folder.c_str(), W_OK) != 0)
    return failure(Error{
        ErrorKind::bad_input, "cannot be written: " + last_system_error(), file.string(), 0, {}});
  if (std::filesystem::exists(file)) TUNECHECK_CHECK(read_table(file));
  return {};
}

}  // namespace tunecheck::table
