#include "harness/process/kernel_touch.hpp"

#include <algorithm>
#include <string_view>

#include "backend/source_text.hpp"
#include "core/files.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

Result<void> append(const fs::path& file, const std::string& text) {
  TUNECHECK_TRY(const std::string content, read_text_file(file));
  return write_file(file, content + text);
}

// Every line that begins with a blank begins with more of them, and every line that ends with a
// semicolon ends as on another system: the same tokens, with other blanks around them.
std::string with_other_blanks(std::string_view content) {
  std::string changed;
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t end = std::min(content.find('\n', at), content.size());
    const std::string_view line = content.substr(at, end - at);
    if (line.starts_with(' ')) changed += "\t \v\f";
    changed += line;
    if (line.ends_with(';')) changed += " \r";
    if (end < content.size()) changed += '\n';
    at = end + 1;
  }
  return changed;
}

// The last line does not end any more.
Result<void> change_blanks(const fs::path& file) {
  TUNECHECK_TRY(const std::string content, read_text_file(file));
  std::string changed = with_other_blanks(content);
  if (changed.ends_with('\n')) changed.pop_back();
  return write_file(file, changed);
}

Result<void> change_word(const fs::path& file, const std::string& word, int number) {
  TUNECHECK_TRY(std::string content, read_text_file(file));
  const std::size_t at = content.find(word);
  if (word.empty() || at == content.npos || content.find(word, at + 1) != content.npos)
    return failure("expected \"{}\" once in {}", word, file.string());
  content.insert(at + word.size(), fmt::format("_{}", number));
  return write_file(file, content);
}

// The first header of the kernel's own: included with quotes and found in its folder.
Result<fs::path> own_header(const fs::path& source) {
  TUNECHECK_TRY(const std::string text, read_text_file(source));
  for (const Include& include : includes_of(text)) {
    const fs::path header = source.parent_path() / include.name;
    if (include.quoted && fs::exists(header)) return header;
  }
  return failure("{} includes no header of its own that could be touched", source.string());
}

// An output that is put back before each rep: another declaration of the same code.
Result<void> declare_otherwise(const fs::path& kernel_info, const KernelDefinition& kernel) {
  for (const TensorParameter& tensor : kernel.tensors) {
    if (tensor.access != Access::write || !kernel.restore_value.empty()) continue;
    TUNECHECK_TRY(std::string text, read_text_file(kernel_info));
    text.insert(text.rfind('}'), fmt::format("  restore_value \"{}\"\n", tensor.name));
    return write_file(kernel_info, text);
  }
  return failure("{} has no output that could be declared in restore_value as well",
                 kernel_info.string());
}

}  // namespace

Result<void> touch_kernel(const Touch& touch, const fs::path& source, const fs::path& folder,
                          const KernelDefinition& kernel, int number) {
  // A declaration that no launch can notice, but that is other code.
  // It is the file's last word, without the end of a line.
  const std::string code = fmt::format("\nstruct tunecheck_touched_{};", number);
  const std::string comment = fmt::format("\n// touched {}\n", number);
  switch (touch.target) {
    case Touch::Target::source:
      return append(source, code);
    case Touch::Target::header: {
      TUNECHECK_TRY(const fs::path header, own_header(source));
      return append(header, code);
    }
    case Touch::Target::inner_header: {
      TUNECHECK_TRY(const fs::path header, own_header(source));
      TUNECHECK_TRY(const fs::path inner, own_header(header));
      return append(inner, code);
    }
    case Touch::Target::comment: {
      TUNECHECK_CHECK(append(source, comment));
      if (const auto header = own_header(source)) return append(*header, comment);
      return {};
    }
    case Touch::Target::blanks: {
      TUNECHECK_TRY(const std::string content, read_text_file(source));
      if (with_other_blanks(content) == content)
        return failure("{} has no line that begins with a blank", source.string());
      TUNECHECK_CHECK(change_blanks(source));
      if (const auto header = own_header(source)) return change_blanks(*header);
      return {};
    }
    case Touch::Target::word:
      return change_word(touch.file.empty() ? source : folder / touch.file, touch.word, number);
    case Touch::Target::signature:
      return declare_otherwise(folder / "kernel.info", kernel);
    case Touch::Target::folder:
      break;  // no file changes: the workspace gives the folder another name
  }
  return {};
}

}  // namespace tunecheck
