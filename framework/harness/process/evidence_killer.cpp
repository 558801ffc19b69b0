#include "harness/process/evidence_killer.hpp"

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <unistd.h>

#include <sys/syscall.h>

#include "core/files.hpp"
#include "harness/process/evidence_watch.hpp"
#include "observe/evidence_clock.hpp"

namespace tunecheck {
namespace {

std::int64_t count_of(const EvidenceWatch& watch, KillPoint::When when) {
  return when == KillPoint::When::compiles   ? watch.compiles()
         : when == KillPoint::When::launches ? watch.launches()
                                             : watch.configs();
}

// A machine that is busy makes the others slow: who gives up waiting is to be seen, and not how
// fast it goes on.
void stand_still(const KillPoint& kill, const std::function<bool()>& still_needed) {
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(kill.frozen);
  while (still_needed && still_needed() &&
         std::chrono::steady_clock::now() < began + kill.longest_frozen)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace

EvidenceKiller::EvidenceKiller(const ProcessSetup& setup, std::filesystem::path evidence,
                               std::string kernel, int process)
    : m_thread([this, kill = *setup.kill, still_needed = setup.still_needed,
                watch = EvidenceWatch(std::move(evidence), std::move(kernel)),
                handle = std::make_shared<FileDescriptor>(static_cast<int>(
                    ::syscall(SYS_pidfd_open, process, 0)))](const std::stop_token& stop) mutable {
        while (!stop.stop_requested()) {
          watch.look();
          if (count_of(watch, kill.when) >= kill.count) {
            // By handle: the number could be another process's by now.
            const auto send = [&](int signal) {
              ::syscall(SYS_pidfd_send_signal, handle->get(), signal, nullptr, 0);
            };
            if (kill.frozen.count() > 0) {
              send(SIGSTOP);
              stand_still(kill, still_needed);
            }
            m_killed_ns = evidence_now_ns();
            send(SIGKILL);
            return;
          }
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }) {}

}  // namespace tunecheck
