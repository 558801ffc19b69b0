#include "function_backend.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

constexpr std::string_view start_of_artifact = "function artifact ";

}  // namespace

class FunctionBackend::FunctionModule : public Module {
 public:
  FunctionModule(const FunctionBackend& backend, Config config)
      : m_backend(backend), m_config(std::move(config)) {}

  LaunchStatus launch(const LaunchArguments& arguments) const override {
    ++m_backend.m_launches;
    return m_backend.m_function(m_config, arguments);
  }

  TimedLaunch timed_launch(const LaunchArguments& arguments) const override {
    const auto started = std::chrono::steady_clock::now();
    const LaunchStatus status = launch(arguments);
    const auto elapsed = std::chrono::steady_clock::now() - started;
    return {status, m_backend.elapsed_ns ? m_backend.elapsed_ns(m_config)
                                         : std::chrono::nanoseconds(elapsed).count()};
  }

 private:
  const FunctionBackend& m_backend;
  Config m_config;
};

Result<std::string> FunctionBackend::resolve_arch(std::string_view requested) const {
  if (requested == "nowhere") return failure("there is no arch \"nowhere\"");
  return requested.empty() ? default_arch : std::string(requested);
}

Result<std::string> FunctionBackend::toolchain_fingerprint() const {
  if (!toolchain) return failure("no toolchain was found");
  return *toolchain;
}

Result<KernelSources> FunctionBackend::sources(const KernelDefinition& kernel) const {
  KernelSources sources;
  TUNECHECK_TRY(sources.source.text, read_text_file(kernel.cpu->source));
  sources.source.name = kernel.cpu->source.filename();
  for (const auto& file : std::filesystem::directory_iterator(kernel.folder))
    if (file.path().extension() == ".h") {
      TUNECHECK_TRY(std::string text, read_text_file(file.path()));
      sources.headers.push_back({file.path().filename(), std::move(text)});
    }
  return sources;
}

Result<Artifact> FunctionBackend::compile(const CompileRequest& request) const {
  ++m_compiles;
  if (!toolchain) return failure("no toolchain was found");
  if (refuses_to_compile)
    if (const auto complaint = refuses_to_compile(request.config)) return failure("{}", *complaint);
  const std::string text = std::string(start_of_artifact) + to_string(request.config);
  const auto bytes = std::as_bytes(std::span(text));
  return Artifact{{bytes.begin(), bytes.end()}};
}

Result<std::unique_ptr<Module>> FunctionBackend::load(const Artifact& artifact) const {
  const std::string_view text(reinterpret_cast<const char*>(artifact.bytes.data()),
                              artifact.bytes.size());
  if (!text.starts_with(start_of_artifact)) return failure("not an artifact of this backend");
  TUNECHECK_TRY(Config config, parse_config(text.substr(start_of_artifact.size())));
  return std::unique_ptr<Module>(std::make_unique<FunctionModule>(*this, std::move(config)));
}

}  // namespace tunecheck::test
