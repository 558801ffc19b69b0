#pragma once
// Which file the dynamic loader would load, without loading it.
#include <filesystem>
#include <optional>
#include <string_view>

namespace tunecheck {

/// What dlopen() of a path or a bare name would do, called from this library now.
struct LoaderAnswer {
  enum class Kind {
    nothing,  ///< fails: no such file, or none for this machine
    file,     ///< loads `file`
    unknown,  ///< anything else: it is loaded already, or there is more than one it could be
  };
  Kind kind = Kind::unknown;
  std::filesystem::path file;
};

/// Whether there is a file is the loader's own answer; where a bare name leads is worked out from
/// the folders that it names and from its cache. A doubt is `unknown`. Libraries that `file` needs
/// are not looked at.
[[nodiscard]] LoaderAnswer ask_loader(const std::filesystem::path& name);

/// Where the content of /etc/ld.so.cache sends this name. `path` is empty without an entry for
/// this machine. nullopt for what cannot be read or depends on the processor.
struct CachedLibrary {
  std::filesystem::path path;
};
[[nodiscard]] std::optional<CachedLibrary> find_in_loader_cache(std::string_view cache,
                                                                std::string_view name);

}  // namespace tunecheck
