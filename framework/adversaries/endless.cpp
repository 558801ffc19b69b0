// Files and answers that are larger than any memory.
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "adversaries/adversary.hpp"
#include "core/files.hpp"

namespace tunecheck::adversaries {
namespace {

namespace fs = std::filesystem;

constexpr off_t eight_tb = off_t{8} << 40;

void make_large(const std::string& file, off_t size) {
  const FileDescriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  (void)!::ftruncate(descriptor.get(), size);
}

void grow_evidence(const protocol::CallRequest&, protocol::CallAnswer&) {
  make_large(evidence_file().string(), eight_tb);
}

void grow_tensors(const protocol::CallRequest& request, protocol::CallAnswer&) {
  for (const auto& tensor : request.tensors)
    make_large(tensor.file.string(), eight_tb);
}

void replace_cache_by_link(const protocol::CallRequest&, protocol::CallAnswer&) {
  std::error_code error;
  fs::rename(cache_folder(), cache_folder() + "-elsewhere", error);
  fs::create_directory_symlink("/usr", cache_folder(), error);
}

// As LMDB keeps one: 64 GiB, of which a page is written.
void keep_sparse_index(const protocol::CallRequest&, protocol::CallAnswer&) {
  const std::string file = cache_folder() + "/index.mdb";
  make_large(file, off_t{64} << 30);
  const FileDescriptor descriptor(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  constexpr std::string_view page = "index";
  (void)!::pwrite(descriptor.get(), page.data(), page.size(), off_t{1} << 30);
}

// To the stdout that the protocol has: the adapter keeps a copy of it from before.
class Brackets {
 public:
  void operator()(const protocol::CallRequest&, protocol::CallAnswer&) const {
    const std::string brackets(20'000'000, '[');
    (void)write_all(m_stdout, std::as_bytes(std::span(brackets)));
  }

 private:
  int m_stdout = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
};

void log_much(const protocol::CallRequest&) {
  const std::string line(1 << 20, 'x');
  for (int i = 0; i < 300; ++i)
    (void)write_all(STDERR_FILENO, std::as_bytes(std::span(line)));
}

Adversary before_answer(std::string name, std::string summary,
                        void (*act)(const protocol::CallRequest&, protocol::CallAnswer&)) {
  return {std::move(name), std::move(summary),
          [act](ReferenceAdapterSetup& setup) { setup.before_answer = act; }};
}

}  // namespace

std::vector<Adversary> endless() {
  return {
      before_answer("makes_the_evidence_8_tb_long", "makes the evidence file 8 TB long",
                    grow_evidence),
      before_answer("makes_tensors_8_tb_long", "makes the caller's files 8 TB long", grow_tensors),
      before_answer("puts_a_link_in_place_of_its_folder",
                    "replaces its cache folder by a link to /usr", replace_cache_by_link),
      before_answer("keeps_a_sparse_index", "keeps a sparse file of 64 GB beside its winners",
                    keep_sparse_index),
      {"answers_with_brackets", "prints 20 million brackets before its answer",
       [](ReferenceAdapterSetup& setup) { setup.before_answer = Brackets(); }},
      {"logs_without_end", "writes 300 MB to its log in each call",
       [](ReferenceAdapterSetup& setup) { setup.before_call = log_much; }},
  };
}

}  // namespace tunecheck::adversaries
