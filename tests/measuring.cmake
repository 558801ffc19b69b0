# Read by ctest after the tests of TESTS, a list, were registered: those whose names match MATCHING measure times.
# They mostly wait, so that others run beside them; but no more of them than there are pairs of cores run at the
# same time, since a session of the gate takes a core for itself. They are begun first, so that none waits for
# another at the end.
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR pairs "(${cores} + 1) / 2")
set(number 0)
foreach(test IN LISTS ${TESTS})
  if(test MATCHES "${MATCHING}")
    math(EXPR pair "${number} % ${pairs}")
    set_tests_properties(${test} PROPERTIES RESOURCE_LOCK tunecheck_measures_${pair} COST 200)
    math(EXPR number "${number} + 1")
  endif()
endforeach()
