# Writes OUTPUT, a header with the commit, the dirty state and a hash of the sources that a verdict depends on. Run at every
# build; the header changes only when a fact does.
file(
  GLOB_RECURSE sources
  RELATIVE "${SOURCE}"
  "${SOURCE}/kernels/*" "${SOURCE}/tensor/*" "${SOURCE}/seam/*" "${SOURCE}/reference/*" "${SOURCE}/gates/*" "${SOURCE}/fixtures/data/*")
list(FILTER sources EXCLUDE REGEX "/tests/|__pycache__")
list(SORT sources)
set(hashes "")
set(kernel_hashes "") # what runs on a device and how it gets there
set(gate_hashes "") # what judges it
foreach(source ${sources})
  file(SHA256 "${SOURCE}/${source}" hash)
  string(APPEND hashes "${hash} ${source}\n")
  if(source MATCHES "^(kernels|tensor|seam)/")
    string(APPEND kernel_hashes "${hash} ${source}\n")
  elseif(source MATCHES "^gates/")
    string(APPEND gate_hashes "${hash} ${source}\n")
  endif()
endforeach()
string(SHA256 sources_hash "${hashes}")
# reports/seamgate_account/sources.py computes these two anew, to hold evidence against a checkout.
string(SHA256 kernel_sources_hash "${kernel_hashes}")
string(SHA256 gate_sources_hash "${gate_hashes}")

# An archive made by git carries its commit in this file; a checkout asks git.
set(commit "unknown")
set(dirty "false")
file(READ "${SOURCE}/cmake/ArchivedCommit.txt" archived)
string(STRIP "${archived}" archived)
if(archived MATCHES "^[0-9a-f]+$")
  set(commit "${archived}")
endif()
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(
    COMMAND ${GIT} -C "${SOURCE}" rev-parse HEAD
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(
    COMMAND ${GIT} -C "${SOURCE}" status --porcelain
    OUTPUT_VARIABLE changes
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(changes)
    set(dirty "true")
  endif()
endif()
set(text
    "// Written by cmake/SourceFacts.cmake.\n#pragma once\n\nnamespace seamgate::source_facts {\ninline constexpr const char* commit = \"${commit}\"\;\ninline constexpr bool dirty = ${dirty}\;\ninline constexpr const char* sources_sha256 = \"${sources_hash}\"\;\ninline constexpr const char* kernel_sources_sha256 = \"${kernel_sources_hash}\"\;\ninline constexpr const char* gate_sources_sha256 = \"${gate_sources_hash}\"\;\n}  // namespace seamgate::source_facts\n"
)
string(REPLACE "\\;" ";" text "${text}")
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
