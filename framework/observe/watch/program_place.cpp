#include "observe/watch/program_place.hpp"

#include <array>
#include <cstdint>
#include <dlfcn.h>
#include <execinfo.h>
#include <string_view>

#include <fmt/format.h>

namespace tunecheck::watch {
namespace {

constexpr std::size_t most_frames = 64;

struct PyObject;

// Those of Python 3.9 and later; all null without it.
struct Python {
  int (*is_initialized)() = nullptr;
  int (*ensure)() = nullptr;
  void (*release)(int) = nullptr;
  PyObject* (*frame)() = nullptr;
  PyObject* (*back)(PyObject*) = nullptr;
  PyObject* (*code)(PyObject*) = nullptr;
  int (*line)(PyObject*) = nullptr;
  int (*instruction)(PyObject*) = nullptr;  // of Python 3.11 and later
  PyObject* (*attribute)(PyObject*, const char*) = nullptr;
  const char* (*text)(PyObject*) = nullptr;
  void (*forget)(PyObject*) = nullptr;
  void (*keep)(PyObject*) = nullptr;
  void (*clear_error)() = nullptr;
  bool is_there = true;
};

template <class Function>
void find(Python& python, Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
  if (function == nullptr) python.is_there = false;
}

Python find_python() {
  Python python;
  find(python, python.is_initialized, "Py_IsInitialized");
  if (!python.is_there) return python;
  find(python, python.ensure, "PyGILState_Ensure");
  find(python, python.release, "PyGILState_Release");
  find(python, python.frame, "PyEval_GetFrame");
  find(python, python.back, "PyFrame_GetBack");
  find(python, python.code, "PyFrame_GetCode");
  find(python, python.line, "PyFrame_GetLineNumber");
  find(python, python.attribute, "PyObject_GetAttrString");
  find(python, python.text, "PyUnicode_AsUTF8");
  find(python, python.forget, "Py_DecRef");
  find(python, python.keep, "Py_IncRef");
  find(python, python.clear_error, "PyErr_Clear");
  python.instruction =
      reinterpret_cast<int (*)(PyObject*)>(::dlsym(RTLD_DEFAULT, "PyFrame_GetLasti"));
  return python;
}

// libpython may be loaded late.
const Python& python() {
  static Python found = find_python();
  if (!found.is_there) found = find_python();
  return found;
}

std::string text_attribute(const Python& py, PyObject* object, const char* name) {
  PyObject* const value = py.attribute(object, name);
  if (value == nullptr) return py.clear_error(), "";
  const char* const text = py.text(value);
  std::string copy = text != nullptr ? text : "";
  if (text == nullptr) py.clear_error();
  py.forget(value);
  return copy;
}

bool is_of_the_program(std::string_view file) {
  return !file.empty() && file.front() != '<' &&
         file.find("site-packages") == std::string_view::npos &&
         file.find("dist-packages") == std::string_view::npos &&
         file.find("/lib/python3") == std::string_view::npos &&
         file.find("/torchinductor_") == std::string_view::npos;
}

std::string place_of(const Python& py, PyObject* frame) {
  PyObject* const code = py.code(frame);
  const std::string file = text_attribute(py, code, "co_filename");
  std::string place;
  if (is_of_the_program(file))
    place = fmt::format("{}:{} ({})", file, py.line(frame), text_attribute(py, code, "co_name"));
  py.forget(code);
  return place;
}

// Calls `see(py, frame)` with each frame of the thread, innermost first, until it answers false.
template <class See>
void walk_python(const See& see) {
  const Python& py = python();
  if (!py.is_there || py.is_initialized() == 0) return;
  const int state = py.ensure();
  PyObject* frame = py.frame();
  if (frame != nullptr) py.keep(frame);
  while (frame != nullptr) {
    PyObject* const caller = see(py, frame) ? py.back(frame) : nullptr;
    py.forget(frame);
    frame = caller;
  }
  py.release(state);
}

void add_to_path(std::uint64_t& path, std::uint64_t step) {
  path = (path ^ step) * 0x9e3779b97f4a7c15 + (path >> 29);
}

void add_to_path(std::uint64_t& path, const void* address) {
  add_to_path(path, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)));
}

const void* module_of(const void* address) {
  Dl_info info{};
  return ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

const void* own_module() {
  static const void* const base = module_of(reinterpret_cast<const void*>(&native_place));
  return base;
}

// 0 where the thread runs no Python.
std::uint64_t python_path() {
  std::uint64_t path = 0;
  std::size_t depth = 0;
  walk_python([&](const Python& py, PyObject* frame) {
    PyObject* const code = py.code(frame);
    add_to_path(path, code);
    py.forget(code);
    const int at = py.instruction != nullptr ? py.instruction(frame) : py.line(frame);
    add_to_path(path, static_cast<std::uint64_t>(at));
    return ++depth < most_frames;
  });
  return path;
}

}  // namespace

std::uint64_t call_path(const void* module) {
  if (const std::uint64_t path = python_path(); path != 0) return path;
  std::array<void*, most_frames> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  std::uint64_t path = 0;
  for (int i = 0; i < count; ++i) {
    const void* const address = frames[static_cast<std::size_t>(i)];
    const void* const base = module_of(address);
    if (base != own_module() && (base == nullptr || base != module)) add_to_path(path, address);
  }
  return path;
}

Caller program_caller(const void* module, bool wants_place) {
  Caller caller;
  caller.path = call_path(module);
  if (wants_place) caller.place = python_place();
  if (wants_place && caller.place.empty()) caller.place = native_place();
  return caller;
}

std::string python_place() {
  std::string place;
  walk_python([&](const Python& py, PyObject* frame) {
    place = place_of(py, frame);
    return place.empty();
  });
  return place;
}

std::string native_place() {
  const void* const own_base = own_module();
  std::array<void*, most_frames> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i) {
    Dl_info info{};
    const void* const address = frames[static_cast<std::size_t>(i)];
    if (::dladdr(address, &info) == 0 || info.dli_fbase == own_base || info.dli_fname == nullptr)
      continue;
    const std::string_view file = info.dli_fname;
    if (file.find(".so") != std::string_view::npos) continue;
    // The call itself, and not where it returns to.
    return fmt::format("{}+{:#x}", file,
                       reinterpret_cast<std::uintptr_t>(address) -
                           reinterpret_cast<std::uintptr_t>(info.dli_fbase) - 1);
  }
  return "";
}

// Innermost first: a function that is compiled may load others meanwhile.
NumbaWork numba_work() {
  NumbaWork work;
  walk_python([&](const Python& py, PyObject* frame) {
    PyObject* const code = py.code(frame);
    const std::string file = text_attribute(py, code, "co_filename");
    const std::string name = text_attribute(py, code, "co_name");
    py.forget(code);
    work.is_there = work.is_there || file.find("/numba/core/") != file.npos ||
                    file.ends_with("/numba/__init__.py");
    const bool is_load = file.ends_with("/numba/core/caching.py") && name == "load_overload";
    const bool is_compile = file.ends_with("/numba/core/compiler.py") && name == "compile_extra";
    if (is_load && !work.compiles) work.loads = true;
    if (is_compile && !work.loads) {
      work.compiles = true;
      work.call = frame;
    }
    if (is_load || is_compile)
      work.place.clear();
    else if (work.place.empty())
      work.place = place_of(py, frame);
    return true;
  });
  return work;
}

}  // namespace tunecheck::watch
