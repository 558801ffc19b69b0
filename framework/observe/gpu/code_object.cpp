// What a code object of AMD's says of its kernels: a note in MessagePack
// (llvm.org/docs/AMDGPUUsage.html, "Code Object V3 Metadata").
#include <algorithm>
#include <string_view>

#include "observe/gpu/elf_image.hpp"
#include "observe/gpu/image.hpp"

namespace tunecheck::gpu {
namespace {

constexpr std::uint32_t metadata_note = 32;  // NT_AMDGPU_METADATA

struct MessageValue {
  enum class Kind { number, text, list, map, other };
  Kind kind = Kind::other;
  std::uint64_t number = 0;  // of a list or a map: its entries
  std::string_view text;
};

// Reads MessagePack (github.com/msgpack/msgpack/blob/master/spec.md) value by value. After damage
// every value is `other`, and is_damaged() says so. Nothing here calls itself, whatever the depth.
class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : m_bytes(bytes) {}

  [[nodiscard]] bool is_damaged() const { return m_damaged; }

  // The next value; the entries of a list or a map come after it.
  MessageValue next() {
    using Kind = MessageValue::Kind;
    const auto tag = static_cast<unsigned>(number(1));
    if (m_damaged) return {};
    if (tag <= 0x7f) return {Kind::number, tag, {}};
    if (tag <= 0x8f) return {Kind::map, tag & 0x0f, {}};
    if (tag <= 0x9f) return {Kind::list, tag & 0x0f, {}};
    if (tag <= 0xbf) return {Kind::text, 0, piece(tag & 0x1f)};
    if (tag >= 0xe0 || tag <= 0xc3) return {};  // a small negative number, nil, a truth value
    // Those whose size or length in bytes is 1, 2, 4 ... by their order.
    const auto sized = [&](unsigned first) { return number(std::size_t{1} << (tag - first)); };
    if (tag <= 0xc6) return skipped(sized(0xc4));      // bytes
    if (tag <= 0xc9) return skipped(sized(0xc7) + 1);  // an extension with its type
    if (tag <= 0xcb) return skipped(tag == 0xca ? 4 : 8);
    if (tag <= 0xcf) return {Kind::number, sized(0xcc), {}};
    if (tag <= 0xd3) return skipped(std::size_t{1} << (tag - 0xd0));
    if (tag <= 0xd8) return skipped((std::size_t{1} << (tag - 0xd4)) + 1);
    if (tag <= 0xdb) return {Kind::text, 0, piece(sized(0xd9))};
    if (tag <= 0xdd) return {Kind::list, number(tag == 0xdc ? 2 : 4), {}};
    return {Kind::map, number(tag == 0xde ? 2 : 4), {}};
  }

  // Passes over the next value with all that is in it.
  void skip() {
    for (std::uint64_t left = 1; left > 0 && !m_damaged; --left) {
      const MessageValue value = next();
      if (value.kind == MessageValue::Kind::list) left += value.number;
      if (value.kind == MessageValue::Kind::map) left += 2 * value.number;
    }
  }

  // Calls `read(key)` for each entry of the map that comes next; it must take or skip the value.
  template <class Read>
  void each_in_map(Read&& read) {
    each(MessageValue::Kind::map, [&] { read(next().text); });
  }
  // Calls `read()` for each entry of the list that comes next.
  template <class Read>
  void each_in_list(Read&& read) {
    each(MessageValue::Kind::list, read);
  }

 private:
  template <class Read>
  void each(MessageValue::Kind kind, Read&& read) {
    const MessageValue value = next();
    if (value.kind != kind) m_damaged = true;
    for (std::uint64_t i = 0; i < value.number && !m_damaged; ++i)
      read();
  }

  std::string_view piece(std::uint64_t size) {
    if (m_damaged || size > m_bytes.size()) {
      m_damaged = true;
      return {};
    }
    const std::string_view taken = m_bytes.substr(0, size);
    m_bytes.remove_prefix(size);
    return taken;
  }

  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (const char byte : piece(size))
      value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }

  MessageValue skipped(std::uint64_t size) {
    (void)piece(size);
    return {};
  }

  std::string_view m_bytes;
  bool m_damaged = false;
};

std::vector<Parameter> read_parameters(MessageReader& reader) {
  std::vector<Parameter> parameters;
  reader.each_in_list([&] {
    Parameter parameter;
    bool hidden = false;
    reader.each_in_map([&](std::string_view key) {
      if (key == ".offset")
        parameter.offset = reader.next().number;
      else if (key == ".size")
        parameter.size = reader.next().number;
      else if (key == ".value_kind")
        hidden = reader.next().text.starts_with("hidden_");
      else
        reader.skip();
    });
    if (!hidden) parameters.push_back(parameter);
  });
  return parameters;
}

KernelParameters read_metadata(std::string_view bytes) {
  KernelParameters kernels;
  MessageReader reader(bytes);
  reader.each_in_map([&](std::string_view key) {
    if (key != "amdhsa.kernels") return reader.skip();
    reader.each_in_list([&] {
      std::string name;
      std::vector<Parameter> parameters;
      reader.each_in_map([&](std::string_view field) {
        if (field == ".name")
          name = reader.next().text;
        else if (field == ".args")
          parameters = read_parameters(reader);
        else
          reader.skip();
      });
      kernels[name] = std::move(parameters);
    });
  });
  return reader.is_damaged() ? KernelParameters{} : kernels;
}

// The metadata among the notes of a section; "" where there is none.
std::string_view metadata_in(std::string_view notes) {
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    const auto note = value_at<Elf64_Nhdr>(notes.data());
    const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
    const std::uint64_t content = sizeof(note) + padded(note.n_namesz);
    if (content > notes.size() || note.n_descsz > notes.size() - content) return {};
    if (note.n_type == metadata_note &&
        until_zero(notes.substr(sizeof(note), note.n_namesz)) == "AMDGPU")
      return notes.substr(content, note.n_descsz);
    notes.remove_prefix(std::min<std::uint64_t>(notes.size(), content + padded(note.n_descsz)));
  }
  return {};
}

}  // namespace

KernelParameters kernel_parameters_in(const Image& image) {
  const Image elf = elf_in(image);
  if (elf.bytes.size() < sizeof(Elf64_Ehdr)) return {};
  const void* const bytes = elf.bytes.data();
  const auto header = value_at<Elf64_Ehdr>(bytes);
  if (header.e_machine != EM_AMDGPU) return {};
  for (std::uint64_t index = 0; index < header.e_shnum; ++index) {
    const Elf64_Shdr section = section_of(bytes, header, index);
    if (section.sh_type != SHT_NOTE) continue;
    const std::string_view metadata = metadata_in(text_in(elf, section, 0));
    if (!metadata.empty()) return read_metadata(metadata);
  }
  return {};
}

}  // namespace tunecheck::gpu
