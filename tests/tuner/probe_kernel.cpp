#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

constexpr std::string_view probe_info = R"(kernel
{
  name     probe
  summary  "every kind of argument"
  sizes    { smoke { n 32 }  full { n 64 } }
  tensors
  {
    x     { dtype "f32 f64"  shape "n"  access read }
    y     { dtype "f32 f64"  shape "n"  access in_place }
    out   { dtype "f32 f64"  shape "n"  access write }
    total { dtype i32        shape "n"  access in_place }
  }
  scalars        { alpha { dtype f32  value 2  key yes }  beta { dtype f32  value 1 } }
  restore_value  "y"
  reset_to_zero  "total"
  environment    "PROBE_SWITCH"
  space          { block "1 2"  vec "1 4" }
  default        { block 1  vec 4 }
  cpu            { source cpu.cpp  options "-DFIRST" }
  reference      reference.cpp
  tolerance      { relative 1e-6  absolute 1e-6 }
}
)";

// The initial content of tensor t.
double first_value(std::size_t t, std::int64_t i) {
  return t == 3 ? 100 : static_cast<double>(t + 1) + 0.25 * static_cast<double>(i);
}

}  // namespace

LaunchStatus run_probe(const Config& /*config*/, const LaunchArguments& arguments) {
  const auto x = to_doubles(arguments.tensors[0]);
  auto y = to_doubles(arguments.tensors[1]);
  auto total = to_doubles(arguments.tensors[3]);
  auto out = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] += arguments.scalars[0].value * x[i];
    out[i] += arguments.scalars[1].value;
    total[i] += 1;
  }
  from_doubles(y, arguments.tensors[1]);
  from_doubles(out, arguments.tensors[2]);
  from_doubles(total, arguments.tensors[3]);
  return 0;
}

ProbeFolder::ProbeFolder() : m_folder(TemporaryFolder::create("tunecheck-probe").value()) {
  write("kernel.info", std::string(probe_info));
  write("cpu.cpp", "// the kernel\nint probe = 1;\n");
  write("own.h", "int own = 1; // a header\n");
  write("reference.cpp", "\n");
}

TuneRequest ProbeFolder::request() const {
  return TuneRequest::of(read_kernel(path()).value(), "smoke");
}

void ProbeFolder::write(const std::string& file, const std::string& text) const {
  must(write_file(path() / file, text));
}

void ProbeFolder::edit(const std::string& from, const std::string& to) const {
  std::string text = read_text_file(path() / "kernel.info").value();
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::logic_error("kernel.info has no \"" + from + "\"");
  write("kernel.info", text.replace(at, from.size(), to));
}

ProbeTensors::ProbeTensors(std::int64_t stride, std::size_t byte_shift, DType dtype)
    : m_scalars{{DType::f32, 2}, {DType::f32, 1}} {
  const std::size_t step = static_cast<std::size_t>(std::max<std::int64_t>(stride, 1)) * size;
  const std::size_t room = (step * 8 + 64 + 63) / 64 * 64;
  m_memory.assign(4 * room + 128, std::byte{0x11});
  void* start = m_memory.data();
  std::size_t space = m_memory.size();
  std::align(64, 4 * room, start, space);
  const std::int64_t shape[] = {size};
  const std::int64_t strides[] = {stride};
  for (std::size_t t = 0; t < 4; ++t)
    m_views.push_back({static_cast<std::byte*>(start) + t * room + byte_shift,
                       t == 3 ? DType::i32 : dtype, Layout::strided(shape, strides)});
  refill();
}

void ProbeTensors::refill() {
  for (std::size_t t = 0; t < 4; ++t) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < size; ++i)
      values.push_back(first_value(t, i));
    from_doubles(values, m_views[t]);
  }
}

bool ProbeTensors::hold_one_launch() const {
  const auto y = values(1);
  const auto out = values(2);
  const auto total = values(3);
  for (std::int64_t i = 0; i < size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double x = first_value(0, i);
    if (y[at] != first_value(1, i) + m_scalars[0].value * x) return false;
    if (out[at] != x + m_scalars[1].value || total[at] != 1) return false;
  }
  return true;
}

TunerOptions quick_options(const std::filesystem::path& cache) {
  TunerOptions options;
  options.cache_folder = cache;
  options.trial_time_limit = std::chrono::milliseconds(500);
  options.trial_memory_bytes = std::uint64_t{256} << 20;
  options.measuring_time = std::chrono::microseconds(200);
  return options;
}

Result<CallReport> fresh_call(const Backend& backend, const TuneRequest& request,
                              const ProbeTensors& tensors, const std::filesystem::path& cache,
                              TunerParts parts) {
  Tuner tuner(backend, quick_options(cache), std::move(parts));
  TUNECHECK_TRY(TunedKernel kernel, tuner.bind(request));
  auto report = kernel.call(tensors.arguments());
  if (report) report->winner = nullptr;  // dies with the tuner
  return report;
}

}  // namespace tunecheck::test
