#include "cli/kernel_template.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/files.hpp"
#include "core/kernel.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array files = {
    TemplateFile{"kernel.info", "arguments, sizes, space, restored tensors, tolerance"},
    TemplateFile{"cpu.cpp", "the kernel; compiled once per config"},
    TemplateFile{"naive.cpp", "the plain loop that the best config must not be slower than"},
    TemplateFile{"gpu.cu", "the kernel for CUDA and HIP; compiled once per config"},
    TemplateFile{"reference.cpp", "the same in double; results are compared with it"},
    TemplateFile{"scenario.info", "what a tuner must do with the kernel"},
};

constexpr std::array files_for_triton = {
    TemplateFile{"kernel.info", "arguments, sizes, space, tolerance"},
    TemplateFile{"triton.py", "the kernel, and how Triton tunes and launches it"},
    TemplateFile{"reference.cpp", "the same in double; results are compared with it"},
    TemplateFile{"scenario.info", "what Triton must do with the kernel"},
};

constexpr std::array files_for_flydsl = {
    TemplateFile{"kernel.info", "arguments, sizes, space, tolerance"},
    TemplateFile{"flydsl.py", "the function that FlyDSL tunes, and how"},
    TemplateFile{"kernel.cpp", "what it launches on a CPU; compiled once per config"},
    TemplateFile{"reference.cpp", "the same in double; results are compared with it"},
    TemplateFile{"scenario.info", "what FlyDSL must do with the kernel"},
};

// Words that is_identifier allows and a function of a kernel's source cannot be called: keywords of
// C++, and namespaces of what it includes; then keywords of Python, and names that the versions in
// Python use themselves.
constexpr std::string_view reserved =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
    "extern false float for friend goto if inline int long main mutable namespace new noexcept not "
    "not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires "
    "return short signed sizeof static static_assert static_cast std struct switch template this "
    "thread_local throw true try tunecheck typedef typeid typename union unsigned using virtual "
    "void volatile wchar_t while xor xor_eq "
    "as assert async await def del elif except finally from global in is lambda match nonlocal "
    "pass raise with yield "
    "autotune compiled tuned triton tl configs do_bench "
    // Types of the headers, which the sources name.
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t";

Error mistake(const std::string& key, std::string message) {
  return Error{ErrorKind::bad_input, std::move(message), {}, 0, key};
}

Error cannot(std::string_view action, const fs::path& path, const std::error_code& error) {
  return Error{ErrorKind::machine,
               fmt::format("cannot {}: {}", action, error.message()),
               path.string(),
               0,
               {}};
}

// The folder of the kernel in `parent` that is called `name`, "" for none. A kernel whose file has
// a mistake is passed over: it is no reason to refuse a new one.
fs::path kernel_called(const std::string& name, const fs::path& parent) {
  std::error_code error;
  for (auto at = fs::directory_iterator(parent, error); !error && at != fs::end(at);
       at.increment(error))
    if (fs::exists(at->path() / "kernel.info", error))
      if (const auto kernel = read_kernel(at->path()); kernel && kernel->name == name)
        return at->path();
  return {};
}

// Removes what it was told of unless it is told to keep it.
class Cleanup {
 public:
  Cleanup() = default;
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
  ~Cleanup() {
    std::error_code ignored;
    if (!m_written.empty()) fs::remove_all(m_written, ignored);
    // Only where they are empty: others may have put something there meanwhile.
    for (const fs::path& folder : m_made)
      fs::remove(folder, ignored);
  }
  void written(const fs::path& folder) { m_written = folder; }
  /// `folder` and those it is in, as far as they do not exist yet.
  void will_make(fs::path folder) {
    std::error_code error;
    for (; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path())
      m_made.push_back(folder);
  }
  void keep() {
    m_written.clear();
    m_made.clear();
  }

 private:
  fs::path m_written;
  std::vector<fs::path> m_made;  // the innermost first
};

}  // namespace

std::span<const TemplateFile> template_files(const NewKernel& kernel) {
  if (kernel.tuner == "triton") return files_for_triton;
  if (kernel.tuner == "flydsl") return files_for_flydsl;
  return files;
}

std::string with_kernel_name(std::string_view text, std::string_view name) {
  constexpr std::string_view placeholder = "my_kernel";
  const auto is_letter_or_digit = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  std::string named;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = text.find(placeholder, at)) != text.npos;
       at += placeholder.size()) {
    const bool continues_a_word = at > 0 && (is_letter_or_digit(at - 1) || text[at - 1] == '_');
    if (continues_a_word || is_letter_or_digit(at + placeholder.size())) continue;
    named.append(text, done, at - done).append(name);
    done = at + placeholder.size();
  }
  return named.append(text, done);
}

Result<void> check_new_kernel(const NewKernel& kernel) {
  if (!is_identifier(kernel.name))
    return failure(mistake("NAME", fmt::format("expected lower-case letters, digits and '_', not "
                                               "beginning with a digit; found \"{}\"",
                                               kernel.name)));
  const std::vector<std::string> words = split_words(reserved);
  if (std::find(words.begin(), words.end(), kernel.name) != words.end())
    return failure(mistake(
        "NAME",
        fmt::format("\"{}\" is a word of C++, Python or tunecheck with a meaning of its own; "
                    "expected a name that a function can have",
                    kernel.name)));
  std::error_code error;
  if (fs::exists(kernel.parent, error) && !fs::is_directory(kernel.parent, error))
    return failure(
        mistake("--in", fmt::format("expected a folder, found \"{}\"", kernel.parent.string())));
  if (fs::exists(fs::symlink_status(kernel.folder(), error)))
    return failure(mistake(
        "NAME", fmt::format("{} already exists; nothing was changed; expected another name, or "
                            "another folder (--in)",
                            kernel.folder().string())));
  const Resources own = find_resources();
  for (const fs::path& parent : {own.kernels, own.scenarios / "kernels", kernel.parent})
    if (const fs::path other = kernel_called(kernel.name, parent); !other.empty())
      return failure(
          mistake("NAME", fmt::format("\"{}\" is the kernel in {}; expected another name",
                                      kernel.name, other.string())));
  return {};
}

Result<void> write_new_kernel(const NewKernel& kernel) {
  const fs::path source =
      find_resources().templates / (kernel.tuner.empty() ? "kernel" : "kernel_for") / kernel.kind;
  Cleanup cleanup;
  cleanup.will_make(kernel.parent);
  TUNECHECK_CHECK(create_folders(kernel.parent));
  // Beside the place it is for: only within one file system a folder appears all at once.
  const fs::path temporary =
      kernel.parent / fmt::format(".{}.{}", kernel.name, static_cast<long>(::getpid()));
  std::error_code error;
  if (!fs::create_directory(temporary, error))
    return failure(cannot("create the folder", temporary,
                          error ? error : std::make_error_code(std::errc::file_exists)));
  cleanup.written(temporary);
  for (const TemplateFile& file : template_files(kernel)) {
    auto text = read_text_file(source / file.name);
    if (!text) {
      text.error().kind = ErrorKind::machine;  // tunecheck's own file, not one that a user named
      return failure(std::move(text).error());
    }
    TUNECHECK_CHECK(write_file(temporary / file.name, with_kernel_name(*text, kernel.name)));
  }
  // Not over a folder that appeared meanwhile, unless it is empty.
  fs::rename(temporary, kernel.folder(), error);
  if (error) return failure(cannot("create the folder", kernel.folder(), error));
  cleanup.keep();
  return {};
}

}  // namespace tunecheck::cli
