# How kernel sources are compiled for the host: plain, or with the instrumentation that the checker listens to.

# A real sanitizer's run-time library and the checker's hooks have the same symbols.
if(SEAMGATE_SANITIZER)
  set(SEAMGATE_HAS_CHECKED OFF)
  message(STATUS "seamgate: checked kernels are left out (SEAMGATE_SANITIZER is '${SEAMGATE_SANITIZER}')")
else()
  set(SEAMGATE_HAS_CHECKED ON)
endif()

# Compiled with ThreadSanitizer's and UBSan's calls, linked without their libraries: kernels/simt supplies the functions.
set(SEAMGATE_CHECKED_FLAGS -fsanitize=thread -fsanitize=alignment,bounds,signed-integer-overflow -fsanitize-recover=all
                           -fno-omit-frame-pointer -O1 -g)

# seamgate_add_kernel_library(NAME BUILD plain|checked NAMESPACE value SOURCES ... [INCLUDE_FIRST dir...] [DEFINES ...]
# [LINK ...])
#
# A static library of one host build of kernel sources. NAMESPACE is SIMT_BUILD, the inline namespace that keeps two
# builds in one program apart: plain, checked, or a mutant's name. INCLUDE_FIRST folders are searched before the
# repository root, so that a mutant can replace a header. BUILD checked makes nothing when SEAMGATE_HAS_CHECKED is OFF.
function(seamgate_add_kernel_library name)
  cmake_parse_arguments(arg "" "BUILD;NAMESPACE" "SOURCES;INCLUDE_FIRST;DEFINES;LINK" ${ARGN})
  if(NOT arg_BUILD MATCHES "^(plain|checked)$")
    message(FATAL_ERROR "seamgate_add_kernel_library(${name}): BUILD is '${arg_BUILD}', allowed are plain and checked")
  endif()
  if(arg_BUILD STREQUAL "checked" AND NOT SEAMGATE_HAS_CHECKED)
    message(STATUS "seamgate: ${name} is left out (checked)")
    return()
  endif()
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} BEFORE PRIVATE ${arg_INCLUDE_FIRST})
  seamgate_target(${name})
  target_link_libraries(${name} PUBLIC seamgate_simt ${arg_LINK})
  target_compile_definitions(${name} PRIVATE SIMT_BUILD=${arg_NAMESPACE} ${arg_DEFINES})
  if(arg_BUILD STREQUAL "checked")
    target_compile_definitions(${name} PRIVATE SIMT_CHECKED=1)
    target_compile_options(${name} PRIVATE ${SEAMGATE_CHECKED_FLAGS})
  else()
    target_compile_definitions(${name} PRIVATE SIMT_CHECKED=0)
  endif()
endfunction()
