#include "core/libraries/elf_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_segments = 256;
constexpr std::uint64_t most_table_bytes = 1 << 20;

class Descriptor {
 public:
  // Without O_NONBLOCK, opening a FIFO would wait for its writer.
  explicit Descriptor(const fs::path& path)
      : m_number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat state {};
    if (m_number >= 0 && ::fstat(m_number, &state) == 0 && S_ISREG(state.st_mode))
      m_size = static_cast<std::uint64_t>(state.st_size);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (m_number >= 0) ::close(m_number);
  }

  [[nodiscard]] bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= m_size && size <= m_size - offset;
  }
  [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::uint64_t size) const {
    if (!holds(offset, size) || size > most_table_bytes) return std::nullopt;
    std::string bytes(size, '\0');
    const auto got = ::pread(m_number, bytes.data(), size, static_cast<off_t>(offset));
    if (got < 0 || static_cast<std::uint64_t>(got) != size) return std::nullopt;
    return bytes;
  }

 private:
  int m_number;
  std::uint64_t m_size = 0;
};

template <class Entry>
std::vector<Entry> entries_of(std::string_view bytes) {
  std::vector<Entry> entries(bytes.size() / sizeof(Entry));
  if (!entries.empty()) std::memcpy(entries.data(), bytes.data(), entries.size() * sizeof(Entry));
  return entries;
}

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Dynamic = ElfW(Dyn);

bool is_library_for_this_program(const Header& header) {
  constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  constexpr unsigned char own_order =
      std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == own_class && header.e_ident[EI_DATA] == own_order &&
         header.e_type == ET_DYN && header.e_phentsize == sizeof(Segment) &&
         header.e_phnum <= most_segments;
}

// nullopt for what is no shared library, or ends before its headers do.
std::optional<std::vector<Segment>> segments_of(const Descriptor& file) {
  const auto beginning = file.read(0, sizeof(Header));
  if (!beginning) return std::nullopt;
  const Header header = entries_of<Header>(*beginning).front();
  if (!is_library_for_this_program(header)) return std::nullopt;
  const auto table = file.read(header.e_phoff, header.e_phnum * sizeof(Segment));
  if (!table) return std::nullopt;
  return entries_of<Segment>(*table);
}

bool holds_all(const Descriptor& file, const std::vector<Segment>& segments) {
  return std::all_of(segments.begin(), segments.end(), [&](const Segment& segment) {
    return segment.p_type != PT_LOAD || file.holds(segment.p_offset, segment.p_filesz);
  });
}

// Where an address of the loaded library is in its file.
std::optional<std::uint64_t> offset_of(const std::vector<Segment>& segments,
                                       std::uint64_t address) {
  for (const Segment& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

// False if what the dynamic segment points to is not in the file.
bool read_dynamic(const Descriptor& file, const std::vector<Segment>& segments,
                  const std::vector<Dynamic>& entries, ElfFile& read) {
  const auto value_of = [&](auto tag) -> std::uint64_t {
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const Dynamic& each) { return each.d_tag == tag; });
    return entry != entries.end() ? entry->d_un.d_val : 0;
  };
  const auto names_at = offset_of(segments, value_of(DT_STRTAB));
  const auto symbols_at = offset_of(segments, value_of(DT_SYMTAB));
  // No entry says how many symbols there are. Linkers put their names behind them.
  if (!names_at || !symbols_at || *symbols_at > *names_at) return false;
  const auto names = file.read(*names_at, value_of(DT_STRSZ));
  const auto symbols = file.read(*symbols_at, *names_at - *symbols_at);
  if (!names || !symbols || names->empty() || names->back() != '\0') return false;
  const auto name_at = [&](std::uint64_t at) {
    return at < names->size() ? std::string(names->c_str() + at) : std::string();
  };
  for (const Dynamic& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_SONAME) read.soname = name_at(entry.d_un.d_val);
    if (entry.d_tag == DT_NEEDED) read.needed.push_back(name_at(entry.d_un.d_val));
  }
  for (const auto& symbol : entries_of<ElfW(Sym)>(*symbols))
    if (symbol.st_shndx != SHN_UNDEF) read.symbols.push_back(name_at(symbol.st_name));
  return true;
}

}  // namespace

BuildIdNote build_id_in(std::string_view notes) {
  const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
  std::size_t at = 0;
  while (notes.size() - at >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data() + at, sizeof note);
    const std::uint64_t name = sizeof note;
    const std::uint64_t content = name + padded(note.n_namesz);
    const std::uint64_t end = content + padded(note.n_descsz);
    if (end > notes.size() - at) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        notes.substr(at + name, 4) == std::string_view("GNU", 4)) {
      BuildIdNote found{{}, at + content};
      for (const char each : notes.substr(found.offset, note.n_descsz))
        found.id += fmt::format("{:02x}", static_cast<unsigned char>(each));
      return found;
    }
    at += end;
  }
  return {};
}

Result<ElfFile> ElfFile::read(const fs::path& path) {
  const auto broken = [&] { return failure("{} is no complete shared library", path.string()); };
  const Descriptor file(path);
  const auto found = segments_of(file);
  if (!found || !holds_all(file, *found)) return broken();
  const std::vector<Segment>& segments = *found;
  ElfFile read;
  std::vector<Dynamic> entries;
  for (const Segment& segment : segments) {
    if (segment.p_type != PT_NOTE && segment.p_type != PT_DYNAMIC) continue;
    const auto bytes = file.read(segment.p_offset, segment.p_filesz);
    if (!bytes) return broken();
    if (segment.p_type == PT_DYNAMIC) entries = entries_of<Dynamic>(*bytes);
    if (segment.p_type != PT_NOTE || !read.build_id.empty()) continue;
    const BuildIdNote note = build_id_in(*bytes);
    read.build_id = note.id;
    read.build_id_offset = segment.p_offset + note.offset;
  }
  if (!read_dynamic(file, segments, entries, read)) return broken();
  return read;
}

bool is_cut_off(const fs::path& path) {
  const Descriptor file(path);
  const auto segments = segments_of(file);
  return segments && !holds_all(file, *segments);
}

}  // namespace tunecheck
