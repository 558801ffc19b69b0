#include "example.hpp"

#include <stdexcept>

#include "core/resources.hpp"

namespace tunecheck::test {
namespace {

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

}  // namespace

std::string scenario_with_steps(const std::string& steps) {
  const bool has_process = steps.find("process ") != steps.npos;
  const bool goes_through_variables = steps.find("each keyed_variables") != steps.npos;
  return "scenario\n{\n  name docs.example\n  because \"the page shows it\"\n"
         "  kernel axpy_inplace\n" +
         std::string(goes_through_variables ? "  needs keyed_variables\n" : "") + "  steps\n  {\n" +
         steps + (has_process ? "" : "\nprocess added { call { } }\n") + "\n  }\n}\n";
}

Example::Example() : m_folder(value_of(TemporaryFolder::create("tunecheck-test-docs"))) {
  m_catalogue.kernels =
      value_of(read_kernels({find_resources().kernels, find_resources().scenarios / "kernels"}));
}

std::filesystem::path Example::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path file = folder() / name;
  if (const auto written = write_file(file, text); !written)
    throw std::runtime_error(written.error().text());
  return file;
}

Result<std::vector<Scenario>> Example::read(const std::string& text) const {
  std::map<std::string, const KernelDefinition*> kernels;
  for (const auto* const some : {&m_catalogue.kernels, &m_catalogue.test_kernels})
    for (const auto& [name, kernel] : *some)
      kernels[name] = &kernel;
  const AdapterInfo reference = value_of(find_adapter("reference"));
  return read_scenarios(write("my.info", text), kernels, promises_of(reference, DeviceKind::cpu));
}

std::string Example::mistake_in(const std::string& text) const {
  const auto scenarios = read(text);
  if (scenarios) return {};
  Error error = scenarios.error();
  error.file = std::filesystem::path(error.file).filename();
  return error.text();
}

ScenarioResult Example::run(const std::string& text, const AdapterInfo& adapter) {
  const std::vector<Scenario> scenarios = value_of(read(text));
  RunOptions options;
  options.adapter = adapter;
  options.tasks.out = folder() / "out";
  options.tasks.jobs = 1;
  options.tasks.keep = true;
  RunResult result = value_of(run_scenarios(m_catalogue, {&scenarios.at(0)}, options));
  return std::move(result.scenarios.at(0));
}

std::vector<std::string> troubles(const ScenarioResult& result) {
  std::vector<std::string> found;
  for (const CheckResult& check : result.checks)
    if (check.verdict != Verdict::pass) found.push_back(check.check + ": " + check.observed);
  if (!result.message.empty()) found.push_back(result.message);
  return found;
}

}  // namespace tunecheck::test
