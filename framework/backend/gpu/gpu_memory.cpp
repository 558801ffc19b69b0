#include "backend/gpu/gpu_memory.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "backend/gpu/memory_kernels.hpp"

namespace tunecheck::gpu {
namespace {

// Trials open a block by the handle of its whole allocation, and the driver puts smaller ones
// together into allocations of this size.
constexpr std::size_t allocation_unit = std::size_t{2} << 20;

Address address_of(const std::byte* pointer) {
  return reinterpret_cast<Address>(pointer);
}

bool is_packed(const TensorView& view) {
  return view.layout == Layout::contiguous(view.layout.dimensions());
}

std::size_t packed_bytes(const TensorView& view) {
  return static_cast<std::size_t>(view.layout.count()) * size_of(view.dtype);
}

// The parameter of the same name in memory_kernels.cu.
struct Elements {
  std::uint64_t count = 0;
  std::array<std::uint64_t, max_rank> shape{};
  std::array<std::int64_t, max_rank> strides{};
  std::array<std::int64_t, max_rank> other_strides{};
  std::uint32_t rank = 0;
  std::uint32_t size = 0;
};

Elements elements_of(const TensorView& view, const Layout& other) {
  Elements elements;
  elements.count = static_cast<std::uint64_t>(view.layout.count());
  elements.rank = static_cast<std::uint32_t>(view.layout.rank);
  elements.size = static_cast<std::uint32_t>(size_of(view.dtype));
  for (std::size_t d = 0; d < elements.rank; ++d)
    elements.shape[d] = static_cast<std::uint64_t>(view.layout.shape[d]);
  elements.strides = view.layout.strides;
  elements.other_strides = other.strides;
  return elements;
}

std::uint64_t as_number(std::span<const std::byte> pattern) {
  std::uint64_t number = 0;
  std::memcpy(&number, pattern.data(), std::min(pattern.size(), sizeof number));
  return number;
}

std::string_view comparing_kernel(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "count_wrong_f64";
    case DType::f32:
      return "count_wrong_f32";
    case DType::bf16:
      return "count_wrong_bf16";
    case DType::f16:
      return "count_wrong_f16";
    case DType::i32:
    case DType::i64:
    case DType::u8:
      break;
  }
  return {};
}

}  // namespace

Result<MemoryBlock> GpuMemory::allocate(std::size_t bytes) const {
  if (bytes == 0) return MemoryBlock();
  const DriverFunctions& f = m_device.functions();
  const Context context = m_device.context();
  const std::size_t whole = (bytes + allocation_unit - 1) / allocation_unit * allocation_unit;
  Address address = 0;
  TUNECHECK_CHECK(m_device.driver().check(
      f.allocate(&address, whole),
      fmt::format("cannot allocate {} bytes on {}", whole, m_device.name())));
  return MemoryBlock(reinterpret_cast<std::byte*>(address), bytes, [&f, context, address] {
    Context current = nullptr;
    (void)f.current_context(&current);
    (void)f.set_current(context);
    (void)f.release(address);
    (void)f.set_current(current);
  });
}

void GpuMemory::copy_elements(const TensorView& from, const TensorView& to, Stream stream) const {
  if (from.layout.count() == 0) return;
  (void)m_device.context();
  if (is_packed(from) && is_packed(to))
    return note(m_device.functions().copy(address_of(to.data), address_of(from.data),
                                          packed_bytes(from), stream));
  Elements elements = elements_of(to, from.layout);
  std::array<void*, 3> parameters = {const_cast<std::byte**>(&to.data),
                                     const_cast<std::byte**>(&from.data), &elements};
  if (launch("copy_elements", elements.count, parameters.data(), stream)) return;
  note(m_device.functions().stream_synchronize(stream));
  if (const auto source = on_host(from)) copy_from_host(source->view, to);
}

void GpuMemory::fill_zero(const TensorView& view, Stream stream) const {
  fill(view, std::vector<std::byte>(size_of(view.dtype)), stream);
}

void GpuMemory::fill_poison(const TensorView& view, Stream stream) const {
  const auto pattern = poison_pattern(view.dtype);
  fill(view, pattern, stream);
}

void GpuMemory::fill(const TensorView& view, std::span<const std::byte> pattern,
                     Stream stream) const {
  if (view.layout.count() == 0) return;
  (void)m_device.context();
  const DriverFunctions& f = m_device.functions();
  const std::uint64_t value = as_number(pattern);
  const Address address = address_of(view.data);
  const auto count = static_cast<std::size_t>(view.layout.count());
  if (is_packed(view) && value == 0) return note(f.fill8(address, 0, packed_bytes(view), stream));
  if (is_packed(view) && pattern.size() == 1)
    return note(f.fill8(address, static_cast<unsigned char>(value), count, stream));
  if (is_packed(view) && pattern.size() == 2)
    return note(f.fill16(address, static_cast<unsigned short>(value), count, stream));
  if (is_packed(view) && pattern.size() == 4)
    return note(f.fill32(address, static_cast<unsigned>(value), count, stream));
  Elements elements = elements_of(view, view.layout);
  std::array<void*, 3> parameters = {const_cast<std::byte**>(&view.data),
                                     const_cast<std::uint64_t*>(&value), &elements};
  if (launch("fill_elements", elements.count, parameters.data(), stream)) return;
  note(f.stream_synchronize(stream));
  auto content = on_host(view);
  if (!content) return;
  for_each_element(view.layout, [&](std::int64_t, std::int64_t offset) {
    std::memcpy(content->view.data + offset * static_cast<std::int64_t>(pattern.size()),
                pattern.data(), pattern.size());
  });
  copy_from_host(content->view, view);
}

void GpuMemory::fill_bytes(std::byte* first, std::size_t bytes, std::byte value) const {
  if (bytes == 0) return;
  (void)m_device.context();
  note(m_device.functions().fill8(address_of(first), static_cast<unsigned char>(value), bytes,
                                  nullptr));
}

bool GpuMemory::holds(const std::byte* first, std::size_t bytes, std::byte value) const {
  if (bytes == 0) return true;
  const std::uint64_t items = bytes;
  if (const auto others = count("count_other_bytes", items, {&first, &items, &value}))
    return *others == 0;
  const auto size = static_cast<std::int64_t>(bytes);
  const auto content =
      on_host({const_cast<std::byte*>(first), DType::u8, Layout::contiguous(std::span(&size, 1))});
  return content && host_memory().holds(content->view.data, bytes, value);
}

bool GpuMemory::same_elements(const TensorView& a, const TensorView& b) const {
  if (a.layout.count() == 0) return true;
  if (is_packed(a) && is_packed(b)) {
    const std::uint64_t bytes = packed_bytes(a);
    if (const auto different = count("count_different_bytes", bytes, {&a.data, &b.data, &bytes}))
      return *different == 0;
  }
  const auto left = on_host(a);
  const auto right = on_host(b);
  return left && right && host_memory().same_elements(left->view, right->view);
}

Comparison GpuMemory::compare_elements(const TensorView& actual, const TensorView& expected,
                                       const Tolerance& tolerance) const {
  const auto elements = static_cast<std::uint64_t>(actual.layout.count());
  const std::string_view kernel = comparing_kernel(actual.dtype);
  if (elements > 0 && !kernel.empty() && is_packed(actual) && is_packed(expected)) {
    const std::uint64_t poison = as_number(poison_pattern(actual.dtype));
    const auto wrong = count(kernel.data(), elements,
                             {&actual.data, &expected.data, &elements, &tolerance.relative,
                              &tolerance.absolute, &poison});
    if (wrong && *wrong == 0) {
      Comparison right;
      right.elements = actual.layout.count();
      return right;
    }
  }
  // What is wrong is put into words on the host.
  const auto content = on_host(actual);
  const auto wanted = on_host(expected);
  if (!content || !wanted) return Comparison::unreadable(actual.layout.count());
  return host_memory().compare_elements(content->view, wanted->view, tolerance);
}

Result<HostTensor> GpuMemory::on_host(const TensorView& view) const {
  HostTensor tensor{view};
  const ByteRange range = byte_range(view);
  tensor.copy.resize(range.size());
  if (range.size() > 0) {
    (void)m_device.context();
    TUNECHECK_CHECK(wait());
    TUNECHECK_CHECK(m_device.driver().check(
        m_device.functions().copy_out(tensor.copy.data(), address_of(range.first), range.size()),
        "a tensor cannot be read from the device"));
  }
  tensor.view.data = tensor.copy.data() + (view.data - range.first);
  return tensor;
}

void GpuMemory::copy_from_host(const TensorView& from, const TensorView& to) const {
  if (from.layout.count() == 0) return;
  (void)m_device.context();
  const DriverFunctions& f = m_device.functions();
  const ByteRange range = byte_range(to);
  if (from.layout == to.layout && is_packed(to))
    return note(f.copy_in(address_of(range.first), from.data, range.size()));
  // What lies between the elements stays.
  auto content = on_host(to);
  if (!content) return;
  tunecheck::copy_elements(from, content->view);
  note(f.copy_in(address_of(range.first), content->copy.data(), range.size()));
}

Result<void> GpuMemory::wait() const {
  (void)m_device.context();
  note(m_device.functions().synchronize());
  const Status failed = m_failed.exchange(0);
  return m_device.driver().check(failed, "work on the device's memory failed");
}

const GpuMemory::Kernels& GpuMemory::kernels() const {
  const Context context = m_device.context();
  const std::scoped_lock lock(m_mutex);
  const auto [found, is_new] = m_kernels.try_emplace(context);
  Kernels& kernels = found->second;
  const DriverFunctions& f = m_device.functions();
  const BesideCaptures loads(f);
  if (is_new && !m_device.driver().is_hip() &&
      f.module_load(&kernels.module, memory_kernels_ptx) == 0 &&
      f.allocate(&kernels.total, sizeof(std::uint64_t)) != 0)
    kernels.module = nullptr;
  return kernels;
}

bool GpuMemory::launch(const char* kernel, std::uint64_t items, void** parameters,
                       Stream stream) const {
  constexpr std::uint64_t threads = 256;
  constexpr std::uint64_t most_blocks = 2048;
  const DriverFunctions& f = m_device.functions();
  Function function = nullptr;
  if (kernels().module == nullptr || f.module_function(&function, kernels().module, kernel) != 0)
    return false;
  const std::uint64_t blocks = std::clamp<std::uint64_t>(items / threads, 1, most_blocks);
  const Status status = f.launch(function, static_cast<unsigned>(blocks), 1, 1, threads, 1, 1, 0,
                                 stream, parameters, nullptr);
  note(status);
  return status == 0;
}

std::optional<std::uint64_t> GpuMemory::count(const char* kernel, std::uint64_t items,
                                              std::initializer_list<const void*> parameters) const {
  const std::scoped_lock one_at_a_time(m_counting);
  Address total = kernels().total;
  std::vector<void*> all;
  for (const void* const parameter : parameters)
    all.push_back(const_cast<void*>(parameter));
  all.push_back(&total);
  const DriverFunctions& f = m_device.functions();
  if (kernels().module == nullptr || f.synchronize() != 0) return std::nullopt;
  note(f.fill8(total, 0, sizeof(std::uint64_t), nullptr));
  if (!launch(kernel, items, all.data(), nullptr)) return std::nullopt;
  std::uint64_t found = 0;
  const Status status = f.copy_out(&found, total, sizeof found);
  note(status);
  return status == 0 ? std::optional(found) : std::nullopt;
}

// The first failure is the one that says what happened.
void GpuMemory::note(Status status) const {
  Status none = 0;
  if (status != 0) (void)m_failed.compare_exchange_strong(none, status);
}

}  // namespace tunecheck::gpu
