#include "table/offline_table.hpp"

#include <algorithm>
#include <fcntl.h>
#include <tuple>

#include <nlohmann/json.hpp>
#include <sys/file.h>

#include "core/files.hpp"
#include "core/parse_json.hpp"

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
      return mistake(m_key, json_problem(error));
    }
  }

 private:
  Result<OfflineTable> from(const TableJson& json) {
    if (!json.is_object() || json.value("kind", "") != table_kind)
      return mistake("kind", fmt::format("expected \"{}\"", table_kind));
    const std::string schema = json.value("schema", "");
    if (!schema.starts_with(table_schema_version.substr(0, 2)))
      return mistake("schema", fmt::format("expected a table of version {}, found \"{}\"",
                                           table_schema_version, schema));
    m_key = "entries";
    const TableJson& entries = json.at("entries");
    if (!entries.is_array()) return mistake("entries", "expected a list");
    const std::vector<int> lines = lines_of_entries(m_text);
    OfflineTable table;
    for (const TableJson& each : entries) {
      m_line = table.entries.size() < lines.size() ? lines[table.entries.size()] : 0;
      TUNECHECK_TRY(Entry entry, entry_from(each));
      entry.line = m_line;
      table.entries.push_back(std::move(entry));
    }
    return table;
  }

  Result<Entry> entry_from(const TableJson& json) {
    Entry entry;
    entry.kernel = text_in(json, "kernel");
    const TableJson& device = in(json, "device");
    entry.device = {text_in(device, "arch"), text_in(device, "kind")};
    if (!in(json, "dtypes").is_object()) return mistake("dtypes", "expected names with dtypes");
    for (const auto& [tensor, name] : json.at("dtypes").items()) {
      const auto dtype = parse_dtype(name.get<std::string>());
      if (!dtype)
        return mistake("dtypes",
                       fmt::format("expected a dtype such as f32, found {}", name.dump()));
      entry.dtypes[tensor] = *dtype;
    }
    TUNECHECK_TRY(entry.sizes, numbers_in(json, "sizes"));
    TUNECHECK_TRY(entry.config, numbers_in(json, "config"));
    m_key = "median_ns";
    if (json.contains("median_ns")) entry.median_ns = json.at("median_ns").get<double>();
    for (const auto& [key, text] : {std::pair("code", &entry.code), {"space", &entry.space}})
      if (json.contains(key)) *text = text_in(json, key);
    if (entry.kernel.empty() || entry.device.arch.empty() || entry.config.empty())
      return mistake(entry.kernel.empty()   ? "kernel"
                     : entry.config.empty() ? "config"
                                            : "device",
                     "expected one that is not empty");
    return entry;
  }

  const TableJson& in(const TableJson& json, const char* key) {
    m_key = key;
    return json.at(key);
  }
  std::string text_in(const TableJson& json, const char* key) {
    return in(json, key).get<std::string>();
  }

  // Sizes and configs are whole numbers; the library would cut others off.
  Result<std::map<std::string, std::int64_t>> numbers_in(const TableJson& json, const char* key) {
    std::map<std::string, std::int64_t> numbers;
    if (!in(json, key).is_object()) return mistake(key, "expected names with whole numbers");
    for (const auto& [name, value] : in(json, key).items()) {
      if (!value.is_number_integer())
        return mistake(key, fmt::format("expected whole numbers, found {} for \"{}\"",
                                        value.dump(-1, ' ', false, replace), name));
      numbers[name] = value.get<std::int64_t>();
    }
    return numbers;
  }

  [[nodiscard]] tl::unexpected<Error> mistake(std::string key, std::string message) const {
    return failure(Error{ErrorKind::bad_input, std::move(message), m_file, m_line, std::move(key)});
  }

  static constexpr auto replace = TableJson::error_handler_t::replace;
  std::string_view m_text;
  const std::string& m_file;
  std::string m_key;
  int m_line = 0;
};

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
  return json;
}

// One writer of the file at a time; the lock ends with this object. The folder is locked, so that
// no further file is left, and the file can be replaced as a whole.
Result<FileDescriptor> lock_folder_of(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
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
  const TableJson json = {
      {"schema", table_schema_version}, {"kind", table_kind}, {"entries", entries}};
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

}  // namespace tunecheck::table
