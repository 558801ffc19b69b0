#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "core/text.hpp"
#include "table/foreign_table.hpp"

namespace tunecheck::table {
namespace {

using ArtifactJson = nlohmann::json;

constexpr int artifact_version = 1;
// AMD's CDNA, on which FlyDSL compiles, has wavefronts of 64.
constexpr int threads_of_a_wavefront = 64;

// A number or a text as it is read; anything else as JSON.
std::string value_text(const ArtifactJson& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, ArtifactJson::error_handler_t::replace);
}

bool is_shape(const ArtifactJson& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const ArtifactJson& each) {
           return each.is_number_integer();
         });
}

ForeignRow row_of_artifact(const ArtifactJson& json, const std::string& file) {
  ForeignRow row;
  row.file = file;
  row.line = 1;
  const ArtifactJson& identity = json.at("identity");
  row.name = identity.at("name").get<std::string>();
  const ArtifactJson& device = identity.at("device");
  row.device_name = device.at("name").get<std::string>();
  row.arch = device.at("arch").get<std::string>();
  row.multiprocessors = device.at("compute_units").get<std::int64_t>();
  for (const auto& [argument, value] : identity.at("key").items())
    if (is_shape(value))
      row.shapes[argument] = value.get<std::vector<std::int64_t>>();
    else
      row.problem[argument] = value_text(value);
  for (const auto& [name, value] : json.at("config").items())
    row.choice[name] = value_text(value);
  return row;
}

// Whatever case the other tuner writes it in.
std::optional<std::int64_t> number_called(const std::map<std::string, std::string>& columns,
                                          const std::string& name) {
  for (const auto& [column, value] : columns) {
    const bool same = std::equal(column.begin(), column.end(), name.begin(), name.end(),
                                 [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    if (same) return parse_integer(value);
  }
  return std::nullopt;
}

// From a tensor whose shape has the size alone in a dimension.
std::optional<std::int64_t> size_in_shapes(const ForeignRow& row, const KernelDefinition& kernel,
                                           const std::string& name) {
  for (const TensorParameter& tensor : kernel.tensors) {
    const auto shape = row.shapes.find(tensor.name);
    if (shape == row.shapes.end() || shape->second.size() != tensor.shape.size()) continue;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d)
      if (tensor.shape[d] == name) return shape->second[d];
  }
  return std::nullopt;
}

tl::unexpected<Error> lacks(const ForeignRow& row, const std::string& name, const char* what) {
  return failure(Error{ErrorKind::bad_input, fmt::format("the row has no {}", what), row.file,
                       row.line, name});
}

}  // namespace

Result<std::vector<ForeignRow>> parse_flydsl_table(std::string_view text, const std::string& file) {
  try {
    const auto json = parse_json<ArtifactJson>(text);
    if (!json.is_object() || json.value("version", 0) != artifact_version)
      return failure(
          Error{ErrorKind::bad_input,
                fmt::format("expected a table of FlyDSL's, version {}", artifact_version), file, 1,
                "version"});
    return std::vector{row_of_artifact(json, file)};
  } catch (const ArtifactJson::exception& error) {
    return failure(Error{
        ErrorKind::bad_input, "expected a table of FlyDSL's; " + json_problem(error), file, 1, {}});
  }
}

Result<std::vector<ForeignRow>> read_foreign_table(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    TUNECHECK_TRY(const std::string text, read_text_file(path));
    return path.extension() == ".csv" ? parse_aiter_table(text, path.string())
                                      : parse_flydsl_table(text, path.string());
  }
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& each : std::filesystem::directory_iterator(path, error))
    if (each.path().extension() == ".json") files.push_back(each.path());
  if (error || files.empty())
    return failure(Error{ErrorKind::bad_input,
                         "expected files of FlyDSL's table, *.json, in it",
                         path.string(),
                         0,
                         {}});
  std::sort(files.begin(), files.end());
  std::vector<ForeignRow> rows;
  for (const auto& file : files) {
    TUNECHECK_TRY(std::vector<ForeignRow> more, read_foreign_table(file));
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

Result<Entry> entry_from(const ForeignRow& row, const KernelDefinition& kernel,
                         const std::vector<DType>& dtypes) {
  Entry entry;
  entry.kernel = kernel.name;
  entry.line = row.line;
  if (row.arch.empty()) return lacks(row, "gfx", "arch");
  entry.device = {row.arch, fmt::format("{}{}{} multiprocessors, warps of {}", row.device_name,
                                        row.device_name.empty() ? "" : ", ", row.multiprocessors,
                                        threads_of_a_wavefront)};
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    entry.dtypes[kernel.tensors[i].name] = dtypes[i];
  for (const auto& [name, value] : kernel.sizes.begin()->second) {
    auto found = number_called(row.problem, name);
    if (!found) found = size_in_shapes(row, kernel, name);
    if (!found) return lacks(row, name, "such size");
    if (*found < 0)
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("expected a size of at least 0, found {}", *found), row.file,
                           row.line, name});
    entry.sizes[name] = *found;
  }
  for (const SpaceDefinition::Parameter& parameter : kernel.space.parameters) {
    const auto found = number_called(row.choice, parameter.name);
    if (!found) return lacks(row, parameter.name, "such parameter");
    entry.config[parameter.name] = *found;
  }
  if (row.median_us) entry.median_ns = *row.median_us * 1000;
  return entry;
}

}  // namespace tunecheck::table
