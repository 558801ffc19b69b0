# What the GPU probes share.
add_library(tunecheck_gpu_light STATIC
  gpu/blindness.cpp gpu/code_object.cpp gpu/digest_plan.cpp gpu/image.cpp gpu/loaded_code.cpp
  gpu/recorder.cpp gpu/settings.cpp gpu/tensor_argument.cpp gpu/watch_file.cpp)
target_link_libraries(tunecheck_gpu_light PUBLIC tunecheck_observe_light)
target_compile_options(tunecheck_gpu_light PRIVATE ${TUNECHECK_COLD})
tunecheck_in_batches(tunecheck_gpu_light)

# The probe for HIP, whose headers it does not need.
add_library(tunecheck-hip-probe MODULE
  gpu/hip/calls.cpp gpu/hip/functions.cpp gpu/hip/hip_driver.cpp gpu/hip/probe.cpp gpu/hip/runtime.cpp)
set(exports ${CMAKE_CURRENT_SOURCE_DIR}/gpu/hip/exports.map)
target_link_libraries(tunecheck-hip-probe PRIVATE tunecheck_gpu_light ${CMAKE_DL_LIBS})
target_compile_options(tunecheck-hip-probe PRIVATE ${TUNECHECK_COLD})
tunecheck_in_batches(tunecheck-hip-probe)
target_link_options(tunecheck-hip-probe PRIVATE
  -Wl,--exclude-libs,ALL -Wl,--version-script=${exports} -Wl,--no-undefined)
set_target_properties(tunecheck-hip-probe PROPERTIES LINK_DEPENDS ${exports})

# The probe for CUDA. It needs the headers of CUDA 13 and CUPTI, of the wheels that ci/requirements.txt
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
    gpu/cuda/calls.cpp gpu/cuda/cuda_driver.cpp gpu/cuda/device_digest.cpp gpu/cuda/functions.cpp
    gpu/cuda/probe.cpp gpu/cuda/subscribe.cpp
    gpu/cupti_library.cpp gpu/effect.cpp
    ${CMAKE_CURRENT_BINARY_DIR}/digest_kernel.cpp)
  target_include_directories(tunecheck-gpu-probe SYSTEM PRIVATE
    ${TUNECHECK_CUDA_INCLUDE} ${TUNECHECK_CUPTI_INCLUDE})
  set(exports ${CMAKE_CURRENT_SOURCE_DIR}/gpu/exports.map)
  target_link_libraries(tunecheck-gpu-probe PRIVATE tunecheck_gpu_light ${CMAKE_DL_LIBS})
  target_compile_definitions(tunecheck-gpu-probe PRIVATE TUNECHECK_SOURCE_ROOT="${TUNECHECK_SOURCE_ROOT}")
  target_compile_options(tunecheck-gpu-probe PRIVATE ${TUNECHECK_COLD})
  tunecheck_in_batches(tunecheck-gpu-probe)
  target_link_options(tunecheck-gpu-probe PRIVATE
    -Wl,--exclude-libs,ALL -Wl,--version-script=${exports} -Wl,--no-undefined)
  set_target_properties(tunecheck-gpu-probe PROPERTIES LINK_DEPENDS ${exports})
  # What the driver loads into the processes of a watched program.
  add_library(tunecheck-watch-cuda MODULE
    gpu/cuda/cuda_driver.cpp gpu/cuda/device_digest.cpp gpu/cuda/functions.cpp
    gpu/cuda/subscribe.cpp gpu/cupti_library.cpp
    gpu/effect.cpp watch/cuda/cuda_blocks.cpp watch/cuda/cuda_launch.cpp watch/cuda/cuda_memory.cpp watch/cuda/cuda_writes.cpp watch/cuda/cuda_watch.cpp
    watch/cuda/host_arena.cpp watch/cuda/launch_contexts.cpp watch/cuda/reported_blocks.cpp watch/cuda/silent_allocator.cpp
    ${CMAKE_CURRENT_BINARY_DIR}/digest_kernel.cpp)
  target_include_directories(tunecheck-watch-cuda SYSTEM PRIVATE
    ${TUNECHECK_CUDA_INCLUDE} ${TUNECHECK_CUPTI_INCLUDE})
  target_link_libraries(tunecheck-watch-cuda PRIVATE
    tunecheck_gpu_light tunecheck_watch_light ${CMAKE_DL_LIBS})
  target_compile_definitions(tunecheck-watch-cuda PRIVATE
    TUNECHECK_SOURCE_ROOT="${TUNECHECK_SOURCE_ROOT}")
  target_compile_options(tunecheck-watch-cuda PRIVATE ${TUNECHECK_COLD})
  tunecheck_in_batches(tunecheck-watch-cuda)
  target_link_options(tunecheck-watch-cuda PRIVATE
    -Wl,--exclude-libs,ALL -Wl,--version-script=${exports} -Wl,--no-undefined)
  set_target_properties(tunecheck-watch-cuda PROPERTIES LINK_DEPENDS ${exports})
else()
  message(STATUS "No headers of CUDA 13 and CUPTI: the GPU probe for CUDA is not built")
endif()

# The Vulkan observer: a layer and its manifest, which names it. It needs Vulkan's headers alone.
find_path(TUNECHECK_VULKAN_INCLUDE vulkan/vk_layer.h)
if(TUNECHECK_VULKAN_INCLUDE)
  add_library(tunecheck-vulkan-layer MODULE
    vulkan/code.cpp vulkan/compiler.cpp vulkan/device.cpp vulkan/evidence_writer.cpp vulkan/functions.cpp
    vulkan/layer.cpp vulkan/memory.cpp vulkan/staging.cpp)
  target_include_directories(tunecheck-vulkan-layer SYSTEM PRIVATE ${TUNECHECK_VULKAN_INCLUDE})
  set(exports ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/exports.map)
  target_link_libraries(tunecheck-vulkan-layer PRIVATE tunecheck_gpu_light)
  target_compile_options(tunecheck-vulkan-layer PRIVATE ${TUNECHECK_COLD})
  tunecheck_in_batches(tunecheck-vulkan-layer)
  target_link_options(tunecheck-vulkan-layer PRIVATE
    -Wl,--exclude-libs,ALL -Wl,--version-script=${exports} -Wl,--no-undefined)
  set_target_properties(tunecheck-vulkan-layer PROPERTIES LINK_DEPENDS ${exports})
  configure_file(vulkan/layer.json.in 
    ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/tunecheck-vulkan-layer.json COPYONLY)
else()
  message(STATUS "No headers of Vulkan: the Vulkan observer is not built")
endif()
