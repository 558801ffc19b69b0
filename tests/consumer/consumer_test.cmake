# Run by ctest: installs the build folder `build` below `work`, checks the installed programs, and
# builds and runs `project` against the installed package.
cmake_minimum_required(VERSION 3.25)

# run(<what for> <command>...): the command's output is in `output` afterwards.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output WORKING_DIRECTORY ${work})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} ended with status ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_text text)
  if(NOT output MATCHES "${text}")
    message(FATAL_ERROR "expected \"${text}\" in:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(prefix ${work}/prefix)
run("the installation" ${CMAKE_COMMAND} --install ${build} --prefix ${prefix})

# The installed programs find the installed files, and not the tree that they were built from.
run("the installed tunecheck" ${prefix}/bin/tunecheck doctor)
string(REGEX REPLACE "[ \n]+" "" unwrapped "${output}")
string(FIND "${unwrapped}" "${prefix}/share/tunecheck/scenarios" at)
if(at EQUAL -1)
  message(FATAL_ERROR "expected scenarios in ${prefix}/share/tunecheck in:\n${output}")
endif()
run("a scenario of the installed tunecheck"
    ${prefix}/bin/tunecheck run reload.winner_survives_restart --out ${work}/out)

set(flags "")
if(sanitize)
  set(flags -fsanitize=${sanitize})
endif()
run("configuring the consumer" ${CMAKE_COMMAND} -S ${project} -B ${work}/build -G ${generator}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags}
    -D CMAKE_BUILD_TYPE=Release)
run("building the consumer" ${CMAKE_COMMAND} --build ${work}/build)
run("the consumer" ${CMAKE_COMMAND} -E env TUNECHECK_ROOT=${prefix}/share/tunecheck
    ${work}/build/consumer ${prefix}/share/tunecheck/kernels/axpy_inplace ${work}/cache)
expect_text("first call: miss, winner block=[0-9]+,unroll=[0-9]+\n")
expect_text("second call: hit, winner block=[0-9]+,unroll=[0-9]+\n")
expect_text("a new tuner: hit, winner block=[0-9]+,unroll=[0-9]+\n")

# The shared library finds what kernels include by its own place.
run("the consumer in C" ${work}/build/c_consumer ${prefix}/share/tunecheck/kernels/axpy_inplace
    ${work}/c-cache)
expect_text("first call from C: miss, winner block=[0-9]+,unroll=[0-9]+\n")
expect_text("second call from C: hit, winner block=[0-9]+,unroll=[0-9]+\n")
