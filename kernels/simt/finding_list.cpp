// Folding of findings and their final text.
#include "kernels/simt/finding_list.hpp"

#include "kernels/simt/source_lines.hpp"

namespace seamgate::simt::host {
namespace {

void replace(std::string& text, std::string_view what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

void FindingList::clear() {
  index_.clear();
  drafts_.clear();
}

bool FindingList::seen(std::string_view kind, std::uint64_t pc, std::uint64_t other_pc,
                       std::string_view place, bool ends) {
  const auto key = std::make_tuple(std::string(kind), pc, other_pc, std::string(place));
  if (const auto found = index_.find(key); found != index_.end()) {
    ++drafts_[found->second].count;
    return true;
  }
  if (drafts_.size() >= (ends ? max_findings : max_findings - 1)) return true;
  index_.emplace(key, drafts_.size());
  drafts_.push_back({std::string(kind), pc, other_pc, "", 1});
  return false;
}

void FindingList::add(std::string text) {
  drafts_.back().text = std::move(text);
}

std::vector<Finding> FindingList::finish(const std::string& kernel) const {
  std::vector<std::uint64_t> pcs;
  for (const Draft& draft : drafts_) {
    for (const std::uint64_t pc : {draft.pc, draft.other_pc}) {
      if (pc != 0) pcs.push_back(pc);
    }
  }
  const std::map<std::uint64_t, std::string> lines = source_lines(pcs);
  const auto line_of = [&](std::uint64_t pc) {
    const auto found = lines.find(pc);
    return found == lines.end() ? std::string("an unknown line") : found->second;
  };
  std::vector<Finding> result;
  for (const Draft& draft : drafts_) {
    std::string text = draft.text;
    replace(text, "{1}", line_of(draft.pc));
    replace(text, "{2}", line_of(draft.other_pc));
    if (draft.count > 1) text += " (" + std::to_string(draft.count) + " times)";
    result.push_back({draft.kind, kernel, draft.kind + ": " + kernel + ", " + text, draft.count});
  }
  return result;
}

}  // namespace seamgate::simt::host
