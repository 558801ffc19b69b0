# Every third-party package of tunecheck, as Debian and Ubuntu ship them;
# ci/bootstrap installs them. docs/dependencies.md says what each is for.
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS filesystem)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(SQLiteCpp 3.2 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
# Judged where it is there; nothing else needs it. It is under the GPL, so that packages leave it out.
option(TUNECHECK_FFTW "Build the adapter of FFTW, where FFTW is found" ON)
if(TUNECHECK_FFTW)
  pkg_check_modules(fftw3 QUIET IMPORTED_TARGET fftw3>=3.3)
endif()
# The observer stands before functions by which FFTW's planner calls itself. A library that is linked with
# -Bsymbolic-functions, as Ubuntu's is, calls them without the dynamic loader, and nothing could be seen of its planner.
if(fftw3_FOUND AND CMAKE_READELF)
  execute_process(COMMAND ${CMAKE_READELF} --relocs --wide ${fftw3_LINK_LIBRARIES}
                  RESULT_VARIABLE failure OUTPUT_VARIABLE relocations ERROR_QUIET)
  if(NOT failure AND NOT relocations MATCHES "fftw_measure_execution_time")
    message(STATUS "FFTW is here, and its planner cannot be observed: it calls itself past the dynamic loader "
                   "(-Bsymbolic-functions)")
    set(fftw3_FOUND FALSE)
  endif()
endif()
# Remote caches of the reference tuner; without these everything else is built.
option(TUNECHECK_REMOTE "Build remote caches, where libcurl's headers and hiredis are found" ON)
if(TUNECHECK_REMOTE)
  find_package(CURL 7.80)
  pkg_check_modules(hiredis QUIET IMPORTED_TARGET hiredis>=0.14)
endif()
set(TUNECHECK_HAS_REMOTE OFF)
if(TUNECHECK_REMOTE AND CURL_FOUND AND hiredis_FOUND)
  set(TUNECHECK_HAS_REMOTE ON)
endif()
pkg_check_modules(muparser REQUIRED IMPORTED_TARGET muparser)
