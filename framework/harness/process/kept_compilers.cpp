#include "harness/process/kept_compilers.hpp"

#include <cstdlib>

#include "backend/cpu/toolchain.hpp"
#include "backend/gpu/runtime_compiler.hpp"
#include "core/resources.hpp"
#include "harness/process/workspace.hpp"
#include "observe/spy_settings.hpp"
#include "observe/tools.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

Result<void> stand_in_for(const fs::path& real, const fs::path& spy, const fs::path& link,
                          const char* variable, SpySettings settings) {
  settings.real_compiler = real;
  TUNECHECK_CHECK(install_spy(link, spy, settings));
  ::setenv(variable, link.c_str(), 1);
  return {};
}

}  // namespace

Result<KeptCompilers> KeptCompilers::use(const fs::path& store) {
  TUNECHECK_TRY(TemporaryFolder folder, TemporaryFolder::create("tunecheck-compilers"));
  SpySettings settings;
  settings.evidence = "/dev/null";
  settings.store = fs::absolute(store);
  // What a scenario compiles of a copy of the kernel, in the processes of its tuner, has the same
  // key.
  settings.workspace = find_resources().kernels;
  ::setenv("LANG", tuner_language, 1);
  TUNECHECK_CHECK(create_folders(settings.store));
  if (const auto toolchain = Toolchain::find()) {
    TUNECHECK_TRY(const fs::path spy, find_compiler_spy());
    TUNECHECK_CHECK(
        stand_in_for(toolchain->compiler(), spy, folder.path() / "c++", "TUNECHECK_CXX", settings));
  }
  for (const auto& [kind, variable] : {std::pair(DeviceKind::cuda, "TUNECHECK_NVRTC"),
                                       std::pair(DeviceKind::hip, "TUNECHECK_HIPRTC")}) {
    const auto library = open_runtime_compiler(kind);
    const auto spy = find_library_spy(kind);
    if (!library || !spy) continue;
    const fs::path link = folder.path() / fmt::format("lib{}rtc.so", name_of(kind));
    TUNECHECK_CHECK(stand_in_for((*library)->file(), *spy, link, variable, settings));
  }
  return KeptCompilers(std::move(folder));
}

}  // namespace tunecheck
