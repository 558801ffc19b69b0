#include "backend/cpu/cpu_module.hpp"

#include <tunecheck/cpu_kernel.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits>
#include <link.h>
#include <mutex>
#include <vector>

#include <boost/dll/shared_library.hpp>
#include <sys/resource.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

namespace dll = boost::dll;
using Entry = int(const tunecheck_launch*);

bool lies_within(std::uint64_t offset, std::uint64_t size, std::size_t total) {
  return offset <= total && size <= total - offset;
}

// The loader maps what the headers say and dies of SIGBUS where the file is shorter, so look first.
// The section headers come last in a file: with them there, nothing is cut off.
Result<void> check_is_complete(std::span<const std::byte> bytes) {
  ElfW(Ehdr) header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    return failure("the artifact is not a shared object");
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto cut_short = [] { return failure("the artifact is cut short or damaged"); };
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(ElfW(Phdr)) ||
      !lies_within(header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize,
                   bytes.size()) ||
      !lies_within(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize,
                   bytes.size()))
    return cut_short();
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (!lies_within(segment.p_offset, segment.p_filesz, bytes.size())) return cut_short();
  }
  return {};
}

// Never closed, and never destroyed either: not even when the process ends.
void keep_for_good(FileDescriptor file) {
  static std::mutex mutex;
  static std::vector<FileDescriptor>& kept = *new std::vector<FileDescriptor>;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(file));
}

// A library loaded from a file in memory.
//
// dlopen tells libraries apart by name first, so the name "/proc/self/fd/N" must not come back
// while the library is in the process: the descriptor N stays open that long. A library may outlive
// its handle (unique symbols, -z nodelete, thread-local destructors); then the descriptor is given
// up for good instead of being closed.
class MemoryLibrary {
 public:
  static Result<MemoryLibrary> load(std::span<const std::byte> bytes) {
    TUNECHECK_CHECK(check_is_complete(bytes));
    MemoryLibrary library;
    TUNECHECK_TRY(library.m_file, sealed_memory_file("tunecheck-artifact", bytes));
    dll::fs::error_code error;
    library.m_library.load(library.name(), error,
                           dll::load_mode::rtld_now | dll::load_mode::rtld_local);
    if (error) {
      const char* const reason = ::dlerror();
      return failure("cannot load the artifact: {}",
                     reason != nullptr ? std::string(reason) : error.message());
    }
    return library;
  }

  MemoryLibrary(MemoryLibrary&&) = default;
  MemoryLibrary& operator=(MemoryLibrary&&) = delete;
  ~MemoryLibrary() {
    if (!m_library.is_loaded()) return;
    const std::string own_name = name();
    m_library.unload();
    if (void* const still_there = ::dlopen(own_name.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
      ::dlclose(still_there);
      keep_for_good(std::move(m_file));
    }
  }

  [[nodiscard]] Result<Entry*> find(const std::string& entry) const {
    if (!m_library.has(entry)) return failure("the artifact has no function \"{}\"", entry);
    return &m_library.get<Entry>(entry);
  }

 private:
  MemoryLibrary() = default;
  [[nodiscard]] std::string name() const { return fmt::format("/proc/self/fd/{}", m_file.get()); }

  FileDescriptor m_file;  // declared first: closed last
  dll::shared_library m_library;
};

std::int64_t whole_part(double value) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (std::isnan(value)) return 0;
  if (value >= limit) return std::numeric_limits<std::int64_t>::max();
  if (value < -limit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

tunecheck_scalar convert(const Scalar& scalar) {
  double value = scalar.value;
  if (scalar.dtype == DType::f32) {
    value = static_cast<float>(value);
  } else if (scalar.dtype == DType::i64 || scalar.dtype == DType::i32) {
    // Towards zero, as the header promises; store_element would round to nearest.
    value = std::trunc(value);
    if (scalar.dtype == DType::i32)
      value = std::isnan(value)
                  ? 0
                  : std::clamp<double>(value, std::numeric_limits<std::int32_t>::min(),
                                       std::numeric_limits<std::int32_t>::max());
  } else if (scalar.dtype != DType::f64) {
    std::array<std::byte, sizeof(double)> element;
    store_element(scalar.dtype, element.data(), value);
    value = load_element(scalar.dtype, element.data());
  }
  return {value, whole_part(value)};
}

constexpr std::size_t most_on_stack = 32;

// Describes the arguments in the given arrays, which are long enough, and calls use(launch).
template <class Use>
auto describe_and_use(const LaunchArguments& arguments, tunecheck_tensor* tensors,
                      tunecheck_scalar* scalars, Use&& use) {
  for (std::size_t i = 0; i < arguments.tensors.size(); ++i) {
    const TensorView& view = arguments.tensors[i];
    tensors[i] = {view.data, view.layout.shape.data(), view.layout.strides.data(), view.layout.rank,
                  static_cast<std::int32_t>(view.dtype)};
  }
  for (std::size_t i = 0; i < arguments.scalars.size(); ++i)
    scalars[i] = convert(arguments.scalars[i]);
  return use(tunecheck_launch{tensors, scalars, static_cast<std::int32_t>(arguments.tensors.size()),
                              static_cast<std::int32_t>(arguments.scalars.size())});
}

// Kernels of a few microseconds must not pay for an allocation at each launch: usual numbers of
// arguments live on the stack, left uninitialised beyond their count.
template <class Use>
auto with_launch(const LaunchArguments& arguments, Use&& use) {
  if (arguments.tensors.size() <= most_on_stack && arguments.scalars.size() <= most_on_stack) {
    std::array<tunecheck_tensor, most_on_stack> tensors;
    std::array<tunecheck_scalar, most_on_stack> scalars;
    return describe_and_use(arguments, tensors.data(), scalars.data(), use);
  }
  std::vector<tunecheck_tensor> tensors(arguments.tensors.size());
  std::vector<tunecheck_scalar> scalars(arguments.scalars.size());
  return describe_and_use(arguments, tensors.data(), scalars.data(), use);
}

// How often the scheduler gave the thread's core to something else. Asked before and after each
// timed launch, it must cost little and need nothing that a fork spoils: 0.2 us here, where reading
// the time that the thread waited from /proc takes 0.5 us and an open file. What a hypervisor takes
// is not in it; Linux tells that in hundredths of a second, much longer than a launch.
long interruptions_of_this_thread() {
  rusage use{};
  return ::getrusage(RUSAGE_THREAD, &use) == 0 ? use.ru_nivcsw : 0;
}

class CpuModule final : public Module {
 public:
  CpuModule(MemoryLibrary library, Entry* entry) : m_library(std::move(library)), m_entry(entry) {}

  [[nodiscard]] LaunchStatus launch(const LaunchArguments& arguments) const override {
    return with_launch(arguments, [&](const tunecheck_launch& launch) { return m_entry(&launch); });
  }

  [[nodiscard]] TimedLaunch timed_launch(const LaunchArguments& arguments) const override {
    return with_launch(arguments, [&](const tunecheck_launch& launch) {
      const auto interruptions = interruptions_of_this_thread();
      const auto begin = std::chrono::steady_clock::now();
      const LaunchStatus status = m_entry(&launch);
      const auto end = std::chrono::steady_clock::now();
      return TimedLaunch{status, std::chrono::nanoseconds(end - begin).count(), 0,
                         interruptions_of_this_thread() != interruptions};
    });
  }

 private:
  MemoryLibrary m_library;
  Entry* m_entry;
};

}  // namespace

Result<std::unique_ptr<Module>> load_shared_object(const Artifact& artifact,
                                                   const std::string& entry) {
  TUNECHECK_TRY(MemoryLibrary library, MemoryLibrary::load(artifact.bytes));
  TUNECHECK_TRY(Entry* const function, library.find(entry));
  return std::make_unique<CpuModule>(std::move(library), function);
}

Result<std::unique_ptr<Module>> load_reference(const Artifact& artifact) {
  return load_shared_object(artifact, "tunecheck_reference");
}

}  // namespace tunecheck
