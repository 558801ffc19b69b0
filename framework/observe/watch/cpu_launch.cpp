#include "observe/watch/cpu_launch.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <map>
#include <pthread.h>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/dtype.hpp"
#include "observe/probe/modules.hpp"
#include "observe/watch/cpu_code.hpp"

namespace tunecheck::watch {
namespace {

// The arguments of a launch, to be launched again with.
struct Arguments {
  struct Tensor {
    std::vector<std::int64_t> shape, strides;
    std::int32_t dtype = 0;
    std::size_t region = 0;
    std::uint64_t offset = 0;  // bytes
  };
  std::vector<Tensor> tensors;
  std::vector<tunecheck_scalar> scalars;
};

struct Span {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

std::uint64_t element_size(std::int32_t dtype) {
  return dtype >= 0 && dtype <= static_cast<std::int32_t>(DType::u8)
             ? static_cast<std::uint64_t>(size_of(static_cast<DType>(dtype)))
             : 1;
}

// All bytes between a tensor's first and its last; strides may be negative.
Span span_of(const tunecheck_tensor& tensor) {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  for (std::int32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.shape[i] <= 0) return {};
    const std::int64_t reach = (tensor.shape[i] - 1) * tensor.strides[i];
    (reach < 0 ? lowest : highest) += reach;
  }
  const std::uint64_t element = element_size(tensor.dtype);
  const auto data = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(tensor.data));
  return {data - static_cast<std::uint64_t>(-lowest) * element,
          data + static_cast<std::uint64_t>(highest + 1) * element};
}

// Each byte once: arguments that overlap share a region.
Regions join(const std::vector<Span>& spans) {
  std::vector<Span> joined;
  for (Span span : spans) {
    if (span.first == span.end) continue;
    for (auto other = joined.begin(); other != joined.end();) {
      if (other->first < span.end && span.first < other->end) {
        span = {std::min(span.first, other->first), std::max(span.end, other->end)};
        other = joined.erase(other);
      } else {
        ++other;
      }
    }
    joined.push_back(span);
  }
  // In the order of the arguments, whatever was joined with what.
  Regions regions;
  for (const Span& span : spans)
    for (const Span& all : joined) {
      const Region region{all.first, all.end - all.first};
      if (span.first < span.end && all.first <= span.first && span.end <= all.end &&
          std::find(regions.begin(), regions.end(), region) == regions.end())
        regions.push_back(region);
    }
  return regions;
}

std::size_t region_at(const Regions& regions, std::uint64_t address) {
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].address <= address && address < regions[i].address + regions[i].size) return i;
  return regions.size();
}

std::string text_of(const tunecheck_tensor& tensor) {
  const std::span shape(tensor.shape, static_cast<std::size_t>(std::max(tensor.rank, 0)));
  const std::span strides(tensor.strides, shape.size());
  return fmt::format("{}:{}/{}", tensor.dtype, fmt::join(shape, "x"), fmt::join(strides, ","));
}

Result<void> launch_again(const void* entry, const Arguments& arguments, const Regions& instead) {
  std::vector<tunecheck_tensor> tensors;
  for (const Arguments::Tensor& tensor : arguments.tensors) {
    // A tensor without elements has no memory.
    const std::uint64_t address =
        tensor.region < instead.size() ? instead[tensor.region].address + tensor.offset : 0;
    tensors.push_back({reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)),
                       tensor.shape.data(), tensor.strides.data(),
                       static_cast<std::int32_t>(tensor.shape.size()), tensor.dtype});
  }
  const tunecheck_launch launch{tensors.data(), arguments.scalars.data(),
                                static_cast<std::int32_t>(tensors.size()),
                                static_cast<std::int32_t>(arguments.scalars.size())};
  const auto kernel =
      reinterpret_cast<int (*)(const tunecheck_launch*)>(reinterpret_cast<std::uintptr_t>(entry));
  if (const int status = kernel(&launch); status != 0)
    return failure("the kernel answers {}", status);
  return {};
}

// The digest of what is run of the module that is loaded from this file.
std::string built_of(const std::string& module, const char* file) {
  thread_local std::map<std::string, std::string> known;
  const auto [place, is_new] = known.try_emplace(module);
  if (is_new) place->second = code_digest(file);
  return place->second;
}

}  // namespace

LaunchSeen see_cpu_launch(const char* kernel, const char* config, const void* entry,
                          const tunecheck_launch& launch) {
  LaunchSeen seen;
  seen.kernel = kernel != nullptr ? kernel : "";
  seen.stream = static_cast<std::uint64_t>(::pthread_self());
  seen.module = probe::module_digest(entry);
  // A program may hold several kernels, each with an entry of its own.
  Dl_info info{};
  const bool is_known = ::dladdr(entry, &info) != 0;
  seen.owner = is_known ? info.dli_fbase : nullptr;
  if (is_known && !seen.module.empty()) seen.built = built_of(seen.module, info.dli_fname);
  const std::string named = config != nullptr ? config : "";
  seen.code = !named.empty() ? named : seen.module;
  std::vector<Span> spans;
  for (std::int32_t i = 0; i < launch.tensor_count; ++i)
    spans.push_back(span_of(launch.tensors[i]));
  seen.regions = join(spans);
  Arguments arguments;
  for (std::int32_t i = 0; i < launch.tensor_count; ++i) {
    const tunecheck_tensor& tensor = launch.tensors[i];
    const Span& span = spans[static_cast<std::size_t>(i)];
    Arguments::Tensor& kept = arguments.tensors.emplace_back();
    kept.shape.assign(tensor.shape, tensor.shape + tensor.rank);
    kept.strides.assign(tensor.strides, tensor.strides + tensor.rank);
    kept.dtype = tensor.dtype;
    const auto data = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(tensor.data));
    kept.region = span.first < span.end ? region_at(seen.regions, data) : seen.regions.size();
    if (kept.region < seen.regions.size()) {
      kept.offset = data - seen.regions[kept.region].address;
      seen.tensors.push_back({i, kept.region, span.end - span.first});
    }
    seen.shapes += (i > 0 ? " " : "") + text_of(tensor);
  }
  arguments.scalars.assign(launch.scalars, launch.scalars + launch.scalar_count);
  for (const tunecheck_scalar& scalar : arguments.scalars)
    seen.scalars += fmt::format("{}{}", seen.scalars.empty() ? "" : " ", scalar.real);
  seen.relaunch = [entry, arguments = std::move(arguments)](const Regions& instead) {
    return launch_again(entry, arguments, instead);
  };
  return seen;
}

}  // namespace tunecheck::watch
