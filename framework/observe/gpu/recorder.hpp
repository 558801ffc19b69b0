#pragma once
// What a GPU probe does at each call of the driver that matters to it, whichever driver it is.
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "observe/evidence.hpp"
#include "observe/gpu/digest_plan.hpp"
#include "observe/gpu/driver.hpp"
#include "observe/gpu/image.hpp"
#include "observe/gpu/loaded_code.hpp"
#include "observe/gpu/settings.hpp"
#include "observe/gpu/watch_file.hpp"

namespace tunecheck::gpu {

/// Where a call of the process was made.
struct Place {
  ContextNumber context = 0;  ///< of the current context
  Stream stream = nullptr;    ///< as the driver resolves it: never the "default" of a thread as 0
};

/// Writes the evidence of one process. All functions may be called by any thread, outside and
/// inside the driver's calls. `..._begins` and `..._ends` of one call come from one thread. None
/// throws; what goes wrong is recorded as trouble, once.
class Recorder {
 public:
  /// `driver` outlives it.
  Recorder(Settings settings, Driver& driver);

  /// A module or a library was to be loaded from an image or a file. A call that failed has none:
  /// then `owner` is not looked at.
  void image_loaded(const void* owner, const void* image, int status) noexcept;
  void file_loaded(const void* owner, const char* path, int status) noexcept;
  /// A module was got from a library.
  void module_found(const void* module, const void* library) noexcept;
  /// A function was got from a module, or a kernel from a library, or a function from a kernel.
  /// `name` is the symbol that it was asked for by; null where the driver can be asked later.
  void function_found(const void* function, const void* owner, bool is_kernel,
                      const char* name = nullptr) noexcept;

  /// A module or a library.
  void code_unloaded(const void* owner) noexcept;

  /// `symbol` may be null.
  void launch_begins(const Place& place, const char* symbol, const void* function,
                     const Arguments& arguments) noexcept;
  void launch_ends(int status) noexcept;

  void event_begins(const Place& place) noexcept;
  /// Evidence that was held back in order not to delay the event is written.
  void event_ends() noexcept { flush(); }

  void graph_instantiated(const void* executable, const void* graph) noexcept;
  void graph_node_changed(const void* executable, const KernelNode& node) noexcept;
  void graph_destroyed(const void* executable) noexcept;
  void graph_launch_begins(const Place& place, const void* executable) noexcept;
  void graph_launch_ends(int status) noexcept;

  void stream_destroyed(const Place& place) noexcept;
  /// Any call that enqueues work or changes memory begins.
  void other_work_begins() noexcept;
  /// A call that waits for work begins.
  void wait_begins() noexcept;
  /// Writes what was held back.
  void flush() noexcept;

  /// True while the calling thread is in one of these functions: the driver's calls that it sees
  /// then are the recorder's own.
  [[nodiscard]] static bool is_busy() noexcept;

 private:
  struct GraphKernel {
    const void* node = nullptr;
    std::string kernel;
    Code code;
    Tensors tensors;
  };
  // A launch of the calling thread, of one kernel or of a graph of them, that has begun.
  struct Begun {
    std::vector<LaunchEvent> launches;
    std::optional<GraphLaunchEvent> graph;
    bool counted = false;    // and not recorded
    bool held_back = false;  // an event may follow that must not wait
  };
  static thread_local Begun begun;
  template <class Act>
  void guarded(Act&& act) noexcept;
  void write(const std::string& lines);
  void loaded(const void* owner, const Image& image, const char* kind, int status);
  void trouble(const std::string& what) noexcept;

  [[nodiscard]] int stream_number(const Place& place);
  [[nodiscard]] int context_number(ContextNumber context);
  // The name under which launches of a kernel are recorded; "" where they are not.
  [[nodiscard]] std::string recorded_name(const std::string& symbol);
  [[nodiscard]] LaunchEvent describe(const Place& place, const std::string& kernel,
                                     const Code& code);
  [[nodiscard]] Tensors tensors_of(const std::string& symbol, const void* function,
                                   const Arguments& arguments);
  [[nodiscard]] std::optional<GraphKernel> graph_kernel(const KernelNode& node);
  [[nodiscard]] Taken take(const Place& place, const Tensors& tensors);
  // Digests for the launches of `begun`, whose tensors are `tensors`, one after the other.
  void digest(Begun& begun, const Place& place, const std::vector<const Tensors*>& tensors);
  void end(int status);

  const Settings m_settings;
  Driver& m_driver;
  std::mutex m_mutex;
  LoadedCode m_code;
  DigestPlan m_plan;
  WatchFile m_watch_file;
  std::map<const void*, std::vector<GraphKernel>> m_graphs;
  std::map<StreamKey, int> m_streams;  // their numbers
  int m_last_stream = 0;
  std::map<ContextNumber, int> m_contexts;
  std::uint64_t m_launches = 0;
  std::string m_held_back;  // lines
  std::set<std::string> m_troubles;
};

}  // namespace tunecheck::gpu
