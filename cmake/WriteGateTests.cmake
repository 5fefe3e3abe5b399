# Writes the CTest tests of the gates from the program's own list: cmake -DPROGRAM=path -DBACKENDS=cpu,cuda -DFOLDER=dir
# -DOUTPUT=file -P WriteGateTests.cmake. Run after every link of the program, so that no list grows stale.
cmake_minimum_required(VERSION 3.25)

file(REMOVE "${OUTPUT}") # a list of another program must not outlive it
execute_process(
  COMMAND "${PROGRAM}" list --json
  OUTPUT_VARIABLE listing
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "'${PROGRAM} list --json' ended with ${result}; there are no CTest tests of the gates without its list")
endif()
string(REPLACE "," ";" BACKENDS "${BACKENDS}")

# The members of an array of strings in the listing, as a list.
function(read_words variable)
  set(words "")
  string(JSON count LENGTH "${listing}" ${ARGN})
  set(i 0)
  while(i LESS count)
    string(JSON word GET "${listing}" ${ARGN} ${i})
    list(APPEND words "${word}")
    math(EXPR i "${i} + 1")
  endwhile()
  set(${variable}
      "${words}"
      PARENT_SCOPE)
endfunction()

set(text "# Written by cmake/WriteGateTests.cmake from `seamgate list --json`.\n")
set(tests 0)
string(JSON gates LENGTH "${listing}" gates)
set(g 0)
while(g LESS gates)
  string(JSON id GET "${listing}" gates ${g} id)
  string(JSON question GET "${listing}" gates ${g} question)
  string(JSON timeout_s GET "${listing}" gates ${g} timeout_s)
  math(EXPR timeout_s "${timeout_s} + 60") # the program's own limit comes first, and it says more
  read_words(ops gates ${g} ops)
  read_words(gate_backends gates ${g} backends)
  foreach(op IN LISTS ops)
    foreach(backend IN LISTS gate_backends)
      if(NOT backend IN_LIST BACKENDS)
        continue()
      endif()
      set(name "gate.${id}.${op}.${backend}")
      string(APPEND text "add_test([=[${name}]=] [=[${PROGRAM}]=] run --gate ${id} --op ${op} --require ${backend} --tier smoke"
             " --no-mutants --ctest --out [=[${FOLDER}/${name}]=])\n")
      set(lock "")
      if(backend STREQUAL "cuda")
        set(lock " RESOURCE_LOCK gpu")
      endif()
      string(APPEND text "set_tests_properties([=[${name}]=] PROPERTIES LABELS \"gate;${backend};${op};smoke;${question}\""
             " SKIP_RETURN_CODE 77 TIMEOUT ${timeout_s}${lock})\n")
      math(EXPR tests "${tests} + 1")
    endforeach()
  endforeach()
  math(EXPR g "${g} + 1")
endwhile()
if(tests EQUAL 0)
  message(FATAL_ERROR "'${PROGRAM} list --json' lists no gate for ${BACKENDS}")
endif()
file(WRITE "${OUTPUT}.part" "${text}")
file(RENAME "${OUTPUT}.part" "${OUTPUT}")
