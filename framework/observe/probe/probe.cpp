// The launch probe: records each launch of a CPU kernel in a process that loads it with LD_PRELOAD.
// It is loaded into every program that this process starts, too, and then does nothing.
#include <tunecheck/cpu_kernel.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "core/files.hpp"
#include "core/tensor_view.hpp"
#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/probe/counting.hpp"
#include "observe/probe/modules.hpp"

namespace tunecheck::probe {
namespace {

struct Settings {
  std::string evidence;
  std::string folder;  // "" for none
  std::string files;   // of the folder; "" for all
  bool watch = false;
};

// Null where the probe is to be inert. Never freed: kernels may run while the process ends.
const Settings* settings = nullptr;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Read at load, before the process can change its environment.
__attribute__((constructor)) void read_settings() {
  const char* const evidence = std::getenv("TUNECHECK_PROBE_EVIDENCE");
  if (evidence == nullptr || *evidence == '\0') return;
  settings = new Settings{evidence, variable("TUNECHECK_PROBE_FOLDER"),
                          variable("TUNECHECK_PROBE_FOLDER_FILES"),
                          variable("TUNECHECK_PROBE_WATCH") == "yes"};
  if (const std::string counts = variable("TUNECHECK_PROBE_COUNTS"); !counts.empty())
    map_counts(counts.c_str());
}

// The number of a launch in its process, from 1. Process and count change together, so that a
// forked child begins anew whatever its parent's threads were doing; a lock could be held for ever.
std::uint64_t next_launch(pid_t process) {
  static std::atomic<std::uint64_t> last{0};
  const std::uint64_t high = static_cast<std::uint64_t>(process) << 40;
  std::uint64_t old = last.load();
  std::uint64_t next = 0;
  do {
    next = (old >> 40 == high >> 40 ? old : high) + 1;
  } while (!last.compare_exchange_weak(old, next));
  return next - high;
}

// The connection through which a launch was told of, for the line that its kernel has ended. Only
// the innermost launch of a thread has one, so that those which an exception left hold none open.
// The process may close any descriptor and get the same number for a file of its own: nothing is
// written or closed that is not the same file.
class KeptEvidence {
 public:
  KeptEvidence() = default;
  KeptEvidence(const KeptEvidence&) = delete;
  KeptEvidence& operator=(const KeptEvidence&) = delete;
  ~KeptEvidence() { release(); }

  void keep(FileDescriptor evidence, std::uint64_t launch) {
    release();
    struct stat status {};
    if (::fstat(evidence.get(), &status) != 0) return;
    m_device = status.st_dev;
    m_inode = status.st_ino;
    m_launch = launch;
    m_evidence = std::move(evidence);
  }
  // Not valid where it was not kept or is gone.
  [[nodiscard]] FileDescriptor taken(std::uint64_t launch) {
    if (m_launch != launch || !is_still_there()) return FileDescriptor();
    return std::move(m_evidence);
  }

 private:
  [[nodiscard]] bool is_still_there() const {
    struct stat status {};
    return m_evidence.valid() && ::fstat(m_evidence.get(), &status) == 0 &&
           status.st_dev == m_device && status.st_ino == m_inode;
  }
  void release() {
    if (!is_still_there()) m_evidence.release();
    m_evidence.reset();
  }

  FileDescriptor m_evidence;
  dev_t m_device = 0;
  ino_t m_inode = 0;
  std::uint64_t m_launch = 0;
};
thread_local KeptEvidence kept_evidence;

// A launch whose kernel runs now.
struct Running {
  const tunecheck_launch* arguments = nullptr;
  pid_t process = 0;
  std::uint64_t launch = 0;
  std::int64_t started_ns = 0;  // CLOCK_MONOTONIC
  bool counted = false;         // not recorded
};
thread_local std::vector<Running> running;

std::string digest_of(const tunecheck_tensor& tensor) {
  if (tensor.rank < 0 || tensor.rank > max_rank || tensor.dtype < 0 ||
      tensor.dtype > static_cast<std::int32_t>(DType::u8))
    return {};
  TensorView view{static_cast<std::byte*>(tensor.data), static_cast<DType>(tensor.dtype), {}};
  const auto rank = static_cast<std::size_t>(tensor.rank);
  if (rank > 0)
    view.layout = Layout::strided(std::span(tensor.shape, rank), std::span(tensor.strides, rank));
  return digest_elements(view);
}

TensorPlace place_of(const tunecheck_tensor& tensor) {
  constexpr std::uintptr_t kept = 64;
  TensorPlace place;
  place.address_mod_64 = static_cast<int>(reinterpret_cast<std::uintptr_t>(tensor.data) % kept);
  if (tensor.rank <= 0 || tensor.rank > max_rank) return place;
  place.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  place.strides.assign(tensor.strides, tensor.strides + tensor.rank);
  return place;
}

std::vector<TensorPlace> places_of(const tunecheck_launch& launch) {
  std::vector<TensorPlace> places;
  for (std::int32_t index = 0; index < launch.tensor_count; ++index)
    places.push_back(place_of(launch.tensors[index]));
  return places;
}

std::vector<std::string> digests_of(const tunecheck_launch& launch) {
  std::vector<std::string> digests;
  for (std::int32_t index = 0; index < launch.tensor_count; ++index)
    digests.push_back(digest_of(launch.tensors[index]));
  return digests;
}

// One launch at a time has these arguments; an earlier one was left by an exception.
void remember(const Running& launch) {
  std::erase_if(running, [&](const Running& other) { return other.arguments == launch.arguments; });
  running.push_back(launch);
}

void begin(const char* kernel, const char* config, const void* entry,
           const tunecheck_launch& arguments) {
  const pid_t process = ::getpid();
  const auto number = static_cast<std::uint64_t>(process);
  if (counting(number) && !is_first_of_trial(number, entry)) {
    count_begin(number);
    return remember({&arguments, process, 0, 0, true});
  }
  const std::int64_t started_ns = evidence_now_ns();
  LaunchEvent event;
  event.time_ns = evidence_now_ns();
  event.pid = process;
  event.launch = next_launch(event.pid);
  event.kernel = kernel != nullptr ? kernel : "";
  event.config = config != nullptr ? config : "";
  event.module = module_digest(entry);
  if (settings->watch) {
    event.digests = digests_of(arguments);
    event.places = places_of(arguments);
  }
  if (!settings->folder.empty()) event.stored = listing_digest(settings->folder, settings->files);
  auto evidence = open_evidence(settings->evidence);
  if (!evidence) return;
  remember({&arguments, event.pid, event.launch, 0, false});
  event.cost_ns = evidence_now_ns() - started_ns;
  if (!append_line(*evidence, to_begin_line(event))) return running.pop_back();
  kept_evidence.keep(std::move(*evidence), event.launch);
}

void end(const tunecheck_launch* arguments, int status, std::int64_t ended_ns) {
  if (running.empty()) return;
  const auto found = std::find_if(running.rbegin(), running.rend(), [&](const Running& launch) {
    return launch.arguments == arguments;
  });
  if (found == running.rend()) return;
  const Running launch = *found;
  running.erase(std::prev(found.base()));
  if (launch.process != ::getpid()) return;  // a child forked inside the kernel
  if (launch.counted)
    return count_end(static_cast<std::uint64_t>(launch.process), status,
                     ended_ns - launch.started_ns);
  LaunchEvent event;
  event.pid = launch.process;
  event.launch = launch.launch;
  event.status = status;
  event.elapsed_ns = ended_ns - launch.started_ns;
  if (settings->watch) event.left = digests_of(*arguments);
  const std::string line = to_end_line(event);
  const FileDescriptor kept = kept_evidence.taken(event.launch);
  if (kept.valid() && append_line(kept, line)) return;
  if (const auto evidence = open_evidence(settings->evidence)) (void)append_line(*evidence, line);
}

}  // namespace
}  // namespace tunecheck::probe

// Neither lets an exception or a changed errno reach the kernel.
extern "C" __attribute__((visibility("default"))) void tunecheck_probe_begin(
    const char* kernel, const char* config, const void* entry, const tunecheck_launch* launch) {
  using namespace tunecheck::probe;
  if (settings == nullptr || launch == nullptr) return;
  const int saved = errno;
  try {
    begin(kernel, config, entry, *launch);
  } catch (...) {
  }
  errno = saved;
  if (!running.empty() && running.back().arguments == launch)
    running.back().started_ns = tunecheck::evidence_now_ns();
}

extern "C" __attribute__((visibility("default"))) void tunecheck_probe_end(
    const tunecheck_launch* launch, int status) {
  using namespace tunecheck::probe;
  if (settings == nullptr) return;
  const std::int64_t ended_ns = tunecheck::evidence_now_ns();
  const int saved = errno;
  try {
    end(launch, status, ended_ns);
  } catch (...) {
  }
  errno = saved;
}
