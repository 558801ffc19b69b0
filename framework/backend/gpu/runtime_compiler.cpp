#include "backend/gpu/runtime_compiler.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <mutex>
#include <optional>
#include <span>

#include <boost/dll/shared_library.hpp>

#include "backend/gpu/loader_answer.hpp"
#include "core/libraries/elf_file.hpp"
#include "core/libraries/open_library.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr int first_with_minimal = 13;  // of NVRTC, and seen to work there

// What NVRTC and HIPRTC differ in. Both have the same functions with other prefixes
// (docs.nvidia.com/cuda/nvrtc; rocm.docs.amd.com, "HIP RTC").
struct Dialect {
  DeviceKind backend;
  std::string_view library;      // as people know it
  std::string_view prefix;       // of all functions
  std::string_view code;         // name of the function that returns the artifact
  std::string_view arch_option;  // before the arch
  const char* variable;          // names the library's file
  const char* root_variable;     // names the toolkit's folder
  std::vector<std::string> names;
  std::string_view remedy;
  std::string_view generator;  // the library that makes the code, "" where it is the same one
};

const std::vector<Dialect>& dialects() {
  static const std::vector<Dialect> all = {
      {DeviceKind::cuda,
       "NVRTC",
       "nvrtc",
       "CUBIN",
       "--gpu-architecture=",
       "TUNECHECK_NVRTC",
       "CUDA_HOME",
       {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
       "install the CUDA toolkit or PyPI's nvidia-cuda-nvrtc, or set TUNECHECK_NVRTC to "
       "libnvrtc.so",
       ""},
      {DeviceKind::hip,
       "HIPRTC",
       "hiprtc",
       "Code",
       "--offload-arch=",
       "TUNECHECK_HIPRTC",
       "ROCM_PATH",
       {"libhiprtc.so.7", "libhiprtc.so.6", "libamdhip64.so.6", "libamdhip64.so.5", "libhiprtc.so"},
       "install ROCm or Debian's libamdhip64-5, or set TUNECHECK_HIPRTC to libhiprtc.so",
       "libamd_comgr"},
  };
  return all;
}

// Wheels of PyPI put NVRTC below a virtual environment: that of ci/bootstrap, or the active one.
std::vector<fs::path> wheel_folders() {
  std::vector<fs::path> environments = {find_resources().kernels.parent_path() / ".venv"};
  if (const char* const active = std::getenv("VIRTUAL_ENV")) environments.emplace_back(active);
  std::vector<fs::path> folders;
  for (const fs::path& environment : environments) {
    std::error_code error;
    for (const auto& python : fs::directory_iterator(environment / "lib", error))
      for (const char* const wheel : {"cu13/lib", "cuda_nvrtc/lib"})
        folders.push_back(python.path() / "site-packages/nvidia" / wheel);
  }
  return folders;
}

std::vector<fs::path> candidates(const Dialect& dialect) {
  if (const char* const named = std::getenv(dialect.variable)) return {named};
  std::vector<fs::path> folders;
  if (const char* const root = std::getenv(dialect.root_variable))
    for (const char* const below : {"lib64", "lib"})
      folders.push_back(fs::path(root) / below);
  folders.emplace_back();  // where the loader looks
  for (const char* const usual : {"/usr/local/cuda/lib64", "/opt/rocm/lib"})
    folders.emplace_back(usual);
  const auto wheels = wheel_folders();
  folders.insert(folders.end(), wheels.begin(), wheels.end());
  std::vector<fs::path> paths;
  for (const fs::path& folder : folders)
    for (const std::string& name : dialect.names)
      paths.push_back(folder / name);
  return paths;
}

// The loader searches for a bare name.
bool is_missing(const fs::path& path) {
  std::error_code error;
  return path.has_parent_path() && !fs::exists(path, error);
}

// NVRTC opens its builtins by name alone; where they lie beside it and not where the loader looks,
// they must be there before.
void open_builtins(const fs::path& library, std::vector<boost::dll::shared_library>& open) {
  std::error_code error;
  for (const auto& file : fs::directory_iterator(library.parent_path(), error))
    if (file.path().filename().string().starts_with("libnvrtc-builtins.so") &&
        may_be_library(file.path()) && !is_cut_off(file.path())) {
      boost::dll::fs::error_code trouble;
      boost::dll::shared_library builtins(file.path(), trouble, boost::dll::load_mode::rtld_global);
      if (!trouble) open.push_back(std::move(builtins));
    }
}

// The file that opening the path or bare name would load; "" where that is in doubt.
fs::path file_behind(const fs::path& path) {
  return path.has_parent_path() ? path : ask_loader(path).file;
}

// The GNU build ID of the first loaded library that is the wanted one; "" where it has none.
template <class IsWanted>
std::string build_id_where(IsWanted is_wanted) {
  struct Search {
    IsWanted& is_wanted;
    std::string found;
  } search{is_wanted, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (!wanted.is_wanted(*library)) return 0;
        for (const auto& segment : std::span(library->dlpi_phdr, library->dlpi_phnum))
          if (segment.p_type == PT_NOTE && wanted.found.empty())
            wanted.found =
                build_id_in({reinterpret_cast<const char*>(library->dlpi_addr + segment.p_vaddr),
                             segment.p_memsz})
                    .id;
        return 1;
      },
      &search);
  return search.found;
}

// The library that `function` is in.
const link_map* library_of(const void* function) {
  Dl_info place{};
  link_map* map = nullptr;
  if (::dladdr1(function, &place, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0)
    return nullptr;
  return map;
}

std::string build_id_of(const void* function) {
  const link_map* const map = library_of(function);
  if (map == nullptr) return {};
  return build_id_where(
      [map](const dl_phdr_info& library) { return library.dlpi_addr == map->l_addr; });
}

// "libnvrtc.so.13"; "" where the library has none.
std::string soname_of(const void* function) {
  const link_map* const map = library_of(function);
  if (map == nullptr || map->l_ld == nullptr) return {};
  ElfW(Addr) names = 0;
  std::optional<std::size_t> at;
  for (const auto* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = entry->d_un.d_ptr;
    if (entry->d_tag == DT_SONAME) at = entry->d_un.d_val;
  }
  if (names == 0 || !at) return {};
  // Most loaders put the address into the table itself, some leave what the linker wrote.
  if (names < map->l_addr) names += map->l_addr;
  return reinterpret_cast<const char*>(names) + *at;
}

// The name of a library that has a build ID: the same if it is read from the file and from memory.
// No version: only the loaded library knows it.
std::string identity(const Dialect& dialect, const std::string& soname,
                     const std::string& build_id) {
  return fmt::format("{}{}{} build {}", dialect.library, soname.empty() ? "" : " ", soname,
                     build_id);
}

// The name of that library's file, links followed: "libamdhip64.so.5.2.21153".
std::string file_of(const void* function) {
  Dl_info place{};
  if (::dladdr(function, &place) == 0) return {};
  std::error_code error;
  const fs::path file = fs::canonical(place.dli_fname, error);
  return (error ? fs::path(place.dli_fname) : file).filename().string();
}

// The build ID of the library whose file's name begins so.
std::string build_id_of_file(std::string_view beginning) {
  return build_id_where([beginning](const dl_phdr_info& library) {
    return fs::path(library.dlpi_name).filename().string().starts_with(beginning);
  });
}

// NVRTC or HIPRTC, opened with dlopen so that a program starts without them. open() tries one file
// after another and gives away only a library in which every function was found; a half-opened one
// never leaves open(). Each compile has a program of its own in the library, which is destroyed
// however the compile ends, so that several threads can compile at once.
class Library final : public RuntimeCompiler {
 public:
  static Result<std::unique_ptr<RuntimeCompiler>> open(const Dialect& dialect) {
    std::string tried;
    for (const fs::path& path : candidates(dialect)) {
      const char* const named = std::getenv(dialect.variable);
      const bool is_named = named != nullptr && path == named;
      if (is_missing(path)) {
        if (is_named) tried += fmt::format(" ({} does not exist)", path.string());
        continue;
      }
      if (!may_be_library(path)) {
        tried += fmt::format(" ({} is not a regular file)", path.string());
        continue;
      }
      if (const fs::path file = file_behind(path); is_cut_off(file)) {
        tried += fmt::format(" ({} is cut off)", file.string());
        continue;
      }
      auto library = std::unique_ptr<Library>(new Library(dialect));
      open_builtins(path, library->m_builtins);
      boost::dll::fs::error_code error;
      auto mode = boost::dll::load_mode::rtld_lazy;
      if (!path.has_parent_path()) mode |= boost::dll::load_mode::search_system_folders;
      library->m_library.load(path, error, mode);
      if (!error && library->find_functions()) return library;
      if (path.has_parent_path() || is_named)
        tried += fmt::format(" ({} cannot be used)", path.string());
    }
    return failure("there is no {}{}: {}", dialect.library, tried, dialect.remedy);
  }

  std::string version() const override {
    // HIPRTC answers 9.0 in all of its versions; the name of its file says more.
    if (m_dialect.generator.empty()) return numbers();
    return fmt::format("{} ({})", numbers(), file_of(reinterpret_cast<const void*>(m_version)));
  }

  std::string fingerprint() const override {
    const auto* const inside = reinterpret_cast<const void*>(m_version);
    const std::string own_build = build_id_of(inside);
    if (m_dialect.generator.empty() && !own_build.empty())
      return identity(m_dialect, soname_of(inside), own_build);
    std::string text = numbers();
    if (!own_build.empty()) text += " build " + own_build;
    if (m_dialect.generator.empty()) return text;
    // It is opened for the first program.
    const Program first(*this, "", "first");
    if (const auto build = build_id_of_file(m_dialect.generator); !build.empty())
      text += fmt::format(" {} build {}", m_dialect.generator, build);
    return text;
  }
  fs::path file() const override { return m_library.location().string(); }

  Result<Artifact> compile(const std::string& source, const std::string& name,
                           const std::string& arch,
                           const std::vector<std::string>& options) const override {
    const Program program(*this, source, name);
    if (!program.handle) return failure("{} makes no program", m_dialect.library);
    std::vector<std::string> all = options;
    all.push_back(std::string(m_dialect.arch_option) + arch);
    // Leaves out textures and launches from the device, which no kernel over tensors can use; a
    // third of the time that a small kernel takes.
    if (m_dialect.backend == DeviceKind::cuda && version_number().first >= first_with_minimal)
      all.emplace_back("--minimal");
    std::vector<const char*> words;
    for (const std::string& option : all)
      words.push_back(option.c_str());
    const int status = compile(program.handle, words);
    if (status != 0) return failure("{}", first_complaint(program.handle, status));
    const bool is_ptx = arch.starts_with("compute_");
    if (is_ptx && m_ptx == nullptr) return failure("{} makes no PTX", m_dialect.library);
    return is_ptx ? code(m_ptx_size, m_ptx, program.handle)
                  : code(m_code_size, m_code, program.handle);
  }

 private:
  using Handle = void*;

  struct Program {
    Program(const Library& owner, const std::string& source, const std::string& name)
        : library(owner) {
      if (library.m_create(&handle, source.c_str(), name.c_str(), 0, nullptr, nullptr) != 0)
        handle = nullptr;
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program() {
      if (handle != nullptr) (void)library.m_destroy(&handle);
    }
    const Library& library;
    Handle handle = nullptr;
  };

  explicit Library(const Dialect& dialect) : m_dialect(dialect) {}

  // In its first compile the generator's LLVM makes its list of targets, without a lock: two at
  // once list each of them twice, and from then on it says "Cannot choose between targets "amdgcn"
  // and "amdgcn"" (HIPRTC 5.2). The first compile is therefore alone.
  int compile(void* handle, const std::vector<const char*>& options) const {
    std::unique_lock alone(m_first_compile, std::defer_lock);
    if (!m_dialect.generator.empty() && !m_has_targets) alone.lock();
    if (m_has_targets && alone.owns_lock()) alone.unlock();
    const int status = m_compile(handle, static_cast<int>(options.size()), options.data());
    m_has_targets = true;
    return status;
  }

  using CodeSize = int(Handle, std::size_t*);
  using Code = int(Handle, char*);

  Result<Artifact> code(CodeSize* size_of_code, Code* get_code, Handle program) const {
    Artifact artifact;
    std::size_t size = 0;
    if (size_of_code(program, &size) != 0 || size == 0)
      return failure("{} returns no code", m_dialect.library);
    artifact.bytes.resize(size);
    if (get_code(program, reinterpret_cast<char*>(artifact.bytes.data())) != 0)
      return failure("{} returns no code", m_dialect.library);
    return artifact;
  }

  std::pair<int, int> version_number() const {
    std::pair<int, int> number;
    (void)m_version(&number.first, &number.second);
    return number;
  }

  std::string numbers() const {
    const auto [major, minor] = version_number();
    return fmt::format("{} {}.{}", m_dialect.library, major, minor);
  }

  template <class Function>
  bool find(std::string_view name, Function*& function) {
    const std::string symbol = std::string(m_dialect.prefix) + std::string(name);
    if (!m_library.has(symbol)) return false;
    function = &m_library.get<Function>(symbol);
    return true;
  }

  bool find_functions() {
    const std::string code = "Get" + std::string(m_dialect.code);
    if (!find("GetPTXSize", m_ptx_size) || !find("GetPTX", m_ptx)) m_ptx = nullptr;
    return find("Version", m_version) && find("CreateProgram", m_create) &&
           find("DestroyProgram", m_destroy) && find("CompileProgram", m_compile) &&
           find(code + "Size", m_code_size) && find(code, m_code) &&
           find("GetProgramLogSize", m_log_size) && find("GetProgramLog", m_log);
  }

  std::string first_complaint(Handle handle, int status) const {
    std::size_t size = 0;
    std::string log;
    if (m_log_size(handle, &size) == 0 && size > 0) {
      log.resize(size);
      if (m_log(handle, log.data()) != 0) log.clear();
      log.resize(std::min(log.find('\0'), log.size()));
    }
    for (std::size_t at = 0; at < log.size();) {
      const std::size_t end = std::min(log.find('\n', at), log.size());
      const std::string line = log.substr(at, end - at);
      if (line.find("error") != std::string::npos) return line;
      at = end + 1;
    }
    return log.empty() ? fmt::format("{} refuses with status {}", m_dialect.library, status) : log;
  }

  const Dialect& m_dialect;
  std::vector<boost::dll::shared_library> m_builtins;
  boost::dll::shared_library m_library;
  int (*m_version)(int*, int*) = nullptr;
  int (*m_create)(Handle*, const char*, const char*, int, const char* const*,
                  const char* const*) = nullptr;
  int (*m_destroy)(Handle*) = nullptr;
  int (*m_compile)(Handle, int, const char* const*) = nullptr;
  CodeSize* m_code_size = nullptr;
  Code* m_code = nullptr;
  CodeSize* m_ptx_size = nullptr;
  Code* m_ptx = nullptr;
  int (*m_log_size)(Handle, std::size_t*) = nullptr;
  int (*m_log)(Handle, char*) = nullptr;
  mutable std::mutex m_first_compile;
  mutable std::atomic<bool> m_has_targets = false;
};

// True if the loader would find everything that the library needs, and open() every function.
bool can_be_opened(const Dialect& dialect, const ElfFile& library) {
  const auto is_there = [](const std::string& name) {
    if (void* const loaded = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
      (void)::dlclose(loaded);
      return true;
    }
    return ask_loader(name).kind == LoaderAnswer::Kind::file;
  };
  const auto has = [&](std::string_view function) {
    const std::string symbol = std::string(dialect.prefix) + std::string(function);
    return std::find(library.symbols.begin(), library.symbols.end(), symbol) !=
           library.symbols.end();
  };
  const std::string code = "Get" + std::string(dialect.code);
  const auto functions = {std::string_view("Version"),
                          std::string_view("CreateProgram"),
                          std::string_view("DestroyProgram"),
                          std::string_view("CompileProgram"),
                          std::string_view(code),
                          std::string_view("GetProgramLogSize"),
                          std::string_view("GetProgramLog")};
  return std::all_of(functions.begin(), functions.end(), has) && has(code + "Size") &&
         std::all_of(library.needed.begin(), library.needed.end(), is_there);
}

// What fingerprint() would say of the library that Library::open() would open; nothing where that
// is in doubt. Loading NVRTC takes longer than all else that a process with a warm cache does.
std::optional<std::string> fingerprint_of_file(const Dialect& dialect) {
  if (!dialect.generator.empty()) return std::nullopt;
  for (const fs::path& path : candidates(dialect)) {
    if (is_missing(path) || !may_be_library(path)) continue;
    const LoaderAnswer answer = ask_loader(path);
    if (answer.kind == LoaderAnswer::Kind::nothing) continue;
    if (answer.kind == LoaderAnswer::Kind::unknown) return std::nullopt;
    const auto library = ElfFile::read(answer.file);
    if (!library || library->build_id.empty() || !can_be_opened(dialect, *library))
      return std::nullopt;
    return identity(dialect, library->soname, library->build_id);
  }
  return std::nullopt;
}

Result<const Dialect*> dialect_of(DeviceKind backend) {
  for (const Dialect& dialect : dialects())
    if (dialect.backend == backend) return &dialect;
  return failure(ErrorKind::internal, "\"{}\" has no runtime compiler", name_of(backend));
}

}  // namespace

Result<std::unique_ptr<RuntimeCompiler>> open_runtime_compiler(DeviceKind backend) {
  TUNECHECK_TRY(const Dialect* const dialect, dialect_of(backend));
  return Library::open(*dialect);
}

Result<std::string> runtime_compiler_fingerprint(DeviceKind backend) {
  TUNECHECK_TRY(const Dialect* const dialect, dialect_of(backend));
  if (auto read = fingerprint_of_file(*dialect)) return std::move(*read);
  TUNECHECK_TRY(const auto compiler, Library::open(*dialect));
  return compiler->fingerprint();
}

}  // namespace tunecheck
