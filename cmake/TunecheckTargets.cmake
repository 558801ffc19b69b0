# What all targets of tunecheck share: C++20, warnings, sanitizers, include roots.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# For code that is never hot: it reads files, waits for processes and writes pages. -O2 takes twice as long
# to compile, -O1 a fifth longer (gcc 12, docs/measurements.md).
set(TUNECHECK_COLD $<$<CONFIG:Release>:-Og>)

add_library(tunecheck_flags INTERFACE)
target_compile_options(tunecheck_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion
  $<$<BOOL:${TUNECHECK_WARNINGS_AS_ERRORS}>:-Werror>
  # gcc collects its garbage once it has 512 MiB, not 128: a tenth less time (docs/measurements.md).
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=2097152>")
if(TUNECHECK_SANITIZE)
  # Instrumented code makes gcc see uninitialized values where there are none (GCC's bug 105562).
  target_compile_options(tunecheck_flags INTERFACE -fsanitize=${TUNECHECK_SANITIZE}
    -fno-omit-frame-pointer $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(tunecheck_flags INTERFACE -fsanitize=${TUNECHECK_SANITIZE})
endif()

# GNU's other linker takes half of the CPU time; where it is there, and the user has not chosen one.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold TUNECHECK_HAS_GOLD)
if(TUNECHECK_HAS_GOLD AND NOT TUNECHECK_SANITIZE AND NOT "${CMAKE_EXE_LINKER_FLAGS}" MATCHES "-fuse-ld")
  target_link_options(tunecheck_flags INTERFACE -fuse-ld=gold)
endif()

if(TUNECHECK_FUZZ)
  target_compile_options(tunecheck_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

option(TUNECHECK_UNITY "Compile the sources of a target in batches, for a whole build" OFF)
set(TUNECHECK_ALONE "" CACHE STRING "Targets whose sources are compiled alone even then: ci/mutate changes one of them")

# A source is mostly the headers and templates that its neighbours need too: compiled in batches, a part
# takes much less CPU time (`tests/bench/build_time REVISION` measures it). Of 28 most
# parts are one batch, the largest two; two cores are busy to the end all the same. Therefore names in
# unnamed namespaces must differ within a target, and no source may have "using namespace" of one of
# tunecheck's namespaces. The other presets compile each source alone, which is quicker after a change and
# shows that a source includes what it needs.
function(tunecheck_in_batches target)
  set(in_batches ${TUNECHECK_UNITY})
  if(target IN_LIST TUNECHECK_ALONE)
    set(in_batches OFF)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${in_batches} UNITY_BUILD_BATCH_SIZE 28)
endfunction()

# tunecheck_library(<part> SOURCES ... DEPENDS ... [PRIVATE_DEPENDS ...])
# makes the static library tunecheck_<part> and its alias tunecheck::<part>.
function(tunecheck_library part)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(tunecheck_${part} STATIC ${arg_SOURCES})
  add_library(tunecheck::${part} ALIAS tunecheck_${part})
  target_include_directories(tunecheck_${part} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/framework>
    $<INSTALL_INTERFACE:include/tunecheck>)
  target_compile_features(tunecheck_${part} PUBLIC cxx_std_20)
  target_link_libraries(tunecheck_${part}
    PUBLIC ${arg_DEPENDS}
    PRIVATE ${arg_PRIVATE_DEPENDS} $<BUILD_INTERFACE:tunecheck_flags>)
  set_target_properties(tunecheck_${part} PROPERTIES EXPORT_NAME ${part})
  tunecheck_in_batches(tunecheck_${part})
endfunction()

# tunecheck_program(<name> SOURCES ... DEPENDS ...)
function(tunecheck_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} tunecheck_flags)
  tunecheck_in_batches(${name})
endfunction()
