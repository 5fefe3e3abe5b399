# shellcheck shell=bash disable=SC2034
# What the scripts in ci/ share: where the repository is, how they speak, how a long step shows that it lives.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
me=$(basename "$0")
usage_exit=64
broken_exit=70

say() { printf '%s: %s\n' "$me" "$*" >&2; }

# die CODE MESSAGE: one line, and out.
die() {
  local code=$1
  shift
  say "$*"
  exit "$code"
}

jobs_of_this_machine() { nproc 2>/dev/null || echo 2; }

# with_log LABEL LOG COMMAND...: runs COMMAND with its output in LOG, and a line on the screen every ten seconds, with
# ninja's own count where there is one. A failure shows the end of the log. The exit code is the command's.
with_log() {
  local label=$1 log=$2 started=$SECONDS code=0 pid
  shift 2
  mkdir -p "$(dirname "$log")"
  setsid "$@" >"$log" 2>&1 & # a process group of its own: what the command started ends with it
  pid=$!
  # shellcheck disable=SC2064
  trap "kill -TERM -- -$pid 2>/dev/null; exit 130" INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    for _ in {1..50}; do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.2
    done
    kill -0 "$pid" 2>/dev/null || break
    say "$label: $((SECONDS - started)) s $(grep -oE '^\[[0-9]+/[0-9]+\]' "$log" 2>/dev/null | tail -n 1)"
  done
  wait "$pid" || code=$?
  trap - INT TERM
  if ((code != 0)); then
    say "$label failed after $((SECONDS - started)) s; the end of $log:"
    tail -n 60 "$log" >&2
    return "$code"
  fi
  say "$label: done in $((SECONDS - started)) s"
}

# Prints the path of nvcc, or nothing. CUDACXX is obeyed as CMake obeys it.
find_nvcc() {
  if [[ -n ${CUDACXX:-} ]]; then
    command -v "$CUDACXX" || true
  else
    command -v nvcc || { [[ ! -x /usr/local/cuda/bin/nvcc ]] || echo /usr/local/cuda/bin/nvcc; }
  fi
}

# configure_and_build PRESET [TARGET]: into build/PRESET, everything or one target.
configure_and_build() {
  local preset=$1 build="$root/build/$1" launcher=() target=() nvcc
  if [[ -n ${2:-} ]]; then target=(--target "$2"); fi
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    if [[ $preset == cuda ]]; then launcher+=(-DCMAKE_CUDA_COMPILER_LAUNCHER=ccache); fi
  fi
  # A warning stops a change in continuous integration, and nobody else: a kernel under test may have some.
  if [[ -n ${CI:-} ]]; then launcher+=(-DSEAMGATE_WARNINGS_AS_ERRORS=ON); fi
  if [[ $preset == cuda ]]; then
    nvcc=$(find_nvcc)
    export CUDACXX=$nvcc
  fi
  with_log "configure ($preset)" "$build/configure.log" cmake -S "$root" --preset "$preset" "${launcher[@]}" || return
  with_log "build ($preset)" "$build/build.log" cmake --build "$build" -j "$(jobs_of_this_machine)" "${target[@]}"
}

# The environment that ci/setup made, first: the report's picture is drawn by its Python.
use_own_python() {
  if [[ -x $root/.venv/bin/python3 ]]; then export PATH="$root/.venv/bin:$PATH"; fi
}
