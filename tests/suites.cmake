# Read by ctest, after PROGRAM, PART and TIMEOUT were set: registers each suite of the GoogleTest program
# as a test. A process of its own for each of some three thousand tests, most of which take a
# millisecond, costs more than most of them.
if(NOT EXISTS ${PROGRAM})
  add_test(${PART}.NOT_BUILT ${PROGRAM})
  return()
endif()
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE status)
string(REGEX REPLACE "#[^\n]*" "" listed "${listed}")
string(REGEX MATCHALL "[A-Za-z0-9_/]+\\. *\n(  [^\n]+\n)+" suites "${listed}")
if(NOT status EQUAL 0 OR NOT suites)
  add_test(${PART}.NOT_LISTED ${PROGRAM} --gtest_list_tests)
  return()
endif()
foreach(suite IN LISTS suites)
  string(REGEX MATCHALL "\n  " tests "${suite}")
  list(LENGTH tests count)
  string(REGEX REPLACE "\\..*" "" suite "${suite}")
  add_test(${PART}.${suite} ${PROGRAM} --gtest_filter=${suite}.*)
  # Those of many tests are begun first, so that none runs alone at the end.
  set_tests_properties(${PART}.${suite} PROPERTIES TIMEOUT ${TIMEOUT} COST ${count})
endforeach()
