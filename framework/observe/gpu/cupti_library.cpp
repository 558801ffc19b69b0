#include "observe/gpu/cupti_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <string>

#include "core/libraries/open_library.hpp"

namespace tunecheck::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    entries.push_back(entry->path());
  std::sort(entries.rbegin(), entries.rend());  // the newest version first
  return entries;
}

// Toolkits: /usr/local/cuda and /usr/local/cuda-13.0.
std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  for (const fs::path& entry : entries_of("/usr/local"))
    if (entry.filename().string().starts_with("cuda"))
      for (const char* const below : {"lib64", "extras/CUPTI/lib64"})
        folders.push_back(entry / below);
  return folders;
}

int add_package_folder(dl_phdr_info* info, std::size_t, void* found) {
  auto& folders = *static_cast<std::vector<fs::path>*>(found);
  const std::string path = info->dlpi_name != nullptr ? info->dlpi_name : "";
  for (const std::string_view name : {"/site-packages/", "/dist-packages/"})
    if (const std::size_t at = path.find(name); at != path.npos) {
      const fs::path folder = path.substr(0, at + name.size() - 1);
      if (std::find(folders.begin(), folders.end(), folder) == folders.end())
        folders.push_back(folder);
    }
  return 0;
}

// Folders of Python packages.
std::vector<fs::path> package_folders() {
  std::vector<fs::path> folders;
  ::dl_iterate_phdr(add_package_folder, &folders);
  std::vector<fs::path> environments;
  if (const char* const active = std::getenv("VIRTUAL_ENV")) environments.emplace_back(active);
  environments.emplace_back(TUNECHECK_SOURCE_ROOT "/.venv");
  for (const fs::path& environment : environments)
    for (const fs::path& python : entries_of(environment / "lib"))
      folders.push_back(python / "site-packages");
  for (const char* const system : {"/usr/local/lib", "/usr/lib"})
    for (const fs::path& python : entries_of(system))
      if (python.filename().string().starts_with("python3"))
        folders.push_back(python / "dist-packages");
  return folders;
}

}  // namespace

std::vector<fs::path> cupti_candidates() {
  if (const char* const named = std::getenv("TUNECHECK_CUPTI")) return {named};
  std::vector<fs::path> folders = {fs::path()};
  for (fs::path& folder : toolkit_folders())
    folders.push_back(std::move(folder));
  for (const fs::path& packages : package_folders())
    for (const char* const wheel : {"cu13/lib", "cuda_cupti/lib"})
      folders.push_back(packages / "nvidia" / wheel);
  std::vector<fs::path> candidates;
  for (const fs::path& folder : folders)
    for (const char* const name : file_names)
      candidates.push_back(folder / name);
  return candidates;
}

Result<void*> open_cupti() {
  std::string tried;
  std::error_code error;
  for (const fs::path& path : cupti_candidates()) {
    if (path.has_parent_path() && !fs::exists(path, error)) continue;
    if (const auto library = open_library(path, RTLD_NOW | RTLD_LOCAL)) return library;
    if (path.has_parent_path())
      tried += fmt::format(" ({} {})", path.string(),
                           may_be_library(path) ? "cannot be used" : "is not a regular file");
  }
  return failure(
      "there is no CUPTI{}: install the CUDA toolkit or PyPI's nvidia-cuda-cupti, or set "
      "TUNECHECK_CUPTI to libcupti.so",
      tried);
}

}  // namespace tunecheck::gpu
