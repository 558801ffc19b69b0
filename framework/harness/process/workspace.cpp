#include "harness/process/workspace.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <system_error>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "backend/cpu/toolchain.hpp"
#include "backend/gpu/runtime_compiler.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"
#include "harness/process/cache_damage.hpp"
#include "harness/process/kernel_touch.hpp"
#include "harness/process/spy_copies.hpp"
#include "harness/process/vulkan_observer.hpp"
#include "observe/evidence.hpp"
#include "observe/launch_counts.hpp"
#include "observe/spy_settings.hpp"
#include "observe/tools.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr int cannot_mount_status = 97;

// What a tuner finds in the place of NVRTC or HIPRTC.
constexpr const char* runtime_compiler_name = "libtunecheck-runtime-compiler.so";

// Calls act(path) for the folder and all below it, links left out.
template <class Act>
Result<void> for_each_below(const fs::path& folder, Act&& act) {
  std::error_code error;
  act(folder);
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (!entry.is_symlink()) act(entry.path());
  if (error)
    return failure(ErrorKind::machine, "cannot list {}: {}", folder.string(), error.message());
  return {};
}

Result<void> set_modes(const fs::path& folder, fs::perms bits, bool add) {
  std::error_code error;
  const auto options = add ? fs::perm_options::add : fs::perm_options::remove;
  TUNECHECK_CHECK(for_each_below(
      folder, [&](const fs::path& path) { fs::permissions(path, bits, options, error); }));
  if (error)
    return failure(ErrorKind::machine, "cannot change modes below {}: {}", folder.string(),
                   error.message());
  return {};
}

// As set_modes, for the files alone: their folders can still be searched and written.
Result<void> set_file_modes(const fs::path& folder, fs::perms bits, bool add) {
  std::error_code error;
  const auto options = add ? fs::perm_options::add : fs::perm_options::remove;
  TUNECHECK_CHECK(for_each_below(folder, [&](const fs::path& path) {
    if (fs::is_regular_file(path)) fs::permissions(path, bits, options, error);
  }));
  if (error)
    return failure(ErrorKind::machine, "cannot change modes below {}: {}", folder.string(),
                   error.message());
  return {};
}

// As if a day had passed since.
Result<void> make_older(const fs::path& folder) {
  std::error_code error;
  TUNECHECK_CHECK(for_each_below(folder, [&](const fs::path& path) {
    std::error_code gone;
    const auto time = fs::last_write_time(path, gone);
    if (!gone) fs::last_write_time(path, time - std::chrono::hours(24), error);
  }));
  if (error)
    return failure(ErrorKind::machine, "cannot change times below {}: {}", folder.string(),
                   error.message());
  return {};
}

Result<void> clear_folder(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    fs::remove_all(entry.path(), error);
    if (error) break;
  }
  if (error)
    return failure(ErrorKind::machine, "cannot clear {}: {}", folder.string(), error.message());
  return {};
}

Result<void> copy_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
  if (error)
    return failure(ErrorKind::machine, "cannot copy {} to {}: {}", from.string(), to.string(),
                   error.message());
  return {};
}

// A copy that the owner may change, also of folders and files that nobody may write. What holds
// nothing to copy is left out: links that lead nowhere, such as editors leave, sockets, pipes.
Result<void> copy_to_change(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to, error);
  for (auto each = fs::recursive_directory_iterator(from, error);
       !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
    const fs::path target = to / each->path().lexically_relative(from);
    if (each->is_directory())
      fs::create_directory(target, error);
    else if (each->is_regular_file() && fs::copy_file(each->path(), target, error))
      fs::permissions(target, fs::perms::owner_write, fs::perm_options::add, error);
    if (error) break;
  }
  if (error)
    return failure(ErrorKind::machine, "cannot copy {} to {}: {}", from.string(), to.string(),
                   error.message());
  return {};
}

constexpr auto every_read = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
constexpr auto all_write =
    fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
constexpr auto all_read =
    fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec;

// What the other user wrote can be read: the tuner must decline it by itself.
Result<void> give_away(const fs::path& folder) {
  constexpr uid_t nobody = 65534;
  if (::geteuid() != 0)
    return failure(ErrorKind::unsupported, "only root can give files to another user");
  TUNECHECK_CHECK(set_modes(folder, all_read, true));
  bool given = true;
  TUNECHECK_CHECK(for_each_below(folder, [&](const fs::path& path) {
    given = ::lchown(path.c_str(), nobody, nobody) == 0 && given;
  }));
  if (!given) return failure(ErrorKind::unsupported, "files could not be given to another user");
  return {};
}

// Mounts a file system with room for so many KiB over `folder`, seen by this process alone. Runs
// between fork and exec: system calls only.
void mount_small_folder(const char* folder, std::int64_t room_kib) {
  const auto write_text = [](const char* file, const char* text, std::size_t length) {
    const int descriptor = ::open(file, O_WRONLY);
    if (descriptor < 0) return;
    [[maybe_unused]] const ssize_t written = ::write(descriptor, text, length);
    ::close(descriptor);
  };
  std::array<char, 64> map{};
  const int length = std::snprintf(map.data(), map.size(), "%u %u 1", ::geteuid(), ::geteuid());
  bool own = ::unshare(CLONE_NEWNS) == 0;
  if (!own && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) {
    write_text("/proc/self/uid_map", map.data(), static_cast<std::size_t>(length));
    own = true;
  }
  // Without room: one page, which the filler takes.
  std::array<char, 64> size{};
  std::snprintf(size.data(), size.size(), "size=%lldk,mode=700",
                static_cast<long long>(room_kib > 0 ? room_kib : 4));
  const int here = ::open(".", O_PATH | O_DIRECTORY);
  const bool mounted = own && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                       ::mount("small", folder, "tmpfs", 0, size.data()) == 0;
  if (!mounted || ::chdir(folder) != 0) ::_exit(cannot_mount_status);
  std::array<char, 4096> page{};
  if (room_kib == 0) {
    const int filler = ::open("filler", O_WRONLY | O_CREAT, 0600);
    if (filler < 0 || ::write(filler, page.data(), page.size()) != 4096)
      ::_exit(cannot_mount_status);
    ::close(filler);
  }
  if (::fchdir(here) != 0) ::_exit(cannot_mount_status);
  ::close(here);
}

// Root may write where modes forbid it; without these two it obeys them as everybody does.
void drop_override() {
  ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
  ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
}

std::string_view mode_name(CompilerMode mode) {
  switch (mode) {
    case CompilerMode::poisoned:
      return "poisoned";
    case CompilerMode::slow:
      return "slow";
    case CompilerMode::crashing:
      return "crashing";
    case CompilerMode::rebuilt:
      return "rebuilt";
    case CompilerMode::lingering:
      return "lingering";
    case CompilerMode::spy:
    case CompilerMode::other:
    case CompilerMode::absent:
      break;
  }
  return "pass";
}

}  // namespace

Result<Observers> find_observers(const fs::path& compile_store, const fs::path& copies,
                                 DeviceKind backend) {
  Observers observers;
  TUNECHECK_TRY(const fs::path spy, find_compiler_spy());
  TUNECHECK_TRY(observers.spy_program, copy_of_spy(spy, fs::absolute(copies)));
  TUNECHECK_TRY(observers.rebuilt_spy_program, rebuilt_copy_of_spy(spy, fs::absolute(copies)));
  TUNECHECK_TRY(const fs::path probe, find_launch_probe());
  TUNECHECK_TRY(observers.probe_library, ListedPath::create(probe));
  TUNECHECK_TRY(const fs::path faults, find_fault_library());
  TUNECHECK_TRY(observers.fault_library, ListedPath::create(faults));
  TUNECHECK_TRY(const fs::path fftw_probe, find_fftw_probe());
  TUNECHECK_TRY(observers.fftw_probe, ListedPath::create(fftw_probe));
  TUNECHECK_TRY(observers.vulkan_layer, find_vulkan_layer_folder());
  observers.compile_store = compile_store;
  TUNECHECK_TRY(const Toolchain toolchain, Toolchain::find());
  // One that does not answer would be the fault of no tuner.
  TUNECHECK_CHECK(toolchain.fingerprint());
  observers.real_compiler = toolchain.compiler();
  if (!is_gpu(backend)) return observers;
  TUNECHECK_TRY(const fs::path gpu_probe, find_gpu_probe(backend));
  TUNECHECK_TRY(observers.gpu_probe, ListedPath::create(gpu_probe));
  TUNECHECK_TRY(const fs::path library_spy, find_library_spy(backend));
  TUNECHECK_TRY(observers.runtime_compiler_spy, copy_of_spy(library_spy, fs::absolute(copies)));
  TUNECHECK_TRY(observers.other_runtime_compiler_spy,
                copy_of_spy_with_another_build_id(library_spy, fs::absolute(copies)));
  TUNECHECK_TRY(const auto compiler, open_runtime_compiler(backend));
  observers.runtime_compiler = compiler->file();
  return observers;
}

Result<Workspace> Workspace::create(const fs::path& folder, const KernelDefinition& kernel,
                                    DeviceKind backend) {
  Workspace workspace(fs::absolute(folder), backend);
  workspace.remove();
  workspace.m_kernel = kernel.name;
  TUNECHECK_CHECK(create_folders(workspace.m_cache));
  std::error_code error;
  fs::permissions(workspace.m_cache, fs::perms::owner_all, error);
  TUNECHECK_TRY(workspace.m_listed_folder, ListedPath::create(workspace.m_folder));
  TUNECHECK_CHECK(copy_to_change(kernel.folder, workspace.kernel_folder()));
  return workspace;
}

Result<void> Workspace::touch(const Touch& touch, const KernelDefinition& kernel) {
  if (touch.target == Touch::Target::folder)
    return rename_to(fmt::format("kernel-moved-{}", ++m_touches), m_kernel_folder);
  const fs::path& original = is_gpu(m_backend) ? kernel.gpu->source : kernel.cpu->source;
  const fs::path source = kernel_folder() / fs::relative(original, kernel.folder);
  return touch_kernel(touch, source, kernel_folder(), kernel, ++m_touches);
}

Result<void> Workspace::rename_to(const std::string& name, fs::path& path) const {
  const fs::path target = m_folder / name;
  std::error_code error;
  fs::rename(path, target, error);
  if (error)
    return failure(ErrorKind::machine, "cannot move {}: {}", path.string(), error.message());
  path = target;
  return {};
}

Result<void> Workspace::act(const CacheAction& action, const AdapterInfo& adapter) {
  switch (action.kind) {
    case CacheAction::Kind::move:
      return rename_to(fmt::format("cache-moved-{}", ++m_moves), m_cache);
    case CacheAction::Kind::absent:
      m_cache = m_folder / fmt::format("cache-absent-{}", ++m_moves) / "cache";
      return {};
    case CacheAction::Kind::read_only:
      return set_modes(m_cache, all_write, false);
    case CacheAction::Kind::writable:
      return set_modes(m_cache, fs::perms::owner_write, true);
    case CacheAction::Kind::world_writable:
      return set_modes(m_cache, all_write, true);
    case CacheAction::Kind::unreadable:
      return set_file_modes(m_cache, every_read, false);
    case CacheAction::Kind::links:
      return replace_by_links();
    case CacheAction::Kind::age:
      return make_older(m_cache);
    case CacheAction::Kind::other_owner:
      return give_away(m_cache);
    case CacheAction::Kind::truncate:
    case CacheAction::Kind::flip:
    case CacheAction::Kind::remove:
    case CacheAction::Kind::replace:
    case CacheAction::Kind::protect:
    case CacheAction::Kind::hide:
      return damage(action, adapter);
    case CacheAction::Kind::clear:
      return empty_cache();
    case CacheAction::Kind::save:
      TUNECHECK_CHECK(create_folders(saved_cache()));
      TUNECHECK_CHECK(clear_folder(saved_cache()));
      return copy_folder(m_cache, saved_cache());
    case CacheAction::Kind::restore:
      TUNECHECK_CHECK(empty_cache());
      return copy_folder(saved_cache(), m_cache);
    case CacheAction::Kind::full:
    case CacheAction::Kind::room: {
      m_cache_room_kib = action.room_kib;
      CommandOptions attempt;
      attempt.arguments = {"/bin/true"};
      attempt.in_child = child_setup();
      attempt.child_has_own_memory = child_has_own_memory();
      const auto tried = run_command(attempt);
      if (!tried || tried->end.exit_status == cannot_mount_status)
        return failure(ErrorKind::unsupported, "this user may not mount a file system");
      return {};
    }
  }
  return {};
}

fs::path Workspace::saved_cache() const {
  return m_folder / "cache-saved";
}

// Each file lies elsewhere, whole and the owner's own, and in its place is a link to it.
Result<void> Workspace::replace_by_links() const {
  TUNECHECK_TRY(const FolderSnapshot snapshot, take_snapshot(m_cache));
  for (const FileRecord& file : snapshot.files) {
    const fs::path link = m_cache / file.path;
    const fs::path elsewhere = m_folder / "behind-links" / file.path;
    TUNECHECK_CHECK(create_folders(elsewhere.parent_path()));
    std::error_code error;
    fs::rename(link, elsewhere, error);
    if (!error) fs::create_symlink(elsewhere, link, error);
    if (error)
      return failure(ErrorKind::machine, "cannot replace {} by a link: {}", link.string(),
                     error.message());
  }
  if (snapshot.files.empty()) return failure("the cache folder holds no file to be replaced");
  return {};
}

Result<void> Workspace::damage(const CacheAction& action, const AdapterInfo& adapter) const {
  const auto role = adapter.cache_files.find(action.glob);
  const std::string& glob = role == adapter.cache_files.end() ? action.glob : role->second;
  return damage_cache(m_cache, action, glob);
}

Result<FolderSnapshot> Workspace::cache_snapshot(const std::string& own) const {
  const fs::path cache = cache_folder(own);
  std::error_code error;
  const fs::file_type type = fs::symlink_status(cache, error).type();
  if (type == fs::file_type::not_found || type == fs::file_type::regular) return FolderSnapshot();
  return take_snapshot(cache);
}

// An earlier action may have taken the folder away, or the right to change it.
Result<void> Workspace::empty_cache() const {
  std::error_code error;
  if (!fs::is_directory(m_cache, error)) fs::remove(m_cache, error);
  TUNECHECK_CHECK(create_folders(m_cache));
  TUNECHECK_CHECK(for_each_below(m_cache, [](const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
      fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, ignored);
  }));
  return clear_folder(m_cache);
}

fs::path Workspace::compiler_folder(const fs::path& workspace, const ProcessSetup& setup) {
  return setup.in_group ? workspace / setup.name / "bin" : workspace / "bin";
}

Result<void> Workspace::prepare_process(const ProcessSetup& setup, const AdapterInfo& adapter,
                                        const Observers& observers) const {
  if (adapter.is_observed_by(vulkan_observer) && observers.vulkan_layer.path().empty())
    return failure(ErrorKind::machine,
                   "the Vulkan observer is not built: there are no headers of Vulkan (Debian: "
                   "libvulkan-dev)");
  const fs::path folder = process_folder(setup.name);
  for (const fs::path& each :
       {folder / "home", folder / "tmp", working_folder(setup.name), tensors_folder(setup.name)})
    TUNECHECK_CHECK(create_folders(each));
  TUNECHECK_CHECK(create_folders(compiler_folder(m_folder, setup)));
  if (!setup.cache_folder.empty()) {
    TUNECHECK_CHECK(create_folders(cache_folder(setup.cache_folder)));
    std::error_code ignored;
    fs::permissions(cache_folder(setup.cache_folder), fs::perms::owner_all, ignored);
  }
  // No evidence must differ from no observer.
  TUNECHECK_CHECK(write_file(evidence_file(setup.name), std::string_view()));
  if (setup.counts_launches || setup.counts_trials)
    TUNECHECK_CHECK(make_launch_counts(counts_file(setup.name)));
  return install_compilers(setup, adapter, observers);
}

Result<void> Workspace::install_compilers(const ProcessSetup& setup, const AdapterInfo& adapter,
                                          const Observers& observers) const {
  const bool rebuilt = setup.compiler == CompilerMode::rebuilt;
  const fs::path& program = rebuilt ? observers.rebuilt_spy_program : observers.spy_program;
  SpySettings spy;
  spy.real_compiler = observers.real_compiler;
  spy.mode = mode_name(setup.compiler);
  spy.evidence = evidence_socket(setup.name);
  spy.store = observers.compile_store;
  spy.workspace = m_folder;
  // A process on a GPU takes longer to begin, and others are to meet it while it compiles.
  const int slow_ms = is_gpu(m_backend) ? 1000 : 300;
  spy.delay_ms = setup.compiler == CompilerMode::slow ? slow_ms : 0;
  if (setup.compiler == CompilerMode::other) spy.version_suffix = " (another build)";
  spy.environment = environment_for(setup, adapter, observers);
  const fs::path bin = compiler_folder(m_folder, setup);
  if (rebuilt) {
    spy.programs = bin / "rebuilt";
    TUNECHECK_CHECK(make_rebuilt_programs(spy.programs, observers.real_compiler));
  }
  TUNECHECK_CHECK(install_spy(bin / "c++", program, spy));
  for (const std::string& name : adapter.compilers) {
    // What this machine lacks the tuner must not find either.
    spy.real_compiler = find_program(name);
    if (!spy.real_compiler.empty()) TUNECHECK_CHECK(install_spy(bin / name, program, spy));
  }
  if (adapter.is_observed_by(vulkan_observer))
    TUNECHECK_CHECK(tell_vulkan_observer(bin, spy, setup.compiler));
  if (!is_gpu(m_backend)) return {};
  spy.real_compiler = observers.runtime_compiler;
  return install_spy(bin / runtime_compiler_name,
                     setup.compiler == CompilerMode::other ? observers.other_runtime_compiler_spy
                                                           : observers.runtime_compiler_spy,
                     spy);
}

Environment Workspace::environment_for(const ProcessSetup& setup, const AdapterInfo& adapter,
                                       const Observers& observers) const {
  const fs::path folder = process_folder(setup.name);
  const bool absent = setup.compiler == CompilerMode::absent;
  const std::string bin = (absent ? m_listed_folder.path() / "bin-without-compiler"
                                  : compiler_folder(m_listed_folder.path(), setup))
                              .string();
  Environment environment = {
      {"PATH", absent ? bin : bin + ":/usr/local/bin:/usr/bin:/bin"},
      {"HOME", (folder / "home").string()},
      {"TMPDIR", (folder / "tmp").string()},
      {"XDG_CACHE_HOME", (folder / "home" / ".cache").string()},
      {"LANG", tuner_language},
      {"TUNECHECK_PROBE_EVIDENCE", evidence_socket(setup.name).string()},
      {"TUNECHECK_PROBE_WATCH", setup.watches_arguments ? "yes" : "no"},
  };
  const std::string cache = cache_folder(setup.cache_folder).string();
  environment[adapter.cache_variable] = cache;  // which may be one of those
  // No kernel runs on the CPU there, and a driver is better left alone.
  if (!is_gpu(m_backend)) environment["LD_PRELOAD"] = observers.probe_library.string();
  if (!is_gpu(m_backend) && adapter.is_observed_by(fftw_observer)) {
    environment["LD_PRELOAD"] += ":" + observers.fftw_probe.string();
    environment["TUNECHECK_PROBE_KERNEL"] = m_kernel;
  }
  // Listing a folder at each launch costs more than many a kernel: only where it is asked for.
  if (setup.watches_cache) {
    environment["TUNECHECK_PROBE_FOLDER"] = cache;
    environment["TUNECHECK_PROBE_FOLDER_FILES"] = adapter.cache_file_globs();
  }
  if (setup.counts_launches || setup.counts_trials)
    environment["TUNECHECK_PROBE_COUNTS"] = counts_file(setup.name).string();
  if (!adapter.compiler_variable.empty())
    environment[adapter.compiler_variable] = bin + "/" + adapter.compiler;
  for (const char* const python : {"TUNECHECK_PYTHON", "TUNECHECK_OTHER_PYTHON"})
    if (const char* const value = std::getenv(python)) environment[python] = value;
  // Sanitizer builds insist on being the first library; the probe has to come before.
  environment["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0";
  if (is_gpu(m_backend)) add_gpu(setup, adapter, observers, bin, environment);
  if (adapter.is_observed_by(vulkan_observer))
    environment.merge(vulkan_observer_variables(
        observers.vulkan_layer, compiler_folder(m_folder, setup), folder / "home", m_kernel));
  add_faults(setup, observers, environment);
  for (const auto& [name, value] : adapter.environment)
    environment[name] = value;
  for (const auto& [name, value] : setup.environment)
    environment[name] = value;
  return environment;
}

WatchedPrograms Workspace::watched_programs(const ProcessSetup& setup,
                                            const Observers& observers) const {
  WatchedPrograms watched;
  watched.evidence = evidence_socket(setup.name);
  watched.spy_programs = {observers.spy_program, observers.rebuilt_spy_program};
  // Launches on a GPU are seen in the driver, not in the kernel's own code.
  if (!is_gpu(m_backend)) watched.probe_library = observers.probe_library.path();
  watched.workspace = m_folder;
  watched.compilers = {observers.real_compiler};
  for (const auto& file : fs::directory_iterator(compiler_folder(m_folder, setup)))
    if (file.path().string().ends_with(spy_settings_file("").string()))
      watched.spy_settings.push_back(file.path());
  watched.refuses_compilers =
      setup.compiler == CompilerMode::poisoned || setup.compiler == CompilerMode::absent;
  return watched;
}

void Workspace::add_gpu(const ProcessSetup& setup, const AdapterInfo& adapter,
                        const Observers& observers, const fs::path& bin,
                        Environment& environment) const {
  // Which devices there are, and where their driver lies, is the machine's business.
  for (const char* const name :
       {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "LD_LIBRARY_PATH",
        "TUNECHECK_CUPTI", "TUNECHECK_HIP"})
    if (const char* const value = std::getenv(name)) environment[name] = value;
  // CUDA's driver loads its probe; for HIP the dynamic loader does.
  const char* const loader = m_backend == DeviceKind::hip ? "LD_AUDIT" : "CUDA_INJECTION64_PATH";
  environment[loader] = observers.gpu_probe.string();
  environment["TUNECHECK_PROBE_KERNEL"] = m_kernel;
  // What the driver makes of PTX must not come from another process either.
  environment["CUDA_CACHE_PATH"] = (process_folder(setup.name) / "home" / "driver-cache").string();
  const auto variable = adapter.runtime_compiler_variables.find(m_backend);
  if (variable != adapter.runtime_compiler_variables.end())
    environment[variable->second] = (bin / runtime_compiler_name).string();
}

void Workspace::add_faults(const ProcessSetup& setup, const Observers& observers,
                           Environment& environment) const {
  FaultPoint point;
  int error = 0;
  if (setup.kill && setup.kill->when == KillPoint::When::file_operation) {
    point = setup.kill->point;
  } else if (setup.refusal) {
    point.operation = setup.refusal->operation;
    point.number = setup.refusal->from;
    error = setup.refusal->error;
  } else if (!setup.watches_files) {
    return;
  }
  const bool has_point =
      setup.refusal || (setup.kill && setup.kill->when == KillPoint::When::file_operation);
  std::string& preloaded = environment["LD_PRELOAD"];
  preloaded += (preloaded.empty() ? "" : ":") + observers.fault_library.string();
  if (has_point) {
    environment["TUNECHECK_FAULT_POINT"] = to_string(point);
    environment["TUNECHECK_FAULT_ERROR"] = std::to_string(error);
    environment["TUNECHECK_FAULT_BEGIN"] = ready_file(setup.name).string();
  }
  if (setup.watches_files) environment["TUNECHECK_FAULT_WATCH"] = "yes";
  environment["TUNECHECK_FAULT_FOLDER"] = cache_folder(setup.cache_folder).string();
  environment["TUNECHECK_FAULT_EVIDENCE"] = evidence_socket(setup.name).string();
}

std::function<void()> Workspace::child_setup() const {
  if (!m_cache_room_kib) return [] { drop_override(); };
  return [folder = m_cache.string(), room_kib = *m_cache_room_kib] {
    mount_small_folder(folder.c_str(), room_kib);
    drop_override();
  };
}

std::uintmax_t Workspace::bytes_on_disk() const {
  constexpr std::uintmax_t block = 512;  // of st_blocks, whatever the file system's own are
  std::uintmax_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(m_folder, fs::directory_options::skip_permission_denied,
                                      error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    struct stat status {};
    if (::lstat(at->path().c_str(), &status) == 0)
      bytes += static_cast<std::uintmax_t>(status.st_blocks) * block;
  }
  return bytes;
}

void Workspace::remove() noexcept {
  std::error_code ignored;
  if (!fs::exists(m_folder, ignored)) return;
  // Of folders alone, which is what removing needs: a file may be another name of one that lies
  // elsewhere, as a spy's is.
  (void)for_each_below(m_folder, [&](const fs::path& path) {
    if (fs::is_directory(path, ignored))
      fs::permissions(path, fs::perms::owner_write, fs::perm_options::add, ignored);
  });
  fs::remove_all(m_folder, ignored);
}

}  // namespace tunecheck
