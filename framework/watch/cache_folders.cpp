#include "watch/cache_folders.hpp"

#include <array>
#include <set>
#include <string_view>
#include <system_error>

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;

// Variables that name the folder of a cache of compiled or tuned kernels, each from the
// documentation of its project.
constexpr std::array known_variables = {"TRITON_CACHE_DIR",
                                        "TRITON_HOME",
                                        "TORCHINDUCTOR_CACHE_DIR",
                                        "TORCH_EXTENSIONS_DIR",
                                        "HELION_CACHE_DIR",
                                        "PYTORCH_KERNEL_CACHE_PATH",
                                        "NUMBA_CACHE_DIR",
                                        "CUPY_CACHE_DIR",
                                        "CUDA_CACHE_PATH",
                                        "TILELANG_CACHE_DIR",
                                        "TVM_CACHE_DIR",
                                        "JAX_COMPILATION_CACHE_DIR",
                                        "FLASHINFER_WORKSPACE_BASE",
                                        "FLYDSL_RUNTIME_CACHE_DIR",
                                        "VLLM_CACHE_ROOT",
                                        "MIOPEN_USER_DB_PATH",
                                        "MIOPEN_CUSTOM_CACHE_DIR",
                                        "AMD_COMGR_CACHE_DIR",
                                        "CCACHE_DIR",
                                        "SCCACHE_DIR",
                                        "TUNECHECK_CACHE"};

// Folders of such caches below a home folder.
constexpr std::array home_caches = {".triton",
                                    ".nv",
                                    ".cupy",
                                    ".helion",
                                    ".tilelang",
                                    ".flydsl",
                                    ".tvm",
                                    ".miopen",
                                    ".ccache",
                                    ".numba",
                                    ".cubecl",
                                    ".tunecheck",
                                    ".cache/triton",
                                    ".cache/helion",
                                    ".cache/torch_extensions",
                                    ".cache/flashinfer",
                                    ".cache/tilelang",
                                    ".cache/flydsl",
                                    ".cache/vllm",
                                    ".cache/kernel_tuner",
                                    ".cache/cubecl",
                                    ".cache/comgr",
                                    ".cache/miopen",
                                    ".cache/numba",
                                    ".cache/cupy",
                                    ".cache/tunecheck",
                                    ".cache/ccache",
                                    ".cache/sccache",
                                    ".cache/torchinductor",
                                    ".cache/fla",
                                    ".cache/jax"};

using Hidden = std::set<std::string>;  // paths below the folder

// A folder with a link for each entry of `from`, except hidden ones and those above one, which are
// such folders themselves.
Result<void> shadow(const fs::path& from, const fs::path& to, const Hidden& hidden) {
  std::error_code error;
  fs::create_directories(to, error);
  if (error) return failure(ErrorKind::machine, "cannot make {}: {}", to.string(), error.message());
  for (auto each = fs::directory_iterator(from, error); !error && each != fs::directory_iterator();
       each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (hidden.contains(name)) continue;
    Hidden below;
    for (const std::string& path : hidden)
      if (path.starts_with(name + "/")) below.insert(path.substr(name.size() + 1));
    std::error_code ignored;
    if (below.empty())
      fs::create_symlink(each->path(), to / name, ignored);
    else
      TUNECHECK_CHECK(shadow(each->path(), to / name, below));
  }
  return {};
}

std::string value_of(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

}  // namespace

Result<CacheFolders> CacheFolders::create(const fs::path& root, const Environment& environment,
                                          const std::vector<std::string>& variables,
                                          const std::vector<std::string>& further_hidden) {
  CacheFolders folders;
  Hidden hidden(home_caches.begin(), home_caches.end());
  for (const std::string& path : further_hidden)
    hidden.insert(fs::path(path).lexically_normal().string());
  folders.m_root = root;
  std::error_code error;
  fs::remove_all(root, error);
  fs::create_directories(root / "tmp", error);
  if (error)
    return failure(ErrorKind::machine, "cannot make {}: {}", root.string(), error.message());
  if (const std::string home = value_of(environment, "HOME"); !home.empty()) {
    TUNECHECK_CHECK(shadow(home, root / "home", hidden));
    folders.m_variables["HOME"] = root / "home";
  }
  if (const std::string caches = value_of(environment, "XDG_CACHE_HOME"); !caches.empty()) {
    Hidden below;
    for (const std::string& path : hidden)
      if (path.starts_with(".cache/")) below.insert(path.substr(7));
    TUNECHECK_CHECK(shadow(caches, root / "xdg-cache", below));
    folders.m_variables["XDG_CACHE_HOME"] = root / "xdg-cache";
  }
  folders.m_variables["TMPDIR"] = root / "tmp";
  std::set<std::string> names(variables.begin(), variables.end());
  for (const char* const name : known_variables)
    if (!value_of(environment, name).empty()) names.insert(name);
  names.insert("CUDA_CACHE_PATH");
  for (const std::string& name : names) {
    fs::create_directories(root / name, error);
    folders.m_variables[name] = root / name;
  }
  return folders;
}

void CacheFolders::apply(Environment& environment) const {
  for (const auto& [name, value] : m_variables)
    environment[name] = value;
}

std::string CacheFolders::outside(const fs::path& folder) const {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(folder, error);
  const fs::path root = fs::weakly_canonical(m_root, error);
  const auto below = real.lexically_relative(root);
  return !below.empty() && *below.begin() != ".." ? "" : real.string();
}

}  // namespace tunecheck::watch
