#include "watch/cache_folders.hpp"

#include <algorithm>
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

// Folders of such caches in a home folder.
constexpr std::array home_caches = {".triton",   ".nv",     ".cupy",   ".helion",
                                    ".tilelang", ".flydsl", ".tvm",    ".miopen",
                                    ".ccache",   ".numba",  ".cubecl", ".tunecheck"};
// What a folder of caches holds of models, data and packages: everything else there may be a cache
// of kernels, and is hidden.
constexpr std::array found_caches = {
    "huggingface", "torch",         "pip",           "uv",
    "conda",       "pypoetry",      "whisper",       "clip",
    "modelscope",  "nltk_data",     "kagglehub",     "datasets",
    "matplotlib",  "fontconfig",    "go-build",      "yarn",
    "npm",         "ms-playwright", "gstreamer-1.0", "tensorflow_datasets"};

using Hidden = std::set<std::string>;  // paths below the folder

template <std::size_t Size>
bool holds(const std::array<const char*, Size>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A folder with a link for each entry of `from`, except hidden ones and those above one, which are
// such folders themselves.
Result<void> shadow(const fs::path& from, const fs::path& to, const Hidden& hidden,
                    bool is_of_caches) {
  std::error_code error;
  fs::create_directories(to, error);
  if (error) return failure(ErrorKind::machine, "cannot make {}: {}", to.string(), error.message());
  for (auto each = fs::directory_iterator(from, error); !error && each != fs::directory_iterator();
       each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (hidden.contains(name) || (is_of_caches && !holds(found_caches, name))) continue;
    Hidden below;
    for (const std::string& path : hidden)
      if (path.starts_with(name + "/")) below.insert(path.substr(name.size() + 1));
    std::error_code ignored;
    if (below.empty())
      fs::create_symlink(each->path(), to / name, ignored);
    else
      TUNECHECK_CHECK(shadow(each->path(), to / name, below, name == ".cache"));
  }
  return {};
}

// What a program saved in the home folder that it was given: files that are no links, outside of
// caches.
std::vector<std::string> saved_below(const fs::path& home) {
  std::vector<std::string> saved;
  std::error_code error;
  for (auto each = fs::recursive_directory_iterator(home, error);
       !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (each.depth() == 0 && (name == ".cache" || holds(home_caches, name))) {
      each.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    if (!each->is_symlink(ignored) && each->is_regular_file(ignored))
      saved.push_back(each->path().string());
  }
  return saved;
}

// Nothing that a program saved is lost: what an earlier watch left is put aside.
Result<void> put_aside(const fs::path& root) {
  if (saved_below(root / "home").empty()) return {};
  std::error_code error;
  for (int number = 1;; ++number) {
    const fs::path kept = root.string() + "-kept-" + std::to_string(number);
    if (fs::exists(kept, error)) continue;
    fs::rename(root, kept, error);
    if (error)
      return failure(ErrorKind::machine, "cannot rename {}: {}", root.string(), error.message());
    return {};
  }
}

std::string value_of(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

}  // namespace

Result<CacheFolders> CacheFolders::create(const fs::path& root, const Environment& environment,
                                          const std::vector<std::string>& variables,
                                          const std::vector<std::string>& further_hidden,
                                          const fs::path& temporary) {
  CacheFolders folders;
  Hidden hidden(home_caches.begin(), home_caches.end());
  hidden.insert(".cache/torch/kernels");
  for (const std::string& path : further_hidden)
    hidden.insert(fs::path(path).lexically_normal().string());
  folders.m_root = root;
  std::error_code error;
  TUNECHECK_CHECK(put_aside(root));
  fs::remove_all(root, error);
  fs::create_directories(root, error);
  if (error)
    return failure(ErrorKind::machine, "cannot make {}: {}", root.string(), error.message());
  if (const std::string home = value_of(environment, "HOME"); !home.empty()) {
    TUNECHECK_CHECK(shadow(home, root / "home", hidden, false));
    folders.m_home = home;
    folders.m_variables["HOME"] = root / "home";
  }
  if (const std::string caches = value_of(environment, "XDG_CACHE_HOME"); !caches.empty()) {
    Hidden below;
    for (const std::string& path : hidden)
      if (path.starts_with(".cache/")) below.insert(path.substr(7));
    TUNECHECK_CHECK(shadow(caches, root / "xdg-cache", below, true));
    folders.m_variables["XDG_CACHE_HOME"] = root / "xdg-cache";
  }
  folders.m_temporary = temporary;
  folders.m_variables["TMPDIR"] = temporary;
  std::set<std::string> names(variables.begin(), variables.end());
  for (const char* const name : known_variables)
    if (!value_of(environment, name).empty()) names.insert(name);
  // Without them, these caches lie where no home folder leads: by the user's number, and beside the
  // sources.
  names.insert({"CUDA_CACHE_PATH", "NUMBA_CACHE_DIR"});
  for (const std::string& name : names) {
    fs::create_directories(root / name, error);
    folders.m_variables[name] = root / name;
  }
  return folders;
}

fs::path CacheFolders::inside(const fs::path& file) const {
  const auto below = fs::absolute(file).lexically_normal().lexically_relative(m_home);
  return m_home.empty() || below.empty() || *below.begin() == ".." ? file : m_root / "home" / below;
}

void CacheFolders::apply(Environment& environment) const {
  for (const auto& [name, value] : m_variables)
    environment[name] = value;
}

std::string CacheFolders::outside(const fs::path& folder) const {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(folder, error);
  const fs::path root = fs::weakly_canonical(m_root, error);
  const fs::path temporary = fs::weakly_canonical(m_temporary, error);
  for (const fs::path& own : {root, temporary}) {
    const auto below = real.lexically_relative(own);
    if (!below.empty() && *below.begin() != "..") return "";
  }
  return real.string();
}

bool CacheFolders::is_of_kernels(const fs::path& folder) const {
  if (folder.filename() == "__pycache__") return true;
  std::error_code error;
  const fs::path real = fs::weakly_canonical(folder, error);
  std::vector<fs::path> known = {m_temporary, m_root / "home/.cache/torch/kernels",
                                 m_root / "xdg-cache/torch/kernels"};
  for (const char* const name : home_caches)
    known.push_back(m_root / "home" / name);
  for (const char* const name : known_variables)
    known.push_back(m_root / name);
  return std::any_of(known.begin(), known.end(), [&](const fs::path& cache) {
    const auto below = real.lexically_relative(fs::weakly_canonical(cache, error));
    return !below.empty() && *below.begin() != "..";
  });
}

std::vector<std::string> CacheFolders::saved_in_home() const {
  return saved_below(m_root / "home");
}

}  // namespace tunecheck::watch
