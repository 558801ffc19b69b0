#pragma once
// One process of a tuner under observation, from its folders to its end.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/process/adapter_process.hpp"
#include "harness/process/evidence_killer.hpp"
#include "harness/process/process_setup.hpp"
#include "harness/process/process_state.hpp"
#include "harness/process/watched_call.hpp"
#include "harness/process/workspace.hpp"
#include "observe/evidence_inbox.hpp"
#include "observe/programs/program_watch.hpp"

namespace tunecheck {

/// In this order: prepare(), start(), then ask() and gather() for each call, and end(), after which
/// gather() still reads what came last. With note_late() before each call, gather_late() tells
/// what was done in a call from what was done after its answer. How the tuner fails is in its
/// calls, in trouble() and in what end() returns; an error is always the harness's own: it could
/// not make a folder, or there is no evidence. Owns the process, and kills it where it is destroyed
/// before end(). One thread at a time.
class WatchedProcess {
 public:
  /// Makes its folders in `workspace`, with its compiler and all observers. `adapter` outlives it;
  /// the workspace need not.
  [[nodiscard]] static Result<WatchedProcess> prepare(const Workspace& workspace,
                                                      ProcessSetup setup,
                                                      const AdapterInfo& adapter,
                                                      const Observers& observers);

  /// Starts it and waits for its answer to `hello`. False where it gave none: trouble() says why.
  /// From here on it may be killed, if its setup says so.
  bool start();
  [[nodiscard]] bool is_running() const { return m_process.has_value(); }
  /// What it said of itself; nothing before start().
  [[nodiscard]] const protocol::Hello& hello() const { return m_hello; }
  /// Name and version as it says, "" if it did not.
  [[nodiscard]] std::string tuner() const;
  /// How it failed to start, "" if it did not.
  [[nodiscard]] const std::string& trouble() const { return m_trouble; }
  /// True where that is its own word that it cannot run here: something is missing.
  [[nodiscard]] bool refused() const { return m_refused; }

  /// Asks `call.request` and fills in the answer, or how there came to be none, with the times and
  /// the use of a burst. The process must be running.
  [[nodiscard]] Result<void> ask(WatchedCall& call);
  /// The same of calls that are made at the same moment, each in a thread of its own. No bursts.
  void ask_together(const std::vector<WatchedCall*>& calls);
  /// Asks it to export entries or to import some; the error is how it failed to answer.
  [[nodiscard]] Result<protocol::ArchiveAnswer> archive(const protocol::ArchiveRequest& request) {
    return m_process->archive(request);
  }
  /// Gives what observers saw since the last time to the call; see EvidenceReader.
  [[nodiscard]] Result<void> gather(WatchedCall& call) { return gather(std::vector{&call}); }
  [[nodiscard]] Result<void> gather(const std::vector<WatchedCall*>& calls);
  /// The next call is about to be asked: what observers saw since the last gather() was done after
  /// the answers so far.
  [[nodiscard]] Result<void> note_late() { return m_evidence.note_late(); }
  /// Adds what was done after the answer to these calls: what note_late() found, or, after end(),
  /// all that is left. Calls that were made at the same moment go together.
  [[nodiscard]] Result<void> gather_late(const std::vector<WatchedCall*>& calls);

  /// Waits until it has come to rest: for a second, it has done nothing that observers see, has no
  /// child, and has used no processor. At most so long. To be called between gather() and the next
  /// ask(); what was done meanwhile is gather_late()'s.
  [[nodiscard]] Result<void> rest(std::chrono::seconds at_most);

  /// From here on it finds compilers of another mode. Not poisoned and absent, which hold from a
  /// process's start. `workspace`, `adapter` and `observers` are those of prepare().
  [[nodiscard]] Result<void> replace_compilers(CompilerMode mode, const Workspace& workspace,
                                               const AdapterInfo& adapter,
                                               const Observers& observers);

  /// What it has besides its memory at this moment. Between calls nothing of it should change.
  [[nodiscard]] Result<ProcessState> state() const { return process_state(m_id); }

  /// True where there is a file in this folder, as the process sees it, and space for more. False
  /// where nobody can tell.
  [[nodiscard]] bool leaves_room_in(const std::filesystem::path& folder) const;

  /// Asks it to quit and waits. Nothing where it is not running.
  AdapterProcess::End end();
  /// Why the programs that it starts are not seen, "" where they are; known from start() on.
  [[nodiscard]] const std::string& unseen_programs() const { return m_unseen_programs; }
  /// CLOCK_MONOTONIC in ns at which it was killed for what observers had seen; 0 if it was not.
  [[nodiscard]] std::int64_t killed_ns() const;

  [[nodiscard]] const std::filesystem::path& evidence_file() const { return m_evidence_file; }
  [[nodiscard]] const std::filesystem::path& log_file() const { return m_launch.log; }

 private:
  WatchedProcess(const Workspace& workspace, ProcessSetup setup,
                 std::unique_ptr<EvidenceInbox> inbox);
  Result<void> begin_counts() const;
  Result<void> check_senders() const;
  Result<void> begin_burst(WatchedCall& call) const;
  Result<void> end_burst(WatchedCall& call) const;

  ProcessSetup m_setup;
  std::string m_kernel;
  bool m_keeps_artifacts = true;
  bool m_compiles_itself = false;  // a part of its own process does, seen by an observer there
  std::int64_t m_may_warm_up = 0;
  bool m_may_search_meanwhile = false;  // a call of it did not wait for a search
  std::filesystem::path m_evidence_file, m_counts_file, m_ready_file;
  AdapterLaunch m_launch;
  WatchedPrograms m_programs;
  std::unique_ptr<EvidenceInbox> m_inbox;
  std::shared_ptr<std::set<int>> m_compiled;  // the processes that say that they compiled
  EvidenceReader m_evidence;
  protocol::Hello m_hello;
  std::string m_trouble;
  bool m_refused = false;
  int m_id = 0;
  std::string m_unseen_programs, m_misled_spy;
  std::set<int> m_spies;
  std::unique_ptr<ProgramWatch> m_watch;  // outlives the process, which would wait for it
  std::optional<AdapterProcess> m_process;
  std::int64_t m_killed_ns = 0;
  std::unique_ptr<EvidenceKiller> m_killer;  // while it runs; its thread cannot be moved
};

}  // namespace tunecheck
