# ccache, where it is installed and no launcher was chosen (-DCMAKE_CXX_COMPILER_LAUNCHER=, also "" for
# none). Paths below the source tree are told to it as relative ones, so that a second tree, such as
# the one that `tunecheck gate` builds of a revision, compiles only what differs. The tests' precompiled
# header is found too with what ccache's manual asks for under "Precompiled headers".
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TUNECHECK_CCACHE ccache)
  mark_as_advanced(TUNECHECK_CCACHE)
  if(TUNECHECK_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${TUNECHECK_CCACHE})
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
      "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()
