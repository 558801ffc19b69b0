// Compiles with a runtime compiler as any tuner does, in a process of its own:
//   LIBRARY PREFIX SOURCE NAME EXPRESSION OPTION...
// with "-" for no expression. Prints what the library answers; the outputs lie beside the source.
#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

void* library = nullptr;
std::string prefix;

template <class... Arguments>
int call(const std::string& name, Arguments... arguments) {
  auto* const function =
      reinterpret_cast<int (*)(Arguments...)>(::dlsym(library, (prefix + name).c_str()));
  return function != nullptr ? function(arguments...) : -1;
}

std::string text_of(void* program, const std::string& kind) {
  std::size_t size = 0;
  if (call("Get" + kind + "Size", program, &size) != 0) return {};
  std::string text(size, '\0');
  return call("Get" + kind, program, text.data()) == 0 ? text : std::string();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 6) return 2;
  library = ::dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    std::puts(::dlerror());
    return 2;
  }
  prefix = arguments[2];
  const std::string path = arguments[3];
  const std::string expression = arguments[5];
  std::ifstream file(path);
  const std::string source{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};

  int major = 0;
  int minor = 0;
  std::printf("version %d", call("Version", &major, &minor));
  std::printf(" %d.%d\n", major, minor);
  void* program = nullptr;
  const char* const header_name = "given.h";
  const char* const header = "#define GIVEN 3\n";
  std::printf("create %d\n",
              call("CreateProgram", &program, source.c_str(),
                   static_cast<const char*>(arguments[4]), 1, &header, &header_name));
  if (expression != "-")
    std::printf("expression %d\n", call("AddNameExpression", program, expression.c_str()));
  std::printf("compile %d\n", call("CompileProgram", program, count - 6,
                                   const_cast<const char* const*>(arguments + 6)));
  std::printf("log %s\n", text_of(program, "ProgramLog").c_str());
  for (const char* const kind : {"CUBIN", "PTX", "Code", "LTOIR"}) {
    const std::string output = text_of(program, kind);
    if (output.empty()) continue;
    std::printf("%s %zu\n", kind, output.size());
    std::ofstream(path + "." + kind, std::ios::binary) << output;
  }
  const char* lowered = nullptr;
  if (expression != "-" && call("GetLoweredName", program, expression.c_str(), &lowered) == 0)
    std::printf("lowered %s\n", lowered);
  std::printf("destroy %d\n", call("DestroyProgram", &program));
  return 0;
}
