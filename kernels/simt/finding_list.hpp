// The findings of one launch while it runs: folded by kind and place, bounded, with program counters that
// become lines only at the end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/simt/checker.hpp"

namespace seamgate::simt::host {

class FindingList {
 public:
  static constexpr std::size_t max_findings = 64;

  void clear();
  bool empty() const { return drafts_.empty(); }

  // True: already there and counted once more, or the list is full; no text is needed.
  // There is always room for the finding that `ends` the launch.
  bool seen(std::string_view kind, std::uint64_t pc, std::uint64_t other_pc, std::string_view place = {},
            bool ends = false);

  // After seen() said no. In `text`, "{1}" and "{2}" stand for the lines of pc and other_pc.
  void add(std::string text);

  // Resolves the lines of all of them at once.
  std::vector<Finding> finish(const std::string& kernel) const;

 private:
  struct Draft {
    std::string kind;
    std::uint64_t pc;
    std::uint64_t other_pc;
    std::string text;
    int count;
  };
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t, std::string>, std::size_t> index_;
  std::vector<Draft> drafts_;
};

}  // namespace seamgate::simt::host
