#include "adapter/fftw/wisdom_file.hpp"

#include <fftw3.h>

#include <sys/stat.h>

namespace tunecheck {

bool WisdomFile::import_once() {
  if (!m_file || m_imported) return true;
  m_imported = true;
  if (fftw_import_wisdom_from_filename(m_file->c_str()) != 0) return true;
  struct stat status {};
  return ::lstat(m_file->c_str(), &status) != 0;  // there is none yet
}

bool WisdomFile::export_all() const {
  return !m_file || fftw_export_wisdom_to_filename(m_file->c_str()) != 0;
}

}  // namespace tunecheck
