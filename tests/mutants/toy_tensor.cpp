#include "toy_tensor.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <sys/mman.h>

namespace tunecheck::test {
namespace {

constexpr std::size_t canary_size = 256;
constexpr auto canary = std::byte{0xa7};

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes) : m_data(nullptr), m_bytes(bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap failed");
  m_data = static_cast<std::byte*>(memory);
}

SharedMemory::~SharedMemory() {
  ::munmap(m_data, m_bytes);
}

SharedTensor::SharedTensor(DType dtype, const Layout& layout)
    : m_size(static_cast<std::size_t>(extent_of(layout).end) * size_of(dtype)),
      m_memory(m_size + 2 * canary_size),
      m_view{m_memory.data() + canary_size, dtype, layout} {
  std::memset(m_memory.data(), static_cast<int>(canary), m_size + 2 * canary_size);
}

void SharedTensor::fill(double first, double step) const {
  std::vector<double> values(static_cast<std::size_t>(m_view.layout.count()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = first + step * static_cast<double>(i);
  from_doubles(values, m_view);
}

bool SharedTensor::canaries_intact() const {
  const auto whole = [](const std::byte* first) {
    return std::all_of(first, first + canary_size, [](std::byte each) { return each == canary; });
  };
  return whole(m_memory.data()) && whole(m_memory.data() + canary_size + m_size);
}

}  // namespace tunecheck::test
