#include "scenario_folder.hpp"

#include <stdexcept>

namespace tunecheck::test {
namespace {

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

}  // namespace

ScenarioFolder::ScenarioFolder()
    : m_folder(value_of(TemporaryFolder::create("tunecheck-test-judge"))),
      m_file(m_folder.path() / "scenarios.info") {
  add_kernel("toy", KernelText());
}

const KernelDefinition& ScenarioFolder::add_kernel(const std::string& name,
                                                   const KernelText& text) {
  return m_kernels[name] = write_kernel(path() / "kernels" / name, text);
}

Result<std::vector<Scenario>> ScenarioFolder::read(const std::string& text) const {
  if (const auto written = write_file(m_file, text); !written)
    throw std::runtime_error(written.error().text());
  std::map<std::string, const KernelDefinition*> known;
  for (const auto& [name, kernel] : m_kernels)
    known[name] = &kernel;
  return read_scenarios(m_file, known);
}

std::vector<Scenario> ScenarioFolder::scenarios(const std::string& text) const {
  return value_of(read(text));
}

std::string scenario_text(const std::string& steps, const std::string& head,
                          const std::string& name) {
  return "scenario\n{\n  name     " + name + "\n  because  \"a bug\"\n  kernel   toy\n" + head +
         "\n  steps {\n" + steps + "\n} }\n";
}

}  // namespace tunecheck::test
