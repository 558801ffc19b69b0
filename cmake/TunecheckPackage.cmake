# What CPack makes of the component "programs": the .deb for the distribution that it is built on, whose
# libraries it uses. ci/package calls it, and makes the wheel, the source distribution and the tarball.
# Everything is in one folder, because the programs look for each other and for their files beside
# themselves; the command that people type is a link to there.
set(CPACK_PACKAGE_NAME tunecheck)
set(CPACK_PACKAGE_VENDOR "tunecheck's maintainers")
set(CPACK_PACKAGE_CONTACT "tunecheck's maintainers <maintainers@tunecheck.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Verifies kernel autotuners and gates their regressions")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/tunecheck)
set(CPACK_COMPONENTS_ALL programs)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/TunecheckLinkCommand.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Kernels of a CPU are compiled while they are tuned, and adapters of other tuners are in Python.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, python3, libcurl4, redis-server")
include(CPack)
