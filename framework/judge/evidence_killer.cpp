#include "judge/evidence_killer.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <unistd.h>

#include <sys/syscall.h>

#include "core/files.hpp"
#include "observe/evidence.hpp"

namespace tunecheck {
namespace {

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::int64_t count_in(const Evidence& evidence, KillStep::When when, const std::string& kernel) {
  if (when == KillStep::When::compiles)
    return std::count_if(evidence.compiles.begin(), evidence.compiles.end(),
                         [](const CompileEvent& event) { return !event.query; });
  return std::count_if(evidence.launches.begin(), evidence.launches.end(),
                       [&](const LaunchEvent& event) { return event.kernel == kernel; });
}

}  // namespace

EvidenceKiller::EvidenceKiller(const KillStep& kill, std::filesystem::path evidence,
                               std::string kernel, int process)
    : m_thread([this, kill, evidence = std::move(evidence), kernel = std::move(kernel),
                handle = std::make_shared<FileDescriptor>(static_cast<int>(
                    ::syscall(SYS_pidfd_open, process, 0)))](const std::stop_token& stop) {
        std::uint64_t read = 0;
        for (std::int64_t seen = 0; !stop.stop_requested();) {
          if (const auto events = read_evidence(evidence, read))
            seen += count_in(*events, kill.when, kernel);
          if (seen >= kill.count) {
            m_killed_ns = now_ns();
            // By handle: the number could be another process's by now.
            ::syscall(SYS_pidfd_send_signal, handle->get(), SIGKILL, nullptr, 0);
            return;
          }
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }) {}

}  // namespace tunecheck
