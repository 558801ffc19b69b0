#include "observe/gpu/hip/runtime.hpp"

#include <atomic>
#include <exception>
#include <mutex>

#include "observe/gpu/blindness.hpp"

namespace tunecheck::gpu::hip {
namespace {

struct Opened {
  void* library;
  Settings settings;
};

std::atomic<const Opened*> opened = nullptr;
std::atomic<Runtime*> made = nullptr;
std::once_flag is_tried;
thread_local bool looks_up = false;

void make(const Opened& from) {
  looks_up = true;
  const auto functions = find_functions(from.library);
  looks_up = false;
  if (functions)
    made = new Runtime(*functions, from.settings);
  else
    record_blindness(from.settings, functions.error().text());
}

}  // namespace

void runtime_opened(void* library, const Settings& settings) noexcept {
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
