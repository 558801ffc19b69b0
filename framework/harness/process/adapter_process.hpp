#pragma once
// An adapter as a child process that answers requests, or fails to in a way that can be told.
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "adapter/protocol/messages.hpp"
#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "harness/process/adapter_info.hpp"

namespace tunecheck {

/// The adapter's program: beside tunecheck itself, else in PATH; a name with a '/' is relative to
/// the folder of the adapter.info. Empty where there is none that may be executed.
[[nodiscard]] std::filesystem::path locate_program(const AdapterInfo& adapter);
/// That program, or why the adapter cannot be started: there is none, or it is one in Python, and
/// TUNECHECK_PYTHON names nothing that can be run, or TUNECHECK_OTHER_PYTHON if there is another
/// version. These two are mistakes of the user's.
[[nodiscard]] Result<std::filesystem::path> find_adapter_program(const AdapterInfo& adapter);

struct AdapterLaunch {
  const AdapterInfo* adapter = nullptr;
  Environment environment;               ///< all of it
  std::filesystem::path folder;          ///< working folder
  std::filesystem::path log;             ///< its stderr
  std::chrono::milliseconds time_limit;  ///< for one answer; see SharedTimeLimit
  std::function<void()> in_child;        ///< see CommandOptions
  bool child_has_own_memory = false;     ///< see CommandOptions
  DeviceKind backend = DeviceKind::cpu;  ///< the kind of device to ask for
};

class AdapterProcess {
 public:
  /// Starts it and asks `hello`. The error says how it failed to answer; it is unsupported where
  /// the adapter itself says that it cannot run here, since something is missing.
  [[nodiscard]] static Result<AdapterProcess> start(const AdapterLaunch& launch);

  [[nodiscard]] const protocol::Hello& hello() const { return m_hello; }
  /// The error says how it failed: exit, signal, silence past the time limit, nonsense; after an
  /// error the process is not asked again.
  [[nodiscard]] Result<protocol::CallAnswer> call(const protocol::CallRequest& request);

  /// The same for calls that the adapter is to make at the same moment; one answer each.
  [[nodiscard]] Result<std::vector<protocol::CallAnswer>> call_together(
      const std::vector<protocol::CallRequest>& requests);

  /// To write all entries of its cache folder to a file, or to read such a file.
  [[nodiscard]] Result<protocol::ArchiveAnswer> archive(const protocol::ArchiveRequest& request);

  [[nodiscard]] int id() const { return m_process.id(); }

  struct End {
    ProcessEnd end;
    std::string trouble;  ///< "" where it ended with status 0 when it was asked to
  };
  /// Asks it to quit and waits for its end; kills it at the time limit, and at once where it has
  /// failed before.
  [[nodiscard]] End finish();

 private:
  AdapterProcess(LineProcess process, std::chrono::milliseconds time_limit)
      : m_process(std::move(process)), m_time_limit(time_limit) {}
  Result<std::string> ask(const std::string& line, std::string_view request);
  LineProcess::Read read_answer();
  void kill();

  LineProcess m_process;
  std::chrono::milliseconds m_time_limit;
  protocol::Hello m_hello;
  std::optional<ProcessEnd> m_end;  ///< it has ended already
};

}  // namespace tunecheck
