# How an op becomes implementations that gates can judge: the shipped one, and one for each mutant.
#
# An op NAME brings kernels/NAME/table.cpp and table.cu (its kernels for one build), gates/ops/NAME_traits.cpp (what the
# gates know of it) and gates/ops/NAME_subject.cpp (its seam and kernels as an implementation); where there are such,
# gates/ops/NAME_mistakes.cpp has known ways of getting it wrong; and, to be judged in tensors of more than 2^32 elements,
# reference/NAME_at_size.hpp with gates/ops/NAME_at_size.cpp and .cu.

# seamgate_add_implementation(op id [OVERLAY dir] [KERNELS_OF id])
#
# OVERLAY: a folder searched before the repository, with the files that a mutant changes. KERNELS_OF: takes that
# implementation's kernels instead of compiling its own (a mutant of the seam).
function(seamgate_add_implementation op id)
  cmake_parse_arguments(arg "" "OVERLAY;KERNELS_OF" "" ${ARGN})
  set(kernels_id ${id})
  if(arg_KERNELS_OF)
    set(kernels_id ${arg_KERNELS_OF})
  else()
    foreach(build plain checked)
      seamgate_add_kernel_library(
        ${op}_${id}_${build}
        BUILD ${build}
        NAMESPACE ${id}_${build}
        SOURCES "${PROJECT_SOURCE_DIR}/kernels/${op}/table.cpp"
        INCLUDE_FIRST ${arg_OVERLAY})
    endforeach()
    # Mutants are judged on the CPU; a GPU need not wait for their compilation.
    if(SEAMGATE_HAS_CUDA AND NOT arg_OVERLAY)
      add_library(${op}_${id}_cuda STATIC "${PROJECT_SOURCE_DIR}/kernels/${op}/table.cu")
      target_include_directories(${op}_${id}_cuda BEFORE PRIVATE ${arg_OVERLAY})
      seamgate_target(${op}_${id}_cuda)
      target_compile_definitions(${op}_${id}_cuda PRIVATE SIMT_BUILD=${id}_cuda)
      target_link_libraries(${op}_${id}_cuda PUBLIC seamgate_simt CUDA::cudart_static)
    endif()
  endif()

  add_library(subject_${op}_${id} OBJECT "${PROJECT_SOURCE_DIR}/gates/ops/${op}_subject.cpp")
  target_include_directories(subject_${op}_${id} BEFORE PRIVATE ${arg_OVERLAY})
  seamgate_target(subject_${op}_${id})
  target_compile_definitions(subject_${op}_${id} PRIVATE SEAM_BUILD=${id} SEAMGATE_PLAIN=${kernels_id}_plain)
  target_link_libraries(subject_${op}_${id} PUBLIC seamgate_seam seamgate_reference ${op}_${kernels_id}_plain)
  if(SEAMGATE_HAS_CHECKED)
    target_compile_definitions(subject_${op}_${id} PRIVATE SEAMGATE_CHECKED=${kernels_id}_checked)
    target_link_libraries(subject_${op}_${id} PUBLIC ${op}_${kernels_id}_checked)
  endif()
  if(TARGET ${op}_${kernels_id}_cuda)
    target_compile_definitions(subject_${op}_${id} PRIVATE SEAMGATE_CUDA=${kernels_id}_cuda)
    target_link_libraries(subject_${op}_${id} PUBLIC ${op}_${kernels_id}_cuda)
  endif()
  if(arg_OVERLAY)
    # A planted fault may leave a variable unused; that is its business.
    foreach(target ${op}_${id}_plain ${op}_${id}_checked ${op}_${id}_cuda subject_${op}_${id})
      if(TARGET ${target})
        target_compile_options(${target} PRIVATE -w)
      endif()
    endforeach()
  endif()
  set_property(GLOBAL APPEND PROPERTY SEAMGATE_SUBJECTS subject_${op}_${id})
endfunction()

# seamgate_add_op(name): the one line that adds an op to the gates.
function(seamgate_add_op op)
  seamgate_add_implementation(${op} shipped)
  set(mistakes "${PROJECT_SOURCE_DIR}/gates/ops/${op}_mistakes.cpp")
  if(NOT EXISTS "${mistakes}")
    set(mistakes "")
  endif()
  add_library(traits_${op} OBJECT "${PROJECT_SOURCE_DIR}/gates/ops/${op}_traits.cpp" ${mistakes})
  seamgate_target(traits_${op})
  target_link_libraries(traits_${op} PUBLIC seamgate_kernels seamgate_reference)
  set_property(GLOBAL APPEND PROPERTY SEAMGATE_SUBJECTS traits_${op})
  # Truth for tensors that only a GPU holds, where the op brings it: the page's host part, and its GPU part.
  set(page "${PROJECT_SOURCE_DIR}/gates/ops/${op}_at_size")
  if(EXISTS "${page}.cpp")
    target_sources(traits_${op} PRIVATE "${page}.cpp")
    if(SEAMGATE_HAS_CUDA AND EXISTS "${page}.cu")
      target_sources(traits_${op} PRIVATE "${page}.cu")
      target_link_libraries(traits_${op} PUBLIC CUDA::cudart_static)
    endif()
  endif()
endfunction()

# seamgate_add_mutant(ID id OP op TITLE text DEFECT text EXPECTED_GATE gate FILE path REPLACE text WITH text)
#
# A planted fault is an edit of a shipped file, made in a copy: `REPLACE` must stand in FILE exactly once. Shipped code
# carries no hook for it, and a fault put in by hand is the same fault. Where the text is not found any more the mutant
# is not built, and reports say so; it never counts as caught.
function(seamgate_add_mutant)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "ID;OP;TITLE;DEFECT;EXPECTED_GATE;FILE;REPLACE;WITH" "")
  set(source "${PROJECT_SOURCE_DIR}/${arg_FILE}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" text)
  string(FIND "${text}" "${arg_REPLACE}" first)
  string(FIND "${text}" "${arg_REPLACE}" last REVERSE)
  # A folder for each file that is edited: when a fault moves to another file, its old copy no longer stands before the
  # shipped one, and the changed search path rebuilds what was compiled against it.
  string(MD5 edited "${arg_FILE}")
  string(SUBSTRING "${edited}" 0 8 edited)
  set(overlay "${PROJECT_BINARY_DIR}/mutants/${arg_ID}/${edited}")
  file(
    CONFIGURE
    OUTPUT "${overlay}/seamgate_mutant_info.hpp"
    CONTENT
      "#pragma once
#define SEAMGATE_MUTANT_ID \"${arg_ID}\"
#define SEAMGATE_MUTANT_OP \"${arg_OP}\"
#define SEAMGATE_MUTANT_TITLE \"${arg_TITLE}\"
#define SEAMGATE_MUTANT_DEFECT \"${arg_DEFECT}\"
#define SEAMGATE_MUTANT_GATE \"${arg_EXPECTED_GATE}\"
"
    @ONLY)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(WARNING "mutant ${arg_ID} is not built: its text does not stand exactly once in ${arg_FILE}")
    add_library(subject_${arg_OP}_${arg_ID} OBJECT "${PROJECT_SOURCE_DIR}/gates/subjects/mutant_not_built.cpp")
    seamgate_target(subject_${arg_OP}_${arg_ID})
    target_include_directories(subject_${arg_OP}_${arg_ID} BEFORE PRIVATE "${overlay}")
    target_link_libraries(subject_${arg_OP}_${arg_ID} PUBLIC seamgate_seam seamgate_reference)
    set_property(GLOBAL APPEND PROPERTY SEAMGATE_SUBJECTS subject_${arg_OP}_${arg_ID})
    return()
  endif()
  string(REPLACE "${arg_REPLACE}" "${arg_WITH}" mutated "${text}")
  set(target "${overlay}/${arg_FILE}")
  set(before "")
  if(EXISTS "${target}")
    file(READ "${target}" before)
  endif()
  if(NOT before STREQUAL mutated)
    file(WRITE "${target}" "${mutated}")
  endif()
  set(kernels_of "")
  if(NOT arg_FILE MATCHES "^kernels/")
    set(kernels_of KERNELS_OF shipped)
  endif()
  seamgate_add_implementation(${arg_OP} ${arg_ID} OVERLAY "${overlay}" ${kernels_of})
endfunction()
