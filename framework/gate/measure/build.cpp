#include "gate/measure/build.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "core/command.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"
#include "harness/process/adapter_process.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

// Where the folders kernels and adapters of a build lie.
struct Data {
  fs::path kernels, adapters;
};

// The source tree that a CMake build folder was made from; "" where it is none.
fs::path source_tree_of(const fs::path& folder) {
  constexpr std::string_view key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  std::ifstream cache(folder / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);)
    if (line.starts_with(key)) return line.substr(key.size());
  return {};
}

// The adapter.info of a checkout: a path that leads to one from `folder`.
bool has_own_adapter(const fs::path& folder, const std::string& adapter) {
  std::error_code error;
  return adapter.find('/') != adapter.npos && fs::path(adapter).is_relative() &&
         fs::is_regular_file(folder / adapter, error);
}

Result<Data> find_data(const fs::path& folder, const std::string& adapter) {
  std::error_code error;
  const fs::path shared = folder / "share" / "tunecheck";
  if (fs::is_directory(shared / "kernels", error))
    return Data{shared / "kernels", shared / "adapters"};
  const fs::path source = source_tree_of(folder);
  if (!source.empty() && fs::is_directory(source / "kernels", error))
    return Data{source / "kernels", source / "framework" / "adapter"};
  if (has_own_adapter(folder, adapter)) return Data{find_resources().kernels, {}};
  return failure(Error{
      ErrorKind::bad_input,
      "expected a build folder, an installation with bin and share/tunecheck, or a checkout with "
      "the adapter.info that --adapter names: there are no kernels",
      folder.string(),
      0,
      {}});
}

Result<AdapterInfo> adapter_of(const std::string& name, const fs::path& folder,
                               const fs::path& folders) {
  if (has_own_adapter(folder, name)) return read_adapter_info(folder / name);
  if (name.find('/') != name.npos) return read_adapter_info(fs::absolute(name));
  TUNECHECK_TRY(const auto adapters, read_adapters(folders));
  if (const auto found = adapters.find(name); found != adapters.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, info] : adapters)
    known.push_back(each);
  return failure(Error{
      ErrorKind::bad_input, unknown_word_message("adapter", name, known), folders.string(), 0, {}});
}

// A name is that of a program of the build, or of one in PATH such as an interpreter; never of one
// that only this tunecheck has.
Result<void> take_own_program(Build& build) {
  std::string& program = build.adapter.command.at(0);
  if (program.find('/') == program.npos) {
    const fs::path own = find_program((build.folder / "bin" / program).string());
    const fs::path found = own.empty() ? find_program(program) : own;
    if (!found.empty()) program = found.string();
  }
  if (program.find('/') != program.npos && !locate_program(build.adapter).empty()) {
    TUNECHECK_CHECK(find_adapter_program(build.adapter));
    return {};
  }
  return failure(Error{ErrorKind::bad_input,
                       fmt::format("expected bin/{}, the program of the adapter \"{}\"", program,
                                   build.adapter.name),
                       build.folder.string(),
                       0,
                       {}});
}

std::string digest_of_folder(const fs::path& folder) {
  std::vector<std::string> lines;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file())
      if (const auto bytes = read_binary_file(entry.path()))
        lines.push_back(fmt::format("{} {}\n", entry.path().lexically_relative(folder).string(),
                                    artifact_digest(*bytes)));
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines)
    all += line;
  return artifact_digest(all);
}

}  // namespace

Result<Build> open_build(const fs::path& folder, const std::string& adapter,
                         const std::vector<fs::path>& kernels) {
  Build build;
  build.given = folder.string();
  std::error_code error;
  build.folder = fs::canonical(folder, error);
  if (error) return failure(Error{ErrorKind::bad_input, error.message(), folder.string(), 0, {}});
  TUNECHECK_TRY(const Data data, find_data(build.folder, adapter));
  TUNECHECK_TRY(build.adapter, adapter_of(adapter, build.folder, data.adapters));
  TUNECHECK_CHECK(take_own_program(build));
  std::vector<fs::path> folders = {data.kernels};
  folders.insert(folders.end(), kernels.begin(), kernels.end());
  TUNECHECK_TRY(build.kernels, read_kernels(folders));
  std::erase_if(build.kernels,
                [&](const auto& kernel) { return !build.adapter.has_kernel(kernel.first); });
  return build;
}

std::map<std::string, std::string> describe(const Build& build) {
  std::map<std::string, std::string> facts;
  const auto program = read_binary_file(locate_program(build.adapter));
  facts["program"] = program ? artifact_digest(*program) : "unknown";
  for (const auto& [name, kernel] : build.kernels)
    facts["kernel " + name] = digest_of_folder(kernel.folder);
  return facts;
}

}  // namespace tunecheck::gate
