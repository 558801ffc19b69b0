# The GPU probe. It needs the headers of CUDA 13 and CUPTI, of the wheels that ci/requirements.txt
# names or of a toolkit, and no library of theirs.
file(GLOB wheel_headers ${PROJECT_SOURCE_DIR}/.venv/lib/python*/site-packages/nvidia/cu13/include)
set(toolkits $ENV{CUDA_HOME} /usr/local/cuda)
list(TRANSFORM toolkits APPEND /include OUTPUT_VARIABLE toolkit_headers)
list(TRANSFORM toolkits APPEND /extras/CUPTI/include OUTPUT_VARIABLE cupti_headers)
find_path(TUNECHECK_CUDA_INCLUDE crt/host_defines.h
  HINTS ${wheel_headers} ${toolkit_headers} NO_DEFAULT_PATH)
find_path(TUNECHECK_CUPTI_INCLUDE cupti_callbacks.h
  HINTS ${wheel_headers} ${cupti_headers} ${toolkit_headers} NO_DEFAULT_PATH)
set(ptx gpu/digest_kernel.ptx)
file(READ ${ptx} digest_kernel_ptx)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ptx})
configure_file(gpu/digest_kernel.cpp.in digest_kernel.cpp @ONLY)

if(TUNECHECK_CUDA_INCLUDE AND TUNECHECK_CUPTI_INCLUDE)
  add_library(tunecheck-gpu-probe MODULE
    gpu/cuda/calls.cpp gpu/cuda/device_digest.cpp gpu/cuda/driver.cpp gpu/cuda/loaded_code.cpp
    gpu/cuda/probe.cpp gpu/cuda/recorder.cpp
    gpu/cupti_library.cpp gpu/digest_plan.cpp gpu/effect.cpp gpu/image.cpp gpu/settings.cpp
    gpu/tensor_argument.cpp gpu/watch_file.cpp
    ${CMAKE_CURRENT_BINARY_DIR}/digest_kernel.cpp)
  target_include_directories(tunecheck-gpu-probe SYSTEM PRIVATE
    ${TUNECHECK_CUDA_INCLUDE} ${TUNECHECK_CUPTI_INCLUDE})
  set(exports ${CMAKE_CURRENT_SOURCE_DIR}/gpu/exports.map)
  target_link_libraries(tunecheck-gpu-probe PRIVATE tunecheck_observe_light ${CMAKE_DL_LIBS})
  target_compile_definitions(tunecheck-gpu-probe PRIVATE TUNECHECK_SOURCE_ROOT="${PROJECT_SOURCE_DIR}")
  target_compile_options(tunecheck-gpu-probe PRIVATE ${TUNECHECK_COLD})
  tunecheck_in_batches(tunecheck-gpu-probe)
  target_link_options(tunecheck-gpu-probe PRIVATE
    -Wl,--exclude-libs,ALL -Wl,--version-script=${exports} -Wl,--no-undefined)
  set_target_properties(tunecheck-gpu-probe PROPERTIES LINK_DEPENDS ${exports})
else()
  message(STATUS "No headers of CUDA 13 and CUPTI: the GPU probe is not built")
endif()
