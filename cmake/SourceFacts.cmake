# Writes OUTPUT, a header with the commit, the dirty state and a hash of the sources that a verdict depends on. Run at every
# build; the header changes only when a fact does.
file(
  GLOB_RECURSE sources
  RELATIVE "${SOURCE}"
  "${SOURCE}/kernels/*" "${SOURCE}/tensor/*" "${SOURCE}/seam/*" "${SOURCE}/reference/*" "${SOURCE}/gates/*" "${SOURCE}/fixtures/data/*")
list(FILTER sources EXCLUDE REGEX "/tests/|__pycache__")
list(SORT sources)
set(hashes "")
foreach(source ${sources})
  file(SHA256 "${SOURCE}/${source}" hash)
  string(APPEND hashes "${hash} ${source}\n")
endforeach()
string(SHA256 sources_hash "${hashes}")

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
    "// Written by cmake/SourceFacts.cmake.\n#pragma once\n\nnamespace seamgate::source_facts {\ninline constexpr const char* commit = \"${commit}\"\;\ninline constexpr bool dirty = ${dirty}\;\ninline constexpr const char* sources_sha256 = \"${sources_hash}\"\;\n}  // namespace seamgate::source_facts\n"
)
string(REPLACE "\\;" ";" text "${text}")
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
