#include "backend/kernel_sources.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <set>

#include "backend/source_text.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// What the kernel's options add to the search for headers; paths are absolute.
struct SearchOptions {
  std::vector<fs::path> quoted, all, forced;
};

SearchOptions read_options(const fs::path& kernel, const std::vector<std::string>& options) {
  SearchOptions found;
  const std::array<std::pair<std::string_view, std::vector<fs::path>*>, 4> kinds = {
      {{"-I", &found.all},
       {"-iquote", &found.quoted},
       {"-isystem", &found.all},
       {"-include", &found.forced}}};
  for (std::size_t i = 0; i < options.size(); ++i)
    for (const auto& [option, paths] : kinds) {
      if (!options[i].starts_with(option)) continue;
      if (options[i].size() > option.size())
        paths->push_back(kernel / options[i].substr(option.size()));
      else if (i + 1 < options.size())
        paths->push_back(kernel / options[++i]);
      break;
    }
  return found;
}

// Follows the includes of one source from file to file. collect() is called once: it adds the
// headers that options force first, as a compiler does, and then those that the source names. A
// header is added before the headers that it includes, and once, however many paths lead to it. If
// a file cannot be read, the error is all that is returned: a key of half of the sources would be
// wrong.
class Collector {
 public:
  explicit Collector(const SourceSearch& search)
      : m_folder(fs::absolute(search.folder).lexically_normal()),
        m_own(fs::absolute(search.own_headers).lexically_normal()),
        m_options(read_options(search.folder, search.options)) {}

  Result<KernelSources> collect(const fs::path& source) {
    std::error_code error;
    if (!fs::is_directory(m_own, error))
      return failure(Error{ErrorKind::machine,
                           "expected the folder of the headers that kernels include",
                           m_own.string(),
                           0,
                           {}});
    const fs::path path = fs::absolute(source).lexically_normal();
    KernelSources sources;
    for (const fs::path& forced : m_options.forced)
      TUNECHECK_CHECK(add_header(fs::absolute(forced).lexically_normal(), sources));
    m_seen.insert(identity(path));
    TUNECHECK_TRY(sources.source.text, read_text_file(path));
    sources.source.name = name_of(path);
    TUNECHECK_CHECK(follow(path, std::string(sources.source.text), sources));
    return sources;
  }

 private:
  // One header may be reached by several paths.
  static fs::path identity(const fs::path& path) {
    std::error_code error;
    fs::path real = fs::canonical(path, error);
    return error ? path : real;
  }

  [[nodiscard]] std::string name_of(const fs::path& path) const {
    const fs::path own = path.lexically_relative(m_own);
    return (!own.empty() && *own.begin() != ".." ? own : path.lexically_relative(m_folder))
        .generic_string();
  }

  // Nothing where it is none of these headers. A compiler would wait for a pipe, for ever.
  [[nodiscard]] Result<std::optional<fs::path>> find(const Include& include,
                                                     const fs::path& includer) const {
    std::vector<fs::path> folders;
    if (include.quoted) {
      folders.push_back(includer.parent_path());
      folders.insert(folders.end(), m_options.quoted.begin(), m_options.quoted.end());
    }
    folders.push_back(m_own);
    folders.insert(folders.end(), m_options.all.begin(), m_options.all.end());
    for (const fs::path& folder : folders) {
      std::error_code error;
      const fs::path path = fs::absolute(folder / include.name).lexically_normal();
      if (fs::is_regular_file(path, error)) return std::optional(path);
      if (fs::is_fifo(path, error))
        return failure(Error{
            ErrorKind::bad_input, "expected a header, and it is a pipe", path.string(), 0, {}});
    }
    return std::optional<fs::path>();
  }

  Result<void> add_header(const fs::path& path, KernelSources& sources) {
    if (!m_seen.insert(identity(path)).second) return {};
    TUNECHECK_TRY(std::string text, read_text_file(path));
    sources.headers.push_back({name_of(path), text});
    return follow(path, text, sources);
  }

  Result<void> follow(const fs::path& path, const std::string& text, KernelSources& sources) {
    for (const Include& include : includes_of(text)) {
      TUNECHECK_TRY(const auto header, find(include, path));
      if (header) TUNECHECK_CHECK(add_header(*header, sources));
    }
    return {};
  }

  const fs::path m_folder, m_own;
  const SearchOptions m_options;
  std::set<fs::path> m_seen;
};

}  // namespace

Result<KernelSources> collect_sources(const SourceSearch& search) {
  return Collector(search).collect(search.source);
}

Result<void> check_sources(const KernelDefinition& kernel) {
  const Resources own = find_resources();
  std::vector<SourceSearch> searches = {{kernel.folder, kernel.reference, own.include}};
  if (kernel.cpu)
    searches.push_back({kernel.folder, kernel.cpu->source, own.include, kernel.cpu->options});
  if (kernel.gpu) searches.push_back({kernel.folder, kernel.gpu->source, own.gpu_include});
  for (const SourceSearch& search : searches)
    TUNECHECK_CHECK(collect_sources(search));
  return {};
}

}  // namespace tunecheck
