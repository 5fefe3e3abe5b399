# CTest tests that run the program: one for each gate, op and backend, one for a whole run, and the program's own.

# One test per gate, op and backend, gate.ID.OP.BACKEND, from the list that the program gives of itself; nothing is named
# here. CTest reads that list when it starts. Where it is missing there is a failing test, never none.
function(seamgate_add_gate_tests)
  if(NOT SEAMGATE_BUILD_TESTS)
    return()
  endif()
  set(backends cpu)
  if(SEAMGATE_HAS_CUDA)
    set(backends cpu,cuda)
  endif()
  set(folder "${PROJECT_BINARY_DIR}/ctest")
  set(list "${folder}/gate_tests.cmake")
  add_custom_command(
    TARGET seamgate
    POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:seamgate>" "-DBACKENDS=${backends}" "-DOUTPUT=${list}" -P "${PROJECT_SOURCE_DIR}/cmake/WriteGateTests.cmake"
    BYPRODUCTS "${list}"
    COMMENT "Listing the gates for CTest"
    VERBATIM)
  file(
    CONFIGURE
    OUTPUT "${folder}/include_gate_tests.cmake"
    CONTENT
      "if(EXISTS [=[@list@]=])
  include([=[@list@]=])
else()
  add_test(gate.list_is_missing [=[build the target seamgate: @list@ is not there]=])
  set_tests_properties(gate.list_is_missing PROPERTIES LABELS gate)
endif()
"
    @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${folder}/include_gate_tests.cmake")

  # A whole run, planted faults included: PENDING (exit 3) is a failure here.
  add_test(NAME gate.all.cpu COMMAND seamgate run --require cpu --tier smoke --out "${folder}/gate.all.cpu")
  set_tests_properties(gate.all.cpu PROPERTIES LABELS "gate;cpu;smoke;could_fail" TIMEOUT 600 PROCESSORS 2)
endfunction()

# seamgate_add_program_test(name): NAME.py in the folder tests, a unittest file that gets the program's path in
# SEAMGATE_PROGRAM.
function(seamgate_add_program_test name)
  if(NOT SEAMGATE_BUILD_TESTS)
    return()
  endif()
  add_test(
    NAME program.${name}
    COMMAND "${Python3_EXECUTABLE}" -B -m unittest ${name}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/tests")
  set_tests_properties(
    program.${name}
    PROPERTIES LABELS program TIMEOUT 300 FAIL_REGULAR_EXPRESSION "Ran 0 tests;skipped=" ENVIRONMENT
               "SEAMGATE_PROGRAM=$<TARGET_FILE:seamgate>")
endfunction()
