# The functions by which every target of this repository is declared.

# Gives a target the include root, the arithmetic contract, warnings and the sanitizer in force.
function(seamgate_target target)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${SEAMGATE_ARITHMETIC_FLAGS} ${SEAMGATE_WARNING_FLAGS})
  if(SEAMGATE_SANITIZER)
    target_compile_options(${target} PUBLIC -fsanitize=${SEAMGATE_SANITIZER} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${SEAMGATE_SANITIZER})
  endif()
endfunction()

function(seamgate_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  seamgate_target(${name})
  target_link_libraries(${name} PUBLIC ${arg_LINK})
endfunction()

# One GoogleTest program, one CTest test. A program that runs no test fails.
function(seamgate_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT SEAMGATE_BUILD_TESTS)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  seamgate_target(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gtest_main)
  add_test(NAME unit.${name} COMMAND ${name})
  set_tests_properties(
    unit.${name} PROPERTIES LABELS "unit;${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} FAIL_REGULAR_EXPRESSION
                            "0 tests from 0 test suites;\\[  SKIPPED \\]")
endfunction()

# A source that must not compile; `message` must occur in the compiler's output, so that it fails for the right reason.
function(seamgate_add_compile_fail name)
  cmake_parse_arguments(arg "" "SOURCE;MESSAGE" "" ${ARGN})
  if(NOT SEAMGATE_BUILD_TESTS)
    return()
  endif()
  add_test(NAME compile_fail.${name}
           COMMAND ${CMAKE_CXX_COMPILER} -std=gnu++20 -fsyntax-only -I "${PROJECT_SOURCE_DIR}"
                   "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE}")
  set_tests_properties(compile_fail.${name} PROPERTIES LABELS "unit;compile_fail" PASS_REGULAR_EXPRESSION "${arg_MESSAGE}")
endfunction()
