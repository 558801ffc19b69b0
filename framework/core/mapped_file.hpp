#pragma once
// Files in memory, by Boost.Interprocess.
#include <cstddef>
#include <filesystem>
#include <span>

#include <boost/interprocess/mapped_region.hpp>

#include "core/result.hpp"

namespace tunecheck {

/// A whole file mapped for reading and writing; writes reach the file and every other mapping of
/// it.
class MappedFile {
 public:
  [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& path);
  [[nodiscard]] std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(m_region.get_address()), m_region.get_size()};
  }

 private:
  MappedFile() = default;
  boost::interprocess::mapped_region m_region;
};

}  // namespace tunecheck
