#pragma once
// Calls on a GPU that are made in another way than the usual one: on a busy stream, into a graph
// that is being captured, in a further context. docs/adapter-protocol.md says what each means.
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "adapter/protocol/messages.hpp"
#include "adapter/reference/mapped_tensors.hpp"
#include "backend/gpu/driver/device.hpp"
#include "tuner/call_report.hpp"

namespace tunecheck {

/// The contexts that calls have asked for by device and number, for the life of the adapter; 1 is
/// the device's primary one. All members may be called by several threads at once.
class GpuContexts {
 public:
  /// Makes it the thread's own.
  [[nodiscard]] Result<void> enter(const gpu::GpuDevice& device, int number);

 private:
  std::mutex m_mutex;
  std::map<std::pair<int, int>, gpu::Context> m_made;  // by device and number
};

/// One call as a request asks for it. In the thread's context, which stays the same.
class GpuCallSite {
 public:
  [[nodiscard]] static Result<GpuCallSite> open(const gpu::GpuDevice& device,
                                                const protocol::GpuCall& call);
  GpuCallSite(GpuCallSite&& other) noexcept;
  GpuCallSite& operator=(GpuCallSite&&) = delete;
  ~GpuCallSite();

  /// Calls `make` on the stream of the call. The tensors are as in their files when work that is
  /// queued on that stream finds them.
  [[nodiscard]] Result<CallReport> run(const MappedTensors& tensors,
                                       const std::function<Result<CallReport>(Stream)>& make);

  /// Where the call was to be captured: whether the capture could be ended and made a graph.
  [[nodiscard]] std::optional<bool> capture_valid() const { return m_capture_valid; }

 private:
  GpuCallSite(const gpu::GpuDevice& device, const protocol::GpuCall& call)
      : m_device(&device), m_call(call) {}
  [[nodiscard]] Result<void> fill_late(const MappedTensors& tensors);
  [[nodiscard]] Result<CallReport> run_captured(
      const std::function<Result<CallReport>(Stream)>& make);

  const gpu::GpuDevice* m_device;
  protocol::GpuCall m_call;
  gpu::StreamHandle m_stream = nullptr;  // owned; null where the call is on the default stream
  std::vector<MemoryBlock> m_late;       // what the tensors are filled with
  std::optional<bool> m_capture_valid;
};

}  // namespace tunecheck
