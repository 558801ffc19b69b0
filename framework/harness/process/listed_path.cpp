#include "harness/process/listed_path.hpp"

#include <system_error>

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

bool may_be_listed(const fs::path& path) {
  return path.string().find_first_of(" :") == std::string::npos;
}

}  // namespace

Result<ListedPath> ListedPath::create(const fs::path& path) {
  ListedPath listed;
  listed.m_path = path;
  if (may_be_listed(path)) return listed;
  TUNECHECK_TRY(TemporaryFolder folder, TemporaryFolder::create("tunecheck-link"));
  if (!may_be_listed(folder.path()))
    return failure(
        ErrorKind::machine,
        "TMPDIR: expected a folder whose name has no blank and no colon, since {} has one and is "
        "needed in "
        "PATH or LD_PRELOAD; found {}",
        path.string(), folder.path().parent_path().string());
  listed.m_links = std::make_shared<const TemporaryFolder>(std::move(folder));
  listed.m_path = listed.m_links->path() / "link";
  std::error_code error;
  fs::create_symlink(path, listed.m_path, error);
  if (error)
    return failure(ErrorKind::machine, "cannot link {} to {}: {}", listed.m_path.string(),
                   path.string(), error.message());
  return listed;
}

}  // namespace tunecheck
