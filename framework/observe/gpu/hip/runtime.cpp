#include "observe/gpu/hip/runtime.hpp"

#include <atomic>
#include <dlfcn.h>
#include <exception>
#include <mutex>
#include <string>

#include "observe/gpu/blindness.hpp"

namespace tunecheck::gpu::hip {
namespace {

struct Opened {
  std::string library;
  Settings settings;
};

std::atomic<const Opened*> opened = nullptr;
std::atomic<Runtime*> made = nullptr;
std::once_flag is_tried;
thread_local bool looks_up = false;

void make(const Opened& from) {
  looks_up = true;
  // It is there, in the name space of the program; this library is in one of its own.
  void* const library =
      ::dlmopen(LM_ID_BASE, from.library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  const Result<Functions> functions = library != nullptr
                                          ? find_functions(library)
                                          : failure("{} cannot be opened once more", from.library);
  looks_up = false;
  if (functions)
    made = new Runtime(*functions, from.settings);
  else
    record_blindness(from.settings, functions.error().text());
}

}  // namespace

void runtime_opened(const char* library, const Settings& settings) noexcept {
  try {
    const Opened* none = nullptr;
    auto* const first = new Opened{library, settings};
    if (!opened.compare_exchange_strong(none, first)) delete first;
  } catch (const std::exception&) {
  }
}

Runtime* runtime() noexcept {
  const Opened* const from = opened;
  if (from == nullptr || Recorder::is_busy()) return nullptr;
  try {
    std::call_once(is_tried, [&] { make(*from); });
  } catch (const std::exception&) {
  }
  return made;
}

bool is_looking_up() noexcept {
  return looks_up;
}

void flush() noexcept {
  if (Runtime* const flushed = made) flushed->recorder.flush();
}

}  // namespace tunecheck::gpu::hip
