# Options, toolchain facts and the flags of the arithmetic contract.

set(SEAMGATE_CUDA
    AUTO
    CACHE STRING "Build the CUDA part: AUTO (when nvcc is found), ON, OFF")
set_property(CACHE SEAMGATE_CUDA PROPERTY STRINGS AUTO ON OFF)
option(SEAMGATE_BUILD_TESTS "Build seamgate's own tests" ${PROJECT_IS_TOP_LEVEL})
option(SEAMGATE_BUILD_BENCHMARKS "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(SEAMGATE_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(SEAMGATE_WARNINGS_AS_ERRORS "Treat warnings as errors (CI does)" OFF)
set(SEAMGATE_SANITIZER
    ""
    CACHE STRING "Instrument with address, undefined or thread; leaves the checked emulator out")
set_property(CACHE SEAMGATE_SANITIZER PROPERTY STRINGS "" address undefined thread)

option(SEAMGATE_STATIC_RUNTIME "Link the compiler's libraries and Boost.Context into the program, so that it runs where they are not installed" ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE
      Release
      CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON) # __float128
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

set(SEAMGATE_HAS_CUDA OFF)
if(NOT SEAMGATE_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # SASS for Hopper, PTX for everything from Ampere on; "native" fails on a machine without a GPU.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES "80-virtual;90-real")
    endif()
    enable_language(CUDA)
    # CMake 3.25.1 does not yet know that nvcc has C++20 from 12.0 on; later ones set the same.
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.0)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    find_package(CUDAToolkit REQUIRED)
    set(SEAMGATE_HAS_CUDA ON)
  elseif(SEAMGATE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SEAMGATE_CUDA=ON, but no CUDA compiler was found (looked for nvcc on PATH and in CUDACXX)")
  endif()
endif()
message(STATUS "seamgate: CUDA part ${SEAMGATE_HAS_CUDA}, sanitizer '${SEAMGATE_SANITIZER}'")

find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS context)
if(SEAMGATE_STATIC_RUNTIME)
  # The archive instead of the shared library, under the same definitions: no object changes by it.
  find_library(SEAMGATE_BOOST_CONTEXT_ARCHIVE NAMES libboost_context.a)
  mark_as_advanced(SEAMGATE_BOOST_CONTEXT_ARCHIVE)
  get_target_property(configurations Boost::context IMPORTED_CONFIGURATIONS)
  if(SEAMGATE_BOOST_CONTEXT_ARCHIVE AND configurations)
    foreach(configuration IN LISTS configurations)
      set_target_properties(Boost::context PROPERTIES IMPORTED_LOCATION_${configuration} "${SEAMGATE_BOOST_CONTEXT_ARCHIVE}")
    endforeach()
  endif()
endif()
find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(
  Python3 3.9
  COMPONENTS Interpreter
  REQUIRED)
if(SEAMGATE_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()

# The arithmetic contract: no contraction, IEEE division and square root, so that the emulator's bits are the GPU's.
set(SEAMGATE_ARITHMETIC_FLAGS $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
                              $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
set(SEAMGATE_WARNING_FLAGS $<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
                           $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-restrict>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports -Wrestrict for `"text" + std::to_string(n)` (its bug 105651).
  list(APPEND SEAMGATE_WARNING_FLAGS $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(SEAMGATE_WARNINGS_AS_ERRORS)
  list(APPEND SEAMGATE_WARNING_FLAGS $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
