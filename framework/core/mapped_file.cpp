#include "core/mapped_file.hpp"

#include <boost/interprocess/exceptions.hpp>
#include <boost/interprocess/file_mapping.hpp>

namespace tunecheck {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  namespace bip = boost::interprocess;
  try {
    const bip::file_mapping file(path.c_str(), bip::read_write);
    MappedFile mapped;
    mapped.m_region = bip::mapped_region(file, bip::read_write);
    return mapped;
  } catch (const bip::interprocess_exception& error) {
    return failure(Error{
        ErrorKind::machine, fmt::format("cannot map: {}", error.what()), path.string(), 0, {}});
  }
}

}  // namespace tunecheck
