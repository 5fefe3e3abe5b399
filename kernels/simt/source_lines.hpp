// From program counters to "forward.hpp:41", by addr2line where it is installed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/simt/emulator.hpp"

namespace seamgate::simt::host {

// `pcs` are return addresses of calls. One addr2line process for each program file, results kept for the life
// of the process. Without addr2line or debug information: "symbol+0x12" or "program+0x1234".
std::map<std::uint64_t, std::string> source_lines(const std::vector<std::uint64_t>& pcs);

// A stand-in program counter for a place that is known by file and line; source_lines() turns it back.
std::uint64_t pc_of_place(Place place);

}  // namespace seamgate::simt::host
