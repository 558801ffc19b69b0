#include "adapter/reference/gpu_call.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace tunecheck {
namespace {

using gpu::DriverFunctions;
using gpu::GpuDevice;

// A stream that holds up what is queued behind this.
constexpr auto busy_time = std::chrono::milliseconds(200);
void hold_up(void* /*nothing*/) {
  std::this_thread::sleep_for(busy_time);
}

}  // namespace

Result<void> GpuContexts::enter(const GpuDevice& device, int number) {
  const DriverFunctions& f = device.functions();
  const auto check = [&](gpu::Status status) {
    return device.driver().check(status, fmt::format("context {} cannot be used", number));
  };
  const std::scoped_lock lock(m_mutex);
  gpu::Context& context = m_made[{device.number(), number}];
  if (number == 1 && context == nullptr) context = device.primary();
  if (context != nullptr) return check(f.set_current(context));
  if (f.context_create == nullptr)
    return failure("the driver here, {}, cannot make further contexts", device.driver().version());
  return check(f.context_create(&context, 0, device.number()));
}

Result<GpuCallSite> GpuCallSite::open(const GpuDevice& device, const protocol::GpuCall& call) {
  constexpr unsigned beside_the_default_stream = 1;
  GpuCallSite site(device, call);
  const DriverFunctions& f = device.functions();
  if ((call.busy_stream && f.host_function == nullptr) ||
      (call.capture && (f.capture_begin == nullptr || f.graph_run_destroy == nullptr)))
    return failure("the driver here, {}, cannot make such a call", device.driver().version());
  if (call.busy_stream || call.capture)
    TUNECHECK_CHECK(device.driver().check(
        device.functions().stream_create(&site.m_stream, beside_the_default_stream),
        "no stream can be made"));
  return site;
}

GpuCallSite::GpuCallSite(GpuCallSite&& other) noexcept
    : m_device(other.m_device),
      m_call(other.m_call),
      m_stream(std::exchange(other.m_stream, nullptr)),
      m_late(std::move(other.m_late)),
      m_capture_valid(other.m_capture_valid) {}

GpuCallSite::~GpuCallSite() {
  if (m_stream == nullptr) return;
  (void)m_device->functions().stream_synchronize(m_stream);
  (void)m_device->functions().stream_destroy(m_stream);
}

Result<CallReport> GpuCallSite::run(const MappedTensors& tensors,
                                    const std::function<Result<CallReport>(Stream)>& make) {
  if (m_call.busy_stream) TUNECHECK_CHECK(fill_late(tensors));
  return m_call.capture ? run_captured(make) : make(m_stream);
}

// Until the stream comes to it, each tensor holds what it is not to be called with.
Result<void> GpuCallSite::fill_late(const MappedTensors& tensors) {
  constexpr auto other = std::byte{0x5a};
  const DriverFunctions& f = m_device->functions();
  const TensorMemory& memory = tensors.memory();
  for (const MemoryBlock& block : tensors.blocks()) {
    TUNECHECK_TRY(MemoryBlock content, memory.allocate(block.size()));
    const auto bytes = static_cast<std::int64_t>(block.size());
    const Layout layout = Layout::contiguous(std::span(&bytes, 1));
    memory.copy_elements({block.data(), DType::u8, layout}, {content.data(), DType::u8, layout},
                         nullptr);
    memory.fill_bytes(block.data(), block.size(), other);
    m_late.push_back(std::move(content));
  }
  TUNECHECK_CHECK(memory.wait());
  const auto check = [&](gpu::Status status) {
    return m_device->driver().check(status, "the stream cannot be kept busy");
  };
  TUNECHECK_CHECK(check(f.host_function(m_stream, hold_up, nullptr)));
  for (std::size_t i = 0; i < m_late.size(); ++i)
    TUNECHECK_CHECK(check(f.copy(reinterpret_cast<gpu::Address>(tensors.blocks()[i].data()),
                                 reinterpret_cast<gpu::Address>(m_late[i].data()), m_late[i].size(),
                                 m_stream)));
  return {};
}

Result<CallReport> GpuCallSite::run_captured(
    const std::function<Result<CallReport>(Stream)>& make) {
  constexpr int whole_process = 0;  // the strictest mode: what must not be captured is refused
  const DriverFunctions& f = m_device->functions();
  TUNECHECK_CHECK(
      m_device->driver().check(f.capture_begin(m_stream, whole_process), "no capture can begin"));
  auto report = make(m_stream);
  gpu::Graph graph = nullptr;
  gpu::GraphRun run = nullptr;
  m_capture_valid = f.capture_end(m_stream, &graph) == 0 && graph != nullptr &&
                    f.graph_instantiate(&run, graph, 0) == 0;
  gpu::Status launched = 0;
  if (*m_capture_valid && report && report->status == 0) {
    launched = f.graph_launch(run, m_stream);
    if (launched == 0) launched = f.stream_synchronize(m_stream);
  }
  if (run != nullptr) (void)f.graph_run_destroy(run);
  if (graph != nullptr) (void)f.graph_destroy(graph);
  TUNECHECK_CHECK(m_device->driver().check(launched, "the graph cannot be launched"));
  return report;
}

}  // namespace tunecheck
