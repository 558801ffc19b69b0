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
# Judged where it is there; nothing else needs it.
pkg_check_modules(fftw3 QUIET IMPORTED_TARGET fftw3>=3.3)
pkg_check_modules(muparser REQUIRED IMPORTED_TARGET muparser)
