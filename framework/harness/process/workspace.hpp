#pragma once
// The folder in which processes of one tuner work on one kernel: a copy of the kernel, the tuner's
// cache, and a folder for each process with its evidence, log, home and tensors. Nothing of the
// user's is read or written.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"
#include "harness/process/adapter_info.hpp"
#include "harness/process/listed_path.hpp"
#include "harness/process/process_setup.hpp"
#include "observe/evidence.hpp"
#include "observe/programs/program_watch.hpp"

namespace tunecheck {

/// LANG of each process of a tuner.
inline constexpr const char* tuner_language = "C.UTF-8";

/// The programs that observe, and where compiles may be answered from.
struct Observers {
  std::filesystem::path spy_program;
  std::filesystem::path rebuilt_spy_program;  ///< does the same, and is another file
  ListedPath probe_library;
  ListedPath fault_library;
  ListedPath fftw_probe;    ///< for adapters that name this library
  ListedPath vulkan_layer;  ///< the folder of its manifest; see find_vulkan_layer_folder()
  std::filesystem::path real_compiler;
  std::filesystem::path compile_store;
  // For a GPU alone:
  ListedPath gpu_probe;  ///< that of the backend
  std::filesystem::path runtime_compiler_spy;
  std::filesystem::path other_runtime_compiler_spy;  ///< has another build ID, where it has one
  std::filesystem::path runtime_compiler;            ///< the library that the spy passes on to
};

/// Finds the spy and the probe beside this program, and the compiler that the spy passes on to; for
/// a GPU those of its own as well. `copies` (created, on the file system of the workspaces) takes
/// copies of the spies, of which those of the workspaces are hard links: the kernel may refuse one
/// to a file of another user's, and always does on another file system.
[[nodiscard]] Result<Observers> find_observers(const std::filesystem::path& compile_store,
                                               const std::filesystem::path& copies,
                                               DeviceKind backend = DeviceKind::cpu);

/// create() removes what an earlier run left in the folder. For each process prepare_process()
/// comes next, and then environment_for() and child_setup(), which are for the start of that
/// process: act() may have moved the cache folder or made it small in the meantime. touch() and
/// act() are called between calls or processes. One that fails may have been done to some of the
/// files, so the caller does not go on. The folder outlives this object, because people look into
/// it when something failed: remove() is called when nobody will. One thread at a time; the const
/// members may be called by several.
class Workspace {
 public:
  /// Makes `folder` anew, with a copy of the kernel's folder. Processes run on `backend`.
  [[nodiscard]] static Result<Workspace> create(const std::filesystem::path& folder,
                                                const KernelDefinition& kernel,
                                                DeviceKind backend = DeviceKind::cpu);

  [[nodiscard]] DeviceKind backend() const { return m_backend; }
  /// The kernel's name.
  [[nodiscard]] const std::string& kernel() const { return m_kernel; }
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
  [[nodiscard]] const std::filesystem::path& kernel_folder() const { return m_kernel_folder; }
  [[nodiscard]] const std::filesystem::path& cache_folder() const { return m_cache; }
  /// Of processes that name a folder of their own, made by prepare_process(); "" for that of all
  /// others.
  [[nodiscard]] std::filesystem::path cache_folder(const std::string& own) const {
    return own.empty() ? m_cache : m_folder / "own-caches" / own;
  }
  [[nodiscard]] std::filesystem::path process_folder(const std::string& process) const {
    return m_folder / process;
  }
  /// Where it begins, and where nothing of the judge's lies.
  [[nodiscard]] std::filesystem::path working_folder(const std::string& process) const {
    return process_folder(process) / "work";
  }
  /// Made by prepare_process(), for the arguments of the process's calls.
  [[nodiscard]] std::filesystem::path tensors_folder(const std::string& process) const {
    return process_folder(process) / "tensors";
  }

  /// Changes the sources that the kernel has for the backend; each touch is another text. Or moves
  /// kernel_folder().
  [[nodiscard]] Result<void> touch(const Touch& touch, const KernelDefinition& kernel);

  /// Acts on the cache folder, which is that of `adapter`, and on none that a process has of its
  /// own. The error is unsupported where this machine or this user cannot do it.
  [[nodiscard]] Result<void> act(const CacheAction& action, const AdapterInfo& adapter);

  /// What is in the cache folder (`own` as for cache_folder()): nothing where there is no folder
  /// any more.
  [[nodiscard]] Result<FolderSnapshot> cache_snapshot(const std::string& own = {}) const;

  /// True where processes find a file system of a chosen size in the place of the cache folder.
  [[nodiscard]] bool cache_is_small() const { return m_cache_room_kib.has_value(); }

  /// Makes the process's folders and installs the spy in the given mode, under every name under
  /// which the adapter's tuner looks for a compiler. A process of a group has a spy of its own.
  [[nodiscard]] Result<void> prepare_process(const ProcessSetup& setup, const AdapterInfo& adapter,
                                             const Observers& observers) const;

  /// The last part of prepare_process(), for a process that has been prepared: its compilers become
  /// those of setup.compiler. While it runs, WatchedProcess::replace_compilers() is to be called.
  [[nodiscard]] Result<void> install_compilers(const ProcessSetup& setup,
                                               const AdapterInfo& adapter,
                                               const Observers& observers) const;

  /// All variables of an adapter's process.
  [[nodiscard]] Environment environment_for(const ProcessSetup& setup, const AdapterInfo& adapter,
                                            const Observers& observers) const;

  /// What must happen in the child before exec: root gives up the power to write read-only folders,
  /// and a full cache folder is mounted in the child's own name space.
  [[nodiscard]] std::function<void()> child_setup() const;
  /// As CommandOptions wants it for child_setup().
  [[nodiscard]] bool child_has_own_memory() const { return m_cache_room_kib.has_value(); }

  /// What is to be seen of the programs that the process starts.
  [[nodiscard]] WatchedPrograms watched_programs(const ProcessSetup& setup,
                                                 const Observers& observers) const;

  /// Where its observers send what they see; and the file in which it is kept.
  [[nodiscard]] std::filesystem::path evidence_socket(const std::string& process) const {
    return process_folder(process) / "evidence.sock";
  }
  [[nodiscard]] std::filesystem::path evidence_file(const std::string& process) const {
    return process_folder(process) / "evidence.jsonl";
  }
  /// Made when the process is ready for its first call: from then on the fault library counts.
  [[nodiscard]] std::filesystem::path ready_file(const std::string& process) const {
    return process_folder(process) / "ready";
  }
  /// Where the probe counts launches; made for processes with a burst.
  [[nodiscard]] std::filesystem::path counts_file(const std::string& process) const {
    return process_folder(process) / "launch-counts";
  }

  /// What the folder and all below it take of the disk; what cannot be looked at is left out.
  [[nodiscard]] std::uintmax_t bytes_on_disk() const;

  /// Removes the folder; it may hold read-only folders.
  void remove() noexcept;

 private:
  Workspace(std::filesystem::path folder, DeviceKind backend)
      : m_backend(backend),
        m_folder(std::move(folder)),
        m_kernel_folder(m_folder / "kernel"),
        m_cache(m_folder / "cache") {}
  void add_gpu(const ProcessSetup& setup, const AdapterInfo& adapter, const Observers& observers,
               const std::filesystem::path& bin, Environment& environment) const;
  Result<void> damage(const CacheAction& action, const AdapterInfo& adapter) const;
  Result<void> empty_cache() const;
  void add_faults(const ProcessSetup& setup, const Observers& observers,
                  Environment& environment) const;
  /// Where the process finds its compilers, below m_folder or another name of it.
  [[nodiscard]] static std::filesystem::path compiler_folder(const std::filesystem::path& workspace,
                                                             const ProcessSetup& setup);
  [[nodiscard]] std::filesystem::path saved_cache() const;
  Result<void> rename_to(const std::string& name, std::filesystem::path& path) const;
  Result<void> replace_by_links() const;

  DeviceKind m_backend;
  std::string m_kernel;
  std::filesystem::path m_folder;
  std::filesystem::path m_kernel_folder;
  ListedPath m_listed_folder;  ///< m_folder under a name that may stand in PATH
  std::filesystem::path m_cache;
  std::optional<std::int64_t> m_cache_room_kib;
  int m_touches = 0;
  int m_moves = 0;
};

}  // namespace tunecheck
