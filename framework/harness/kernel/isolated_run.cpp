#include "harness/kernel/isolated_run.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "core/resources.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::json;

DType dtype_from(const Json& json) {
  const auto dtype = parse_dtype(json.get<std::string>());
  if (!dtype) throw std::runtime_error("unknown dtype");
  return *dtype;
}

Json to_json(const std::vector<RunTensor>& tensors) {
  Json all = Json::array();
  for (const RunTensor& tensor : tensors)
    all.push_back({{"file", tensor.file.string()},
                   {"byte_offset", tensor.byte_offset},
                   {"dtype", name_of(tensor.dtype)},
                   {"shape", tensor.layout.dimensions()},
                   {"strides", tensor.layout.steps()}});
  return all;
}

Json to_json(const std::vector<Scalar>& scalars) {
  Json all = Json::array();
  for (const Scalar& scalar : scalars)
    all.push_back({{"dtype", name_of(scalar.dtype)}, {"value", scalar.value}});
  return all;
}

Json to_json(const IsolatedRun& run) {
  return {{"module", run.module.string()},
          {"reference", run.reference},
          {"tensors", to_json(run.tensors)},
          {"scalars", to_json(run.scalars)},
          {"earlier",
           {{"tensors", to_json(run.earlier.tensors)}, {"scalars", to_json(run.earlier.scalars)}}},
          {"zeroed", run.zeroed},
          {"launches", run.launches},
          {"measure", run.measure},
          {"enough_ms", run.enough.count()},
          {"slowdown", run.slowdown},
          {"hot", run.hot},
          {"as_trials", run.as_trials},
          {"tight", run.tight}};
}

std::vector<RunTensor> tensors_from(const Json& json) {
  std::vector<RunTensor> tensors;
  for (const Json& tensor : json)
    tensors.push_back({tensor.at("file").get<std::string>(),
                       tensor.at("byte_offset").get<std::uint64_t>(),
                       dtype_from(tensor.at("dtype")),
                       Layout::strided(tensor.at("shape").get<std::vector<std::int64_t>>(),
                                       tensor.at("strides").get<std::vector<std::int64_t>>())});
  return tensors;
}

std::vector<Scalar> scalars_from(const Json& json) {
  std::vector<Scalar> scalars;
  for (const Json& scalar : json)
    scalars.push_back({dtype_from(scalar.at("dtype")), scalar.at("value").get<double>()});
  return scalars;
}

IsolatedRun from_json(const Json& json) {
  IsolatedRun run;
  run.module = json.at("module").get<std::string>();
  run.reference = json.at("reference").get<bool>();
  run.tensors = tensors_from(json.at("tensors"));
  run.scalars = scalars_from(json.at("scalars"));
  run.earlier = {tensors_from(json.at("earlier").at("tensors")),
                 scalars_from(json.at("earlier").at("scalars"))};
  run.zeroed = json.at("zeroed").get<std::vector<std::size_t>>();
  run.launches = json.at("launches").get<int>();
  run.measure = json.at("measure").get<bool>();
  run.slowdown = json.at("slowdown").get<double>();
  run.enough = std::chrono::milliseconds(json.at("enough_ms").get<std::int64_t>());
  run.hot = json.at("hot").get<bool>();
  run.as_trials = json.at("as_trials").get<bool>();
  run.tight = json.at("tight").get<bool>();
  return run;
}

// File names and messages may hold bytes that are no UTF-8.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<IsolatedResult> run_isolated(const IsolatedRun& run, const std::filesystem::path& folder) {
  static std::atomic<int> counter{0};
  const std::filesystem::path request = folder / fmt::format("run-{}.json", counter++);
  TUNECHECK_CHECK(write_file(request, to_line(run)));
  CommandOptions options;
  options.arguments = {(program_folder() / "tunecheck-runner").string(), request.string()};
  options.time_limit = run.time_limit;
  TUNECHECK_TRY(const CommandResult result, run_command(options));
  std::error_code ignored;
  std::filesystem::remove(request, ignored);
  if (!result.end.success())
    return failure("{}{}{:.500}", result.end.text(), result.output.empty() ? "" : ": ",
                   result.output);
  return parse_isolated_result(result.output);
}

double quantile(std::vector<std::int64_t> samples, double share) {
  const auto last = static_cast<double>(samples.size() - 1);
  const auto place = samples.begin() + std::lround(share * last);
  std::nth_element(samples.begin(), place, samples.end());
  return static_cast<double>(*place);
}

std::string to_line(const IsolatedRun& run) {
  return dumped(to_json(run));
}

Result<IsolatedRun> parse_isolated_run(const std::string& line) {
  try {
    return from_json(parse_json<Json>(line));
  } catch (const std::exception& error) {
    return failure("expected a run as JSON: {}", json_problem(error));
  }
}

std::string to_line(const Result<IsolatedResult>& result) {
  if (!result) return dumped({{"trouble", result.error().text()}});
  return dumped({{"status", result->status},
                 {"status_text", result->status_text},
                 {"samples_ns", result->samples_ns}});
}

Result<IsolatedResult> parse_isolated_result(const std::string& line) {
  std::string trouble;
  try {
    const Json json = parse_json<Json>(line);
    if (!json.contains("trouble"))
      return IsolatedResult{json.at("status").get<int>(), json.at("status_text").get<std::string>(),
                            json.at("samples_ns").get<std::vector<std::int64_t>>()};
    trouble = json.at("trouble").get<std::string>();
  } catch (const std::exception&) {
    return failure("printed \"{:.200}\" instead of its result", line);
  }
  return failure("{}", trouble);
}

}  // namespace tunecheck
