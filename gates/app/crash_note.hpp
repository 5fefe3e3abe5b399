// What is written of gates whose process did not come to its end.
#pragma once

#include <string>
#include <vector>

#include "gates/app/spawn.hpp"
#include "gates/record.hpp"

namespace seamgate::gates {

// `keys`: the gates that the process was to run, in order; `folder`: of their records. Every gate without an end gets a record:
// the one that was running has crashed, and the case that it was at is named; those after it did not run. A process that died
// after its last gate's end is that gate's crash.
void note_crash(const std::vector<RecordKey>& keys, const std::string& folder, const ChildResult& result);

// The same for a process however it ended: one that ended well and left a gate without an end was ended by what it ran.
void note_end(const std::vector<RecordKey>& keys, const std::string& folder, const ChildResult& result);

}  // namespace seamgate::gates
