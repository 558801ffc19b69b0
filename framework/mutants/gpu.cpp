// What only a GPU has: streams, captures, contexts, memory of its own, caches to be emptied.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/gpu/driver/device.hpp"
#include "core/device_kinds.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

// Copies what is there when the call comes, not what the caller's stream is about to write.
std::unique_ptr<TrialArguments> snapshot_on_default_stream(CallArguments call) {
  call.launch.stream = nullptr;
  return std::make_unique<TrialArguments>(call);
}

class ResetsOnDefaultStream : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    LaunchArguments elsewhere = arguments;
    elsewhere.stream = nullptr;
    RealCall::prepare(roles, elsewhere, kind);
  }
};

class WaitsOnEachCall : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    RealCall::prepare(roles, arguments, kind);
    (void)arguments.where().wait();
  }
};

class TimesHotCaches : public Measurement {
 public:
  TimedLaunch run_rep(const Module& module, TrialArguments& arguments) const override {
    arguments.before_rep();
    arguments.run_hook();
    (void)module.launch(arguments.trial_launch());
    arguments.before_rep();
    return module.timed_hot_launch(arguments.trial_launch());
  }
};

// The context in which the first call came is that of all others.
class StaysInFirstContext : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    RealCall::prepare(roles, arguments, kind);
    for (const DeviceKind backend : gpu_kinds)
      if (const auto device = gpu::GpuDevice::open(backend)) {
        static const gpu::Context first = (*device)->context();
        (void)(*device)->functions().set_current(first);
        return;
      }
  }
};

class KeepsSnapshot : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  Result<void> take_snapshot() override {
    TUNECHECK_CHECK(TrialArguments::take_snapshot());
    for (const TensorView& tensor : call().launch.tensors) {
      TUNECHECK_TRY(MemoryBlock kept, call_memory().allocate(byte_range(tensor).size()));
      const std::scoped_lock lock(mutex());
      blocks().push_back(std::move(kept));
    }
    return {};
  }

 private:
  // Never destroyed: the driver may be gone before.
  static std::vector<MemoryBlock>& blocks() {
    static auto& kept = *new std::vector<MemoryBlock>;
    return kept;
  }
  static std::mutex& mutex() {
    static std::mutex guard;
    return guard;
  }
};

class ReportsNoSnapshot : public ObserverDecorator {
 public:
  using ObserverDecorator::ObserverDecorator;
  void on_report(CallReport& report) override {
    report.snapshot_bytes = 0;
    ObserverDecorator::on_report(report);
  }
};

std::optional<std::string> device_order(const KeyContext& /*context*/) {
  const char* const order = std::getenv("CUDA_DEVICE_ORDER");
  return order != nullptr ? order : "";
}

}  // namespace

std::vector<Mutant> gpu_mutants() {
  return {
      {"snapshot_on_default_stream",
       "copies the arguments on the default stream, while the caller's own stream may still write "
       "them",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.make_arguments = snapshot_on_default_stream;
       }},
      {"reset_on_default_stream",
       "zeroes reset_to_zero arguments on the default stream instead of the caller's",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.real_call = std::make_shared<ResetsOnDefaultStream>();
       }},
      {"tunes_inside_capture", "tunes while a graph is captured from the caller's stream",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.may_tune = [](const Backend&, Stream) { return true; };
       }},
      {"waits_on_each_call", "waits for the device in every call, which breaks a capture",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.real_call = std::make_shared<WaitsOnEachCall>();
       }},
      {"times_hot_caches",
       "times a launch right after another one, with its arguments in the L2 cache "
       "(pytorch#192159)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.measurement = std::make_shared<TimesHotCaches>();
       }},
      {"stays_in_first_context", "launches every call in the context of the first call",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.real_call = std::make_shared<StaysInFirstContext>();
       }},
      {"keeps_snapshot", "never frees the copies of the arguments that a tuning made",
       use_arguments<KeepsSnapshot>},
      {"reports_no_snapshot", "says that a tuning copied nothing",
       [](ReferenceAdapterSetup& setup) { decorate_observer<ReportsNoSnapshot>(setup); }},
      {"device_order_in_key", "includes the order in which devices are numbered in its key",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.key_axes.push_back(
             {"device_order", "how devices are numbered", AxisMoment::bind, false, device_order});
       }},
  };
}

}  // namespace tunecheck::mutants
