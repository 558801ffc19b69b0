#include "observe/watch/program_place.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tunecheck::watch {
namespace {

constexpr std::size_t most_frames = 64;

struct PyObject;

// Those of Python 3.9 and later; all null without it.
struct Python {
  int (*is_initialized)() = nullptr;
  void* (*state_of_thread)() = nullptr;
  int (*ensure)() = nullptr;
  void (*release)(int) = nullptr;
  PyObject* (*frame)() = nullptr;
  PyObject* (*back)(PyObject*) = nullptr;
  PyObject* (*code)(PyObject*) = nullptr;
  int (*line)(PyObject*) = nullptr;
  PyObject* (*attribute)(PyObject*, const char*) = nullptr;
  const char* (*text)(PyObject*) = nullptr;
  long (*number)(PyObject*) = nullptr;
  PyObject* (*dictionary)(PyObject*, void*) = nullptr;  // of an instance
  PyObject* (*item)(PyObject*, const char*) = nullptr;  // of a dictionary, borrowed
  PyObject* (*function_code)(PyObject*) = nullptr;      // borrowed; an error where it is none
  void (*forget)(PyObject*) = nullptr;
  void (*keep)(PyObject*) = nullptr;
  void (*clear_error)() = nullptr;
  void (*take_error)(PyObject**, PyObject**, PyObject**) = nullptr;
  void (*put_error)(PyObject*, PyObject*, PyObject*) = nullptr;
  bool is_there = true;
  // Not in every version.
  PyObject* (*variable)(PyObject*, const char*) = nullptr;  // 3.12
  int (*instruction)(PyObject*) = nullptr;                  // 3.11
  int (*is_ending)() = nullptr;
};

template <class Function>
void find_if_there(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

template <class Function>
void find(Python& python, Function*& function, const char* name) {
  find_if_there(function, name);
  if (function == nullptr) python.is_there = false;
}

Python find_python() {
  Python python;
  find(python, python.is_initialized, "Py_IsInitialized");
  if (!python.is_there) return python;
  find(python, python.state_of_thread, "PyGILState_GetThisThreadState");
  find(python, python.ensure, "PyGILState_Ensure");
  find(python, python.release, "PyGILState_Release");
  find(python, python.frame, "PyEval_GetFrame");
  find(python, python.back, "PyFrame_GetBack");
  find(python, python.code, "PyFrame_GetCode");
  find(python, python.line, "PyFrame_GetLineNumber");
  find(python, python.attribute, "PyObject_GetAttrString");
  find(python, python.text, "PyUnicode_AsUTF8");
  find(python, python.number, "PyLong_AsLong");
  find(python, python.dictionary, "PyObject_GenericGetDict");
  find(python, python.item, "PyDict_GetItemString");
  find(python, python.function_code, "PyFunction_GetCode");
  find(python, python.forget, "Py_DecRef");
  find(python, python.keep, "Py_IncRef");
  find(python, python.clear_error, "PyErr_Clear");
  find(python, python.take_error, "PyErr_Fetch");
  find(python, python.put_error, "PyErr_Restore");
  find_if_there(python.variable, "PyFrame_GetVarString");
  find_if_there(python.instruction, "PyFrame_GetLasti");
  find_if_there(python.is_ending, "Py_IsFinalizing");
  if (python.is_ending == nullptr) find_if_there(python.is_ending, "_Py_IsFinalizing");
  return python;
}

// libpython may be loaded late. What was found stays as it is: other threads use it.
const Python& python() {
  static const Python none{.is_there = false};
  static std::atomic<const Python*> known{nullptr};
  const Python* found = known.load(std::memory_order_acquire);
  if (found != nullptr) return *found;
  const Python now = find_python();
  if (!now.is_there) return none;
  const auto* const made = new Python(now);
  if (known.compare_exchange_strong(found, made)) return *made;
  delete made;
  return *found;
}

// The calling thread has the interpreter while it lives. An error that the program has not handled
// yet stays as it is.
class Interpreter {
 public:
  explicit Interpreter(const Python& py) : m_py(py), m_state(py.ensure()) {
    m_py.take_error(&m_type, &m_value, &m_trace);
  }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter() {
    m_py.put_error(m_type, m_value, m_trace);
    m_py.release(m_state);
  }

 private:
  const Python& m_py;
  int m_state;
  PyObject* m_type = nullptr;
  PyObject* m_value = nullptr;
  PyObject* m_trace = nullptr;
};

// A reference of its own; null after an error, which is forgotten.
class Object {
 public:
  Object(const Python& py, PyObject* owned) : m_py(&py), m_object(owned) {
    if (owned == nullptr) py.clear_error();
  }
  Object(Object&& other) noexcept : m_py(other.m_py), m_object(std::exchange(other.m_object, {})) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(m_object, other.m_object);
    return *this;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() {
    if (m_object != nullptr) m_py->forget(m_object);
  }
  [[nodiscard]] static Object borrowed(const Python& py, PyObject* object) {
    if (object != nullptr) py.keep(object);
    return {py, object};
  }
  [[nodiscard]] PyObject* get() const { return m_object; }
  explicit operator bool() const { return m_object != nullptr; }

 private:
  const Python* m_py;
  PyObject* m_object;
};

std::string text_attribute(const Python& py, PyObject* object, const char* name) {
  const Object value(py, py.attribute(object, name));
  if (!value) return "";
  const char* const text = py.text(value.get());
  if (text == nullptr) py.clear_error();
  return text != nullptr ? text : "";
}

bool is_of_the_program(std::string_view file) {
  return !file.empty() && file.front() != '<' &&
         file.find("site-packages") == std::string_view::npos &&
         file.find("dist-packages") == std::string_view::npos &&
         file.find("/lib/python3") == std::string_view::npos &&
         file.find("/torchinductor_") == std::string_view::npos;
}

std::string place_of(const Python& py, PyObject* frame) {
  const Object code(py, py.code(frame));
  const std::string file = text_attribute(py, code.get(), "co_filename");
  if (!is_of_the_program(file)) return "";
  return fmt::format("{}:{} ({})", file, py.line(frame), text_attribute(py, code.get(), "co_name"));
}

Object self_of(const Python& py, PyObject* frame) {
  if (py.variable != nullptr) return {py, py.variable(frame, "self")};
  const Object locals(py, py.attribute(frame, "f_locals"));
  if (!locals) return {py, nullptr};
  return Object::borrowed(py, py.item(locals.get(), "self"));
}

// What an instance keeps under the names by which tuners know what they were made of. Looked up in
// its dictionary alone: an attribute may run somebody's code.
Object made_of(const Python& py, const Object& object) {
  const Object attributes(py, py.dictionary(object.get(), nullptr));
  for (const char* const name : {"fn", "py_func"})
    if (attributes)
      if (Object found = Object::borrowed(py, py.item(attributes.get(), name))) return found;
  return {py, nullptr};
}

// The place of the function that a kernel is made of. The file of a generated one does not stay.
std::string first_line_of(const Python& py, PyObject* code, const std::string& kernel) {
  const std::string name = text_attribute(py, code, "co_name");
  const std::string file = text_attribute(py, code, "co_filename");
  if (name.empty() || kernel.find(name) == kernel.npos || file.empty() || file.front() == '<' ||
      file.find("/torchinductor_") != file.npos)
    return "";
  const Object first(py, py.attribute(code, "co_firstlineno"));
  if (!first) return "";
  const long line = py.number(first.get());
  if (line == -1) py.clear_error();
  if (line < 1) return "";
  return fmt::format("{}:{} ({})", file, line, name);
}

std::string definition_of(const Python& py, PyObject* frame, const std::string& kernel) {
  constexpr int most_wrappers = 8;
  Object object = self_of(py, frame);
  for (int i = 0; i < most_wrappers && object; ++i) {
    object = made_of(py, object);
    if (!object) return "";
    if (PyObject* const code = py.function_code(object.get()))
      return first_line_of(py, code, kernel);
    py.clear_error();
  }
  return "";
}

// Calls `see(py, frame)` with each frame of the thread, innermost first, until it answers false.
template <class See>
void walk_python(const See& see) {
  const Python& py = python();
  if (!py.is_there || py.is_initialized() == 0 || (py.is_ending != nullptr && py.is_ending() != 0))
    return;
  // A thread that Python knows nothing of runs none of it, and need not wait for the lock.
  if (py.state_of_thread() == nullptr) return;
  const Interpreter held(py);
  Object frame = Object::borrowed(py, py.frame());
  while (frame && see(py, frame.get()))
    frame = Object(py, py.back(frame.get()));
}

void add_to_path(std::uint64_t& path, std::uint64_t step) {
  path = (path ^ step) * 0x9e3779b97f4a7c15 + (path >> 29);
}

void add_to_path(std::uint64_t& path, const void* address) {
  add_to_path(path, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)));
}

// What is loaded at an address. dladdr() looks for the nearest symbol as well, which takes as long
// as a library has symbols: a millisecond for all frames of a thread in PyTorch.
class LoadedObject {
 public:
  explicit LoadedObject(const void* address) : m_address(address) {
    static const auto find = reinterpret_cast<decltype(&::_dl_find_object)>(
        ::dlsym(RTLD_DEFAULT, "_dl_find_object"));  // glibc 2.35
    if (find == nullptr)
      find_slowly();
    else if (dl_find_object found{}; find(const_cast<void*>(address), &found) == 0)
      m_start = found.dlfo_map_start, m_name = found.dlfo_link_map->l_name;
  }
  /// Null where nothing is.
  [[nodiscard]] const void* start() const { return m_start; }
  [[nodiscard]] bool is_library() const {
    return std::string_view(m_name).find(".so") != std::string_view::npos;
  }
  /// The program's own is what it was started by.
  [[nodiscard]] std::string file() const {
    if (*m_name != '\0') return m_name;
    static const std::string program = [&] {
      LoadedObject object = *this;
      object.find_slowly();
      return std::string(object.m_name);
    }();
    return program;
  }

 private:
  void find_slowly() {
    Dl_info info{};
    if (::dladdr(m_address, &info) == 0) return;
    m_start = info.dli_fbase;
    m_name = info.dli_fname != nullptr ? info.dli_fname : "";
  }
  const void* m_address;
  const void* m_start = nullptr;
  const char* m_name = "";
};

const void* own_module() {
  static const void* const start =
      LoadedObject(reinterpret_cast<const void*>(&native_place)).start();
  return start;
}

// The frames of the calling thread, innermost first.
class Frames {
 public:
  Frames() : m_count(::backtrace(m_frames.data(), static_cast<int>(m_frames.size()))) {}
  [[nodiscard]] std::span<const void* const> all() const {
    return {m_frames.data(), static_cast<std::size_t>(m_count)};
  }

 private:
  std::array<void*, most_frames> m_frames{};
  int m_count;
};

// 0 where the thread runs no Python.
std::uint64_t python_path() {
  std::uint64_t path = 0;
  std::size_t depth = 0;
  walk_python([&](const Python& py, PyObject* frame) {
    add_to_path(path, Object(py, py.code(frame)).get());
    const int at = py.instruction != nullptr ? py.instruction(frame) : py.line(frame);
    add_to_path(path, static_cast<std::uint64_t>(at));
    return ++depth < most_frames;
  });
  return path;
}

}  // namespace

std::uint64_t call_path(const void* module) {
  if (const std::uint64_t path = python_path(); path != 0) return path;
  std::uint64_t path = 0;
  const Frames frames;
  for (const void* const address : frames.all()) {
    const void* const start = LoadedObject(address).start();
    if (start != own_module() && (start == nullptr || start != module)) add_to_path(path, address);
  }
  return path;
}

Caller program_caller(const std::string& kernel, const void* module, bool wants_place) {
  Caller caller;
  caller.path = call_path(module);
  if (wants_place) caller.place = python_place(kernel);
  if (wants_place && caller.place.launch.empty()) caller.place.launch = native_place();
  return caller;
}

ProgramPlace python_place(const std::string& kernel) {
  ProgramPlace place;
  walk_python([&](const Python& py, PyObject* frame) {
    if (place.definition.empty()) place.definition = definition_of(py, frame, kernel);
    place.launch = place_of(py, frame);
    return place.launch.empty();
  });
  return place;
}

std::string native_place() {
  const Frames frames;
  for (const void* const address : frames.all()) {
    const LoadedObject object(address);
    if (object.start() == nullptr || object.start() == own_module() || object.is_library())
      continue;
    // The call itself, and not where it returns to.
    return fmt::format("{}+{:#x}", object.file(),
                       reinterpret_cast<std::uintptr_t>(address) -
                           reinterpret_cast<std::uintptr_t>(object.start()) - 1);
  }
  return "";
}

bool comes_from_library(std::string_view name) {
  const Frames frames;
  const auto calls = frames.all();
  return std::any_of(calls.begin(), calls.end(), [&](const void* address) {
    const std::string file = LoadedObject(address).file();
    return std::string_view(file).substr(file.rfind('/') + 1) == name;
  });
}

// The outermost compile counts: others that it needs belong to it.
NumbaWork numba_work() {
  NumbaWork work;
  walk_python([&](const Python& py, PyObject* frame) {
    const Object code(py, py.code(frame));
    const std::string file = text_attribute(py, code.get(), "co_filename");
    const std::string name = text_attribute(py, code.get(), "co_name");
    work.is_there = work.is_there || file.find("/numba/core/") != file.npos ||
                    file.ends_with("/numba/__init__.py");
    if (file.ends_with("/numba/core/compiler.py") && name == "compile_extra") {
      work.compiles = true;
      work.call = frame;
      work.place.clear();
    } else if (work.place.empty()) {
      work.place = place_of(py, frame);
    }
    return true;
  });
  return work;
}

}  // namespace tunecheck::watch
