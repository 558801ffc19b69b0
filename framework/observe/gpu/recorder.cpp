#include "observe/gpu/recorder.hpp"

#include <cerrno>
#include <ctime>
#include <memory>
#include <span>
#include <unistd.h>
#include <utility>

#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/file_digest.hpp"
#include "observe/probe/counting.hpp"

namespace tunecheck::gpu {
namespace {

// Reading a larger image would cost seconds: those of whole libraries, no tuner's.
constexpr std::size_t largest_read_image = std::size_t{64} << 20;

thread_local bool busy = false;
// Its address is what tells the default streams of threads apart.
thread_local char this_thread = 0;

StreamKey key_of(const Place& place) {
  const auto stream = reinterpret_cast<std::uintptr_t>(place.stream);
  if (stream == 0 || stream == legacy_stream) return {place.context, 0};
  if (stream == per_thread_stream)
    return {place.context, reinterpret_cast<std::uintptr_t>(&this_thread)};
  return {0, stream};
}

// Own calls break no capture of another stream while it lives.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(const Driver& driver) : m_driver(driver) {
    m_driver.exchange_capture_mode(m_mode);
  }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;
  ~RelaxedCapture() { m_driver.exchange_capture_mode(m_mode); }

 private:
  static constexpr int relaxed = 2;  // of both drivers
  const Driver& m_driver;
  int m_mode = relaxed;
};

}  // namespace

thread_local Recorder::Begun Recorder::begun;

Recorder::Recorder(Settings settings, Driver& driver)
    : m_settings(std::move(settings)),
      m_driver(driver),
      m_code(driver),
      m_watch_file(m_settings.watch_file) {}

bool Recorder::is_busy() noexcept {
  return busy;
}

// One thread at a time, and nothing reaches the process.
template <class Act>
void Recorder::guarded(Act&& act) noexcept {
  const int saved = errno;
  busy = true;
  {
    const std::lock_guard lock(m_mutex);
    try {
      act();
    } catch (const std::exception& error) {
      trouble(error.what());
    }
  }
  busy = false;
  errno = saved;
}

void Recorder::write(const std::string& lines) {
  const std::string all = std::exchange(m_held_back, {}) + lines;
  if (all.empty()) return;
  // Opened anew: a kept descriptor could have become the process's own file.
  if (const auto evidence = open_evidence(m_settings.evidence)) (void)append_line(*evidence, all);
}

void Recorder::trouble(const std::string& what) noexcept {
  try {
    if (m_troubles.insert(what).second)
      write(to_line(TroubleEvent{evidence_now_ns(), ::getpid(), what}));
  } catch (const std::exception&) {
  }
}

void Recorder::loaded(const void* owner, const Image& image, const char* kind, int status) {
  ModuleEvent event;
  event.time_ns = evidence_now_ns();
  event.pid = ::getpid();
  event.kind = kind;
  event.size = image.bytes.size();
  event.status = status;
  if (!image.bytes.empty() && image.bytes.size() <= largest_read_image) {
    event.module = bytes_digest(image.bytes);
    event.config = config_in(image);
    if (const std::string code = code_in(image); !code.empty())
      event.code = bytes_digest(std::as_bytes(std::span(code)));
  }
  if (status == 0)
    m_code.add(owner, {event.module, event.config, event.code,
                       std::make_shared<const KernelParameters>(kernel_parameters_in(image))});
  write(to_line(event));
}

void Recorder::image_loaded(const void* owner, const void* bytes, int status) noexcept {
  guarded([&] {
    // What the driver refuses may be damaged, and its headers lie.
    const Image image = status == 0 ? examine_image(bytes) : Image{};
    loaded(owner, image, image.kind.c_str(), status);
  });
}

void Recorder::file_loaded(const void* owner, const char* path, int status) noexcept {
  guarded([&] {
    Image image;
    const auto content = read_text_file(path != nullptr ? path : "");
    if (content) {
      if (status == 0) image = examine_image(content->c_str());
      image.bytes = std::as_bytes(std::span(*content));
    }
    loaded(owner, image, "file", status);
  });
}

void Recorder::module_found(const void* module, const void* library) noexcept {
  guarded([&] { m_code.add_module(module, library); });
}

void Recorder::function_found(const void* function, const void* owner, bool is_kernel,
                              const char* name) noexcept {
  guarded([&] { m_code.add_function(function, owner, is_kernel, name != nullptr ? name : ""); });
}

void Recorder::code_unloaded(const void* owner) noexcept {
  guarded([&] { m_code.forget(owner); });
}

int Recorder::stream_number(const Place& place) {
  const StreamKey key = key_of(place);
  if (key.second == 0) return 0;
  const auto [known, is_new] = m_streams.try_emplace(key, m_last_stream + 1);
  if (is_new) ++m_last_stream;
  return known->second;
}

int Recorder::context_number(ContextNumber context) {
  return m_contexts.try_emplace(context, static_cast<int>(m_contexts.size()) + 1).first->second;
}

std::string Recorder::recorded_name(const std::string& symbol) {
  const WatchedKernel* const watched = m_watch_file.find(symbol);
  const std::string& name = watched != nullptr ? watched->as : symbol;
  return m_settings.is_of_interest(name) ? name : "";
}

LaunchEvent Recorder::describe(const Place& place, const std::string& kernel, const Code& code) {
  LaunchEvent event;
  event.time_ns = evidence_now_ns();
  event.pid = ::getpid();
  event.launch = ++m_launches;
  event.kernel = kernel;
  event.config = code.config;
  event.module = code.module;
  event.code = code.code;
  event.ended = true;
  event.device = name_of(m_driver.kind());
  event.stream = stream_number(place);
  event.context = context_number(place.context);
  return event;
}

Tensors Recorder::tensors_of(const std::string& symbol, const void* function,
                             const Arguments& arguments) {
  if (!m_settings.watch) return {};
  const WatchedKernel* const watched = m_watch_file.find(symbol);
  if (m_watch_file.damaged_lines() > 0) trouble("the watch file has damaged lines");
  return m_code.tensors_of(function, arguments, watched != nullptr ? &watched->tensors : nullptr);
}

Taken Recorder::take(const Place& place, const Tensors& tensors) {
  const std::int64_t started_ns = evidence_now_ns();
  Taken taken;
  const RelaxedCapture relaxed(m_driver);
  auto digests = m_driver.digests(place.context, place.stream, tensors);
  if (digests) {
    taken.digests = std::move(*digests);
  } else {
    trouble("no digest: " + digests.error().message);
    taken.digests.resize(tensors.size());
  }
  if (!m_settings.folder.empty())
    taken.stored = listing_digest(m_settings.folder, m_settings.files);
  taken.cost_ns = evidence_now_ns() - started_ns;
  return taken;
}

void Recorder::digest(Begun& launch, const Place& place,
                      const std::vector<const Tensors*>& tensors) {
  const Capture capture = m_driver.capture_of(place.stream);
  if (capture == Capture::yes) {
    for (LaunchEvent& event : launch.launches)
      event.captured = true;
    return;
  }
  Tensors all;
  for (const Tensors* const some : tensors)
    all.insert(all.end(), some->begin(), some->end());
  auto taken = m_plan.at_launch(key_of(place), all);
  launch.held_back = taken.has_value();
  if (!taken && capture == Capture::unknown)
    taken = Taken{std::vector<std::string>(all.size()), {}, 0};
  if (!taken) taken = take(place, all);
  auto next = taken->digests.begin();
  for (std::size_t i = 0; i < launch.launches.size(); ++i) {
    LaunchEvent& event = launch.launches[i];
    const auto end = next + static_cast<std::ptrdiff_t>(tensors[i]->size());
    event.digests.assign(next, end);
    for (const TensorArgument& tensor : *tensors[i])
      event.places.push_back(place_of(tensor));
    next = end;
    if (!event.digests.empty()) event.digested = launch.held_back ? "before_event" : "at_launch";
    event.stored = taken->stored;
    event.cost_ns = taken->cost_ns;
  }
}

void Recorder::launch_begins(const Place& place, const char* symbol, const void* function,
                             const Arguments& arguments) noexcept {
  guarded([&] {
    begun = {};
    const std::string own_name = symbol != nullptr ? symbol : m_code.name_of(function);
    if (own_name.empty() && function != nullptr) trouble("a kernel was launched that has no name");
    const std::string kernel = recorded_name(own_name);
    if (kernel.empty()) {
      m_plan.other_work();
      return write({});
    }
    if (const auto process = static_cast<std::uint64_t>(::getpid()); probe::counting(process)) {
      m_plan.other_work();
      begun.counted = true;
      return probe::count_begin(process);
    }
    begun.launches.push_back(describe(place, kernel, m_code.code_of(function)));
    const Tensors tensors = tensors_of(own_name, function, arguments);
    digest(begun, place, {&tensors});
  });
}

void Recorder::end(int status) {
  const Begun ended = std::exchange(begun, {});
  if (ended.counted) return probe::count_end(static_cast<std::uint64_t>(::getpid()), status, 0);
  std::string lines;
  if (ended.graph) {
    GraphLaunchEvent event = *ended.graph;
    event.status = status;
    lines += to_line(event);
  }
  for (LaunchEvent event : ended.launches) {
    event.status = status;
    lines += to_gpu_line(event);
  }
  if (ended.held_back)
    m_held_back += lines;
  else
    write(lines);
}

void Recorder::launch_ends(int status) noexcept {
  guarded([&] { end(status); });
}

void Recorder::event_begins(const Place& place) noexcept {
  guarded([&] {
    const Tensors* const last = m_plan.before_event(key_of(place));
    if (last == nullptr || m_driver.capture_of(place.stream) != Capture::no) return;
    Taken taken = take(place, *last);
    if (!last->empty()) {
      const RelaxedCapture relaxed(m_driver);
      if (const auto emptied = m_driver.empty_cache(place.context, place.stream); !emptied)
        trouble("the cache stays warm: " + emptied.error().message);
    }
    m_plan.keep(key_of(place), std::move(taken));
  });
}

std::optional<Recorder::GraphKernel> Recorder::graph_kernel(const KernelNode& node) {
  const std::string own_name = m_code.name_of(node.function);
  const std::string kernel = recorded_name(own_name);
  if (kernel.empty()) return std::nullopt;
  return GraphKernel{node.node, kernel, m_code.code_of(node.function),
                     tensors_of(own_name, node.function, node.arguments)};
}

void Recorder::graph_instantiated(const void* executable, const void* graph) noexcept {
  guarded([&] {
    std::vector<GraphKernel> kernels;
    for (const KernelNode& node : m_driver.kernels_of(graph))
      if (auto kernel = graph_kernel(node)) kernels.push_back(std::move(*kernel));
    m_graphs[executable] = std::move(kernels);
  });
}

void Recorder::graph_node_changed(const void* executable, const KernelNode& node) noexcept {
  guarded([&] {
    std::vector<GraphKernel>& kernels = m_graphs[executable];
    std::erase_if(kernels, [&](const GraphKernel& kernel) { return kernel.node == node.node; });
    if (auto kernel = graph_kernel(node)) kernels.push_back(std::move(*kernel));
  });
}

void Recorder::graph_destroyed(const void* executable) noexcept {
  guarded([&] { m_graphs.erase(executable); });
}

void Recorder::graph_launch_begins(const Place& place, const void* executable) noexcept {
  guarded([&] {
    begun = {};
    const std::vector<GraphKernel>& kernels = m_graphs[executable];
    begun.graph = GraphLaunchEvent{evidence_now_ns(),
                                   ::getpid(),
                                   stream_number(place),
                                   context_number(place.context),
                                   static_cast<int>(kernels.size()),
                                   0};
    std::vector<const Tensors*> tensors;
    for (const GraphKernel& kernel : kernels) {
      begun.launches.push_back(describe(place, kernel.kernel, kernel.code));
      begun.launches.back().graph = true;
      tensors.push_back(&kernel.tensors);
    }
    if (kernels.empty()) return m_plan.other_work();
    digest(begun, place, tensors);
  });
}

void Recorder::graph_launch_ends(int status) noexcept {
  guarded([&] { end(status); });
}

void Recorder::stream_destroyed(const Place& place) noexcept {
  guarded([&] {
    m_plan.forget(key_of(place));
    m_streams.erase(key_of(place));
  });
}

void Recorder::other_work_begins() noexcept {
  guarded([&] {
    m_plan.other_work();
    write({});
  });
}

void Recorder::wait_begins() noexcept {
  guarded([&] {
    m_plan.waited();
    write({});
  });
}

void Recorder::flush() noexcept {
  guarded([&] { write({}); });
}

}  // namespace tunecheck::gpu
