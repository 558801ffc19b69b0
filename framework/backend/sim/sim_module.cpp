#include "backend/sim/sim_module.hpp"

#include <tunecheck/cpu_kernel.h>

#include <algorithm>
#include <cmath>
#include <dlfcn.h>

#include "backend/sim/random.hpp"

namespace tunecheck::sim {
namespace {

// What a launch costs on the clock beside the kernel itself.
constexpr std::int64_t launch_overhead_ns = 1000;

enum Purpose : std::uint64_t {
  of_process = 1,
  of_load,
  of_load_direction,
  of_first_launch,
  of_noise,
  of_outlier,
  of_outlier_direction,
  of_burst_begin,
  of_burst_length,
  of_burst_factor,
  of_interruption,
  of_interruption_length,
};

// Draws 1, or the factor of an outlier.
double outlier(const SimDisturbance::Outliers& outliers, std::uint64_t chance,
               std::uint64_t direction) {
  if (uniform(chance) >= outliers.rate) return 1;
  return uniform(direction) < 0.5 ? outliers.optimistic : outliers.pessimistic;
}

// Every result is 1 more than the sum of what the kernel read for that element (tensors that are
// shorter begin anew); a tensor that is written in place keeps its own content beside it.
void compute(const Program& program, std::span<const TensorView> tensors) {
  std::vector<std::vector<double>> contents;
  for (const TensorView& tensor : tensors)
    contents.push_back(to_doubles(tensor));
  std::vector<std::vector<double>> results(tensors.size());
  const double more = program.wrong ? 2 : 1;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const Access access = program.accesses[t];
    if (access != Access::write && access != Access::in_place) continue;
    results[t].assign(contents[t].size(), more);
    for (std::size_t i = 0; i < results[t].size(); ++i) {
      if (access == Access::in_place) results[t][i] += contents[t][i];
      for (std::size_t r = 0; r < tensors.size(); ++r)
        if (program.accesses[r] == Access::read && !contents[r].empty())
          results[t][i] += contents[r][i % contents[r].size()];
    }
  }
  for (std::size_t t = 0; t < tensors.size(); ++t)
    if (!results[t].empty()) from_doubles(results[t], tensors[t]);
}

// The hooks that a launch probe brings into the process; null where there is none. Looked up by
// name: a program that is linked without the probe must find it when it is loaded before.
struct Probe {
  decltype(&tunecheck_probe_begin) begin = nullptr;
  decltype(&tunecheck_probe_end) end = nullptr;

  static const Probe& get() {
    static const Probe probe = [] {
      const auto find = [](const char* name) { return ::dlsym(RTLD_DEFAULT, name); };
      return Probe{
          reinterpret_cast<decltype(&tunecheck_probe_begin)>(find("tunecheck_probe_begin")),
          reinterpret_cast<decltype(&tunecheck_probe_end)>(find("tunecheck_probe_end"))};
    }();
    return probe;
  }
};

// The launch as the probe wants it described. There is no loaded code, so there is no address in it
// and the probe reports no artifact.
class Described {
 public:
  explicit Described(const LaunchArguments& arguments) {
    for (const TensorView& view : arguments.tensors)
      m_tensors.push_back({view.data, view.layout.shape.data(), view.layout.strides.data(),
                           view.layout.rank, static_cast<std::int32_t>(view.dtype)});
    for (const Scalar& scalar : arguments.scalars)
      m_scalars.push_back({scalar.value, static_cast<std::int64_t>(scalar.value)});
    m_launch = {m_tensors.data(), m_scalars.data(), static_cast<std::int32_t>(m_tensors.size()),
                static_cast<std::int32_t>(m_scalars.size())};
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  [[nodiscard]] const tunecheck_launch* get() const { return &m_launch; }

 private:
  std::vector<tunecheck_tensor> m_tensors;
  std::vector<tunecheck_scalar> m_scalars;
  tunecheck_launch m_launch{};
};

// A simulated kernel, loaded: computes the result for real, and draws the time that a launch takes.
// Each load has a number of its own, and so has each launch of it. All chance follows from these,
// the seed, the number of the process and the config: the same calls in the same order take the
// same times. Every launch moves the device's clock, also one that is refused. All members may be
// called by several threads at once; the order of their launches then decides what each of them
// draws.
class SimModule final : public Module {
 public:
  SimModule(Program program, std::shared_ptr<Device> device)
      : m_program(std::move(program)),
        m_device(std::move(device)),
        m_config(mixed({word_of(m_program.kernel), word_of(m_program.config)})),
        m_load(m_device->next_load()) {
    const SimDisturbance& own = m_program.disturbance;
    m_lasting = std::max(0.05, 1 + own.process * normal(chance(of_process))) *
                outlier(own.loads, chance(of_load, m_load), chance(of_load_direction, m_load));
  }

  [[nodiscard]] LaunchStatus launch(const LaunchArguments& arguments) const override {
    return timed_launch(arguments).status;
  }

  [[nodiscard]] TimedLaunch timed_launch(const LaunchArguments& arguments) const override {
    const Probe& probe = Probe::get();
    if (probe.begin == nullptr || probe.end == nullptr) return run(arguments);
    const Described described(arguments);
    probe.begin(m_program.kernel.c_str(), m_program.config.c_str(), nullptr, described.get());
    const TimedLaunch launch = run(arguments);
    probe.end(described.get(), launch.status);
    return launch;
  }

  [[nodiscard]] std::chrono::nanoseconds now() const override {
    return std::chrono::nanoseconds(m_device->now_ns());
  }

 private:
  [[nodiscard]] std::uint64_t chance(Purpose purpose, std::uint64_t number = 0) const {
    return mixed({m_device->seed(), m_device->process(), m_config, purpose, number});
  }

  TimedLaunch run(const LaunchArguments& arguments) const {
    if (m_program.refuses) {
      m_device->advance(launch_overhead_ns);
      return {launch_out_of_resources, 0};
    }
    compute(m_program, arguments.tensors);
    const std::uint64_t number = mixed({m_load, m_launches});
    const double interruption_ns = draw_interruption_ns(number);
    const auto elapsed_ns =
        std::max<std::int64_t>(1, std::llround(draw_time_ns(number) + interruption_ns));
    m_device->advance(elapsed_ns + launch_overhead_ns);
    return {0, elapsed_ns, 0, interruption_ns > 0};
  }

  // In each stretch of time one burst, which slows all configs down alike. Bursts are the device's:
  // nothing of the config goes into the draws.
  double burst_factor() const {
    const SimDisturbance::Bursts& own = m_program.disturbance.bursts;
    if (own.share <= 0) return 1;
    const double stretch_ns = own.length_ns / own.share;
    const auto now_ns = static_cast<double>(m_device->now_ns());
    const double stretch = std::floor(now_ns / stretch_ns);
    const auto drawn = [&](Purpose purpose) {
      return uniform(mixed(
          {m_device->seed(), m_device->process(), purpose, static_cast<std::uint64_t>(stretch)}));
    };
    const double length_ns = own.length_ns * (0.5 + drawn(of_burst_length));
    const double begin_ns = stretch * stretch_ns + drawn(of_burst_begin) * (stretch_ns - length_ns);
    if (now_ns < begin_ns || now_ns >= begin_ns + length_ns) return 1;
    constexpr double mildest = 0.3;
    return 1 + (own.factor - 1) * (mildest + (1 - mildest) * drawn(of_burst_factor));
  }

  double draw_interruption_ns(std::uint64_t number) const {
    const SimDisturbance::Interruptions& own = m_program.disturbance.interruptions;
    if (uniform(chance(of_interruption, number)) >= own.rate) return 0;
    return own.length_ns * uniform(chance(of_interruption_length, number));
  }

  double draw_time_ns(std::uint64_t number) const {
    const SimDisturbance& own = m_program.disturbance;
    const std::uint64_t launch = m_launches++;
    double time_ns = m_program.cost_ns * m_lasting;
    time_ns *= std::max(0.05, 1 + own.noise * normal(chance(of_noise, number)));
    time_ns *=
        outlier(own.launches, chance(of_outlier, number), chance(of_outlier_direction, number));
    time_ns *= burst_factor();
    time_ns *= 1 + own.drift_per_second * 1e-9 * static_cast<double>(m_device->now_ns());
    // Half as much for some loads as for others, so that it tells nothing of the config.
    if (launch == 0)
      time_ns += own.first_launch_ns * (0.5 + uniform(chance(of_first_launch, m_load)));
    return time_ns;
  }

  Program m_program;
  std::shared_ptr<Device> m_device;
  std::uint64_t m_config;
  std::uint64_t m_load;
  double m_lasting = 1;  ///< factor of all launches of this load
  mutable std::atomic<std::uint64_t> m_launches{0};
};

}  // namespace

std::unique_ptr<Module> make_module(Program program, std::shared_ptr<Device> device) {
  return std::make_unique<SimModule>(std::move(program), std::move(device));
}

}  // namespace tunecheck::sim
