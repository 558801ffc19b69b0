# Writes build_commit() into OUT: cmake -D SOURCE=FOLDER -D OUT=FILE [-D COMMIT=NAME] -P TunecheckCommit.cmake
# COMMIT says it of sources that git does not know (ci/package). A file that is right stays as it is, so that
# nothing is compiled anew.
if(NOT COMMIT)
  # Of these sources, and not of a repository that they were unpacked in.
  execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND top STREQUAL SOURCE)
    execute_process(COMMAND git -C ${SOURCE} rev-parse --verify --quiet HEAD
                    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(COMMIT AND changes)
      string(APPEND COMMIT " and changes")
    endif()
  endif()
endif()
set(text "// Made by cmake/TunecheckCommit.cmake.
#include \"cli/build_commit.hpp\"

namespace tunecheck::cli {

std::string_view build_commit() {
  return \"${COMMIT}\";
}

}  // namespace tunecheck::cli
")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUT} "${text}")
endif()
