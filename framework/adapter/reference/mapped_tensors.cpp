#include "adapter/reference/mapped_tensors.hpp"

#include <map>

namespace tunecheck {
namespace {

// True where all elements, reached by whatever strides, lie in a file of `bytes` bytes. The numbers
// come from outside and must not overflow; up to 2^52, more than any file has, doubles are exact.
bool fits(const protocol::Tensor& tensor, std::size_t bytes) {
  const auto wide = [](auto value) { return static_cast<double>(value); };
  double first = 0;
  double end = 1;
  for (std::size_t d = 0; d < tensor.layout.dimensions().size(); ++d) {
    const std::int64_t size = tensor.layout.shape[d];
    if (size < 0) return false;
    const double reach = (wide(size) - 1) * wide(tensor.layout.strides[d]);
    (reach < 0 ? first : end) += reach;
  }
  const double offset = wide(tensor.byte_offset);
  const double element = wide(size_of(tensor.dtype));
  if (tensor.layout.count() == 0) return offset <= wide(bytes);
  return offset + first * element >= 0 && offset + end * element <= wide(bytes);
}

TensorView as_bytes(std::byte* first, std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(bytes);
  return {first, DType::u8, Layout::contiguous(std::span(&size, 1))};
}

}  // namespace

Result<MappedTensors> MappedTensors::open(const std::vector<protocol::Tensor>& tensors,
                                          const TensorMemory& memory) {
  MappedTensors mapped(memory);
  const bool on_device = &memory != &host_memory();
  std::map<std::filesystem::path, std::size_t> places;
  for (const protocol::Tensor& tensor : tensors) {
    const auto [place, added] = places.emplace(tensor.file, mapped.m_files.size());
    if (added) {
      TUNECHECK_TRY(MappedFile file, MappedFile::open(tensor.file));
      if (on_device) {
        const auto bytes = file.bytes();
        TUNECHECK_TRY(MemoryBlock block, memory.allocate(bytes.size()));
        memory.copy_from_host(as_bytes(bytes.data(), bytes.size()),
                              as_bytes(block.data(), bytes.size()));
        mapped.m_blocks.push_back(std::move(block));
      }
      mapped.m_files.push_back(std::move(file));
    }
    const auto bytes = mapped.m_files[place->second].bytes();
    if (!fits(tensor, bytes.size()))
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("tensor {} does not fit into the {} bytes of its file",
                                       tensor.name, bytes.size()),
                           tensor.file.string(),
                           0,
                           {}});
    std::byte* const first = on_device ? mapped.m_blocks[place->second].data() : bytes.data();
    mapped.m_tensors.push_back(
        {tensor.name, {first + tensor.byte_offset, tensor.dtype, tensor.layout}});
  }
  TUNECHECK_CHECK(memory.wait());
  return mapped;
}

Result<void> MappedTensors::write_back() const {
  TUNECHECK_CHECK(m_memory->wait());
  for (std::size_t i = 0; i < m_blocks.size(); ++i) {
    const auto bytes = m_files[i].bytes();
    TUNECHECK_TRY(const HostTensor content,
                  m_memory->on_host(as_bytes(m_blocks[i].data(), bytes.size())));
    copy_elements(content.view, as_bytes(bytes.data(), bytes.size()));
  }
  return {};
}

}  // namespace tunecheck
