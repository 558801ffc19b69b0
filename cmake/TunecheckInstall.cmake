# The programs as one target (what ci/gate builds), and what an installed tunecheck consists of:
#   bin/                       tunecheck, the programs it starts, and the libraries that observe
#   share/tunecheck/           kernels, scenarios, templates, adapters, and the headers that
#                              kernels include
#   share/man/man1/            a page for each command; next to it, completions for bash, zsh and fish
#   share/doc/tunecheck/       the licences of tunecheck and of what is in it
#   include/tunecheck/, lib/   the reference tuner as a CMake package:
#                              find_package(tunecheck), then link tunecheck::tuner (C++) or
#                              tunecheck::shared (C, and whatever can call it)
# The last of these are the component "library", everything else is "programs": what the packages hold.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(programs tunecheck tunecheck-runner tunecheck-adapter-reference tunecheck-adapter-mutants tunecheck-adapter-adversaries
    tunecheck-cache tunecheck-remote-store tunecheck-cxx-spy tunecheck-gpu-compiler tunecheck-gpu-worker)
if(TARGET tunecheck-adapter-fftw)
  list(APPEND programs tunecheck-adapter-fftw)
endif()
set(observers tunecheck-probe tunecheck-faults tunecheck-nvrtc-spy tunecheck-hiprtc-spy
    tunecheck-hip-probe tunecheck-slowdown tunecheck-watch-cpu tunecheck-fftw-probe)
if(TARGET tunecheck-gpu-probe)
  list(APPEND observers tunecheck-gpu-probe tunecheck-watch-cuda)
endif()
if(TARGET tunecheck-vulkan-layer)
  list(APPEND observers tunecheck-vulkan-layer)
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/tunecheck-vulkan-layer.json DESTINATION bin
          COMPONENT programs)
endif()
add_custom_target(tunecheck-programs DEPENDS ${programs} ${observers})
# What shells complete command lines with, and pages for man(1): the program itself says what is in them.
set(shell ${PROJECT_BINARY_DIR}/shell)
add_custom_command(OUTPUT ${shell}/tunecheck.bash ${shell}/tunecheck.zsh ${shell}/tunecheck.fish ${shell}/man1/tunecheck.1
  COMMAND tunecheck --no-config man --out ${shell}/man1
  COMMAND tunecheck --no-config completion bash > ${shell}/tunecheck.bash
  COMMAND tunecheck --no-config completion zsh > ${shell}/tunecheck.zsh
  COMMAND tunecheck --no-config completion fish > ${shell}/tunecheck.fish
  DEPENDS tunecheck VERBATIM)
add_custom_target(tunecheck-shell-files ALL DEPENDS ${shell}/tunecheck.bash ${shell}/man1/tunecheck.1)
add_dependencies(tunecheck-programs tunecheck-shell-files)
install(FILES ${shell}/tunecheck.bash DESTINATION share/bash-completion/completions RENAME tunecheck
        COMPONENT programs)
install(FILES ${shell}/tunecheck.zsh DESTINATION share/zsh/site-functions RENAME _tunecheck
        COMPONENT programs)
install(FILES ${shell}/tunecheck.fish DESTINATION share/fish/vendor_completions.d COMPONENT programs)
install(DIRECTORY ${shell}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT programs)
install(TARGETS ${programs} RUNTIME DESTINATION bin COMPONENT programs)
# Beside the programs that load it, where they look first.
install(TARGETS ${observers} LIBRARY DESTINATION bin COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD-PARTY-NOTICES.txt
        DESTINATION share/doc/tunecheck COMPONENT programs)

# framework/core/resources.cpp finds these from the program's own folder.
set(share share/tunecheck)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_SOURCE_DIR}/scenarios
        ${PROJECT_SOURCE_DIR}/templates DESTINATION ${share} COMPONENT programs)
file(GLOB adapter_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/framework/adapter
     ${PROJECT_SOURCE_DIR}/framework/adapter/*/adapter.info
     ${PROJECT_SOURCE_DIR}/framework/adapter/*/known.info
     ${PROJECT_SOURCE_DIR}/framework/adapter/*/causes.info)
foreach(file IN LISTS adapter_files)
  get_filename_component(adapter ${file} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/framework/adapter/${file}
          DESTINATION ${share}/adapters/${adapter} COMPONENT programs)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/framework/adapter/python DESTINATION ${share}/adapters
        COMPONENT programs USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/framework/backend/cpu/include
        ${PROJECT_SOURCE_DIR}/framework/backend/gpu/include DESTINATION ${share} COMPONENT programs)

set(libraries core backend table tuner)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tunecheck)
foreach(library IN LISTS libraries)
  install(TARGETS tunecheck_${library} EXPORT tunecheck ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          COMPONENT library)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/framework/${library} DESTINATION include/tunecheck
          COMPONENT library FILES_MATCHING PATTERN *.hpp PATTERN include EXCLUDE PATTERN cache_command EXCLUDE PATTERN cache_usage EXCLUDE)
endforeach()
install(TARGETS tunecheck_shared EXPORT tunecheck LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/framework/library/include/tunecheck DESTINATION include
        COMPONENT library)
target_include_directories(tunecheck_backend INTERFACE $<INSTALL_INTERFACE:${share}/include>)
install(EXPORT tunecheck NAMESPACE tunecheck:: FILE tunecheckTargets.cmake DESTINATION ${package}
        COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tunecheckConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tunecheckConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tunecheckConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tunecheckConfig.cmake
        ${PROJECT_BINARY_DIR}/tunecheckConfigVersion.cmake DESTINATION ${package} COMPONENT library)
