// Prints what is said of NVRTC without opening it, whether anything was loaded for that, and what
// the opened one says. With an argument, that library is loaded before and its file then removed.
#include <cstdio>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "backend/gpu/runtime_compiler.hpp"

namespace {

using namespace tunecheck;

// How many libraries this process has ever loaded.
unsigned long long loaded_so_far() {
  unsigned long long count = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* data) {
        *static_cast<unsigned long long*>(data) = library->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && (::dlopen(arguments[1], RTLD_LAZY) == nullptr || ::unlink(arguments[1]) != 0))
    return 1;
  const auto before = loaded_so_far();
  const auto said = runtime_compiler_fingerprint(DeviceKind::cuda);
  const bool was_read = loaded_so_far() == before;
  const auto library = open_runtime_compiler(DeviceKind::cuda);
  std::printf("%s\n%s\n%s\n", said ? said->c_str() : said.error().text().c_str(),
              was_read ? "read" : "loaded",
              library ? (*library)->fingerprint().c_str() : library.error().text().c_str());
  return 0;
}
