# Writes the CTest tests of the gates from the program's own list: cmake -DPROGRAM=path -DBACKENDS=cpu,cuda -DOUTPUT=file
# -P WriteGateTests.cmake. Run after every link of the program, so that no list grows stale. The tests find the program from
# the file that they are in (../bin/seamgate), so that a tree can be moved or packed.
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

# How often a test waits for the GPU where it is alone on the machine, and every test takes the lease for itself.
set(wait "")
execute_process(COMMAND "${PROGRAM}" run --help OUTPUT_VARIABLE help)
if(help MATCHES "--wait")
  set(wait " --wait 600")
endif()

set(text "# Written by cmake/WriteGateTests.cmake from `seamgate list --json`.
set(folder \"\${CMAKE_CURRENT_LIST_DIR}\")
set(seamgate \"\${folder}/../bin/seamgate\")
")

# add_gate_test(id op backend question timeout_s alone gpus options): with a resource specification a test on a GPU has a slot
# of one, or all twelve where nothing may run beside it; one that needs several GPUs sees them all, and runs alone. Without a
# specification each test waits for the GPU's lease. COST: those with the longest limit are started first, so that none of the
# long ones is left running alone at the end.
function(add_gate_test id op backend question timeout_s alone gpus options)
  set(name "gate.${id}.${op}.${backend}")
  set(labels "gate;${backend};${op};${question}")
  set(properties "")
  if(backend STREQUAL "cuda")
    if(gpus GREATER 1)
      set(alone ON)
    elseif(alone)
      string(APPEND properties " RESOURCE_GROUPS gpus:12")
    else()
      string(APPEND properties " RESOURCE_GROUPS gpus:1")
    endif()
    string(APPEND options "${wait}")
    math(EXPR timeout_s "${timeout_s} + 600")
  endif()
  if(alone)
    string(APPEND properties " RUN_SERIAL TRUE")
  endif()
  string(APPEND properties " COST ${timeout_s}")
  math(EXPR timeout_s "${timeout_s} + 60") # the program's own limit comes first, and it says more
  set(text
      "${text}add_test([=[${name}]=] \"\${seamgate}\" run --gate ${id} --op ${op} --require ${backend} --ctest${options} --out \"\${folder}/${name}\")
set_tests_properties([=[${name}]=] PROPERTIES LABELS \"${labels}\" SKIP_RETURN_CODE 77 TIMEOUT ${timeout_s}${properties})
"
      PARENT_SCOPE)
endfunction()

# compute-sanitizer over the gates that ask for it, one test per tool and op, and per tool a planted fault that it must find.
function(add_sanitizer_test name arguments labels)
  set(text
      "${text}add_test([=[${name}]=] \"\${seamgate}\" lease --ctest --wait 600 -- /usr/bin/env python3 -B \"\${folder}/run_tool.py\" ${arguments})
set_tests_properties([=[${name}]=] PROPERTIES LABELS \"sanitizer;${labels}\" SKIP_RETURN_CODE 77 TIMEOUT 1500 RESOURCE_GROUPS gpus:3)
"
      PARENT_SCOPE)
endfunction()

set(tests 0)
set(mutated_ops "")
set(sanitized_ops "")
string(JSON gates LENGTH "${listing}" gates)
set(g 0)
while(g LESS gates)
  string(JSON id GET "${listing}" gates ${g} id)
  string(JSON question GET "${listing}" gates ${g} question)
  string(JSON timeout_s GET "${listing}" gates ${g} timeout_s)
  string(JSON alone GET "${listing}" gates ${g} alone)
  string(JSON gpus GET "${listing}" gates ${g} gpus)
  string(JSON sanitized GET "${listing}" gates ${g} sanitized)
  read_words(ops gates ${g} ops)
  read_words(gate_backends gates ${g} backends)
  foreach(op IN LISTS ops)
    foreach(backend IN LISTS gate_backends)
      if(backend IN_LIST BACKENDS)
        add_gate_test(${id} ${op} ${backend} ${question} ${timeout_s} ${alone} ${gpus} " --no-mutants")
        math(EXPR tests "${tests} + 1")
      endif()
    endforeach()
    if(sanitized)
      list(APPEND sanitized_ops ${op})
      list(APPEND sanitized_gates_${op} ${id})
    endif()
  endforeach()
  math(EXPR g "${g} + 1")
endwhile()
if(tests EQUAL 0)
  message(FATAL_ERROR "'${PROGRAM} list --json' lists no gate for ${BACKENDS}")
endif()

# The planted faults of an op, judged on the host whatever the run is about.
string(JSON mutants LENGTH "${listing}" mutants)
set(m 0)
while(m LESS mutants)
  string(JSON op GET "${listing}" mutants ${m} op)
  list(APPEND mutated_ops ${op})
  math(EXPR m "${m} + 1")
endwhile()
list(REMOVE_DUPLICATES mutated_ops)
foreach(op IN LISTS mutated_ops)
  add_gate_test(mutants ${op} cpu could_fail 600 OFF 1 " --jobs 4")
  string(APPEND text "set_tests_properties(gate.mutants.${op}.cpu PROPERTIES LABELS \"gate;planted;${op};could_fail\" PROCESSORS 4)\n")
endforeach()

if("cuda" IN_LIST BACKENDS)
  list(REMOVE_DUPLICATES sanitized_ops)
  foreach(tool memcheck racecheck initcheck synccheck)
    add_sanitizer_test(sanitizer.${tool}.planted "--tool ${tool} --planted \"\${folder}/../bin/seamgate_planted\"" "planted_${tool}")
    foreach(op IN LISTS sanitized_ops)
      list(JOIN sanitized_gates_${op} "," ids)
      add_sanitizer_test(sanitizer.${tool}.${op} "--tool ${tool} --program \"\${seamgate}\" --op ${op} --gates ${ids} --tier smoke" "${op}")
    endforeach()
  endforeach()
endif()
file(WRITE "${OUTPUT}.part" "${text}")
file(RENAME "${OUTPUT}.part" "${OUTPUT}")
