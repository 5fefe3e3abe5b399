// Lines of program counters by a child process; reading DWARF here would be a library of its own.
#include "kernels/simt/source_lines.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "kernels/simt/block_text.hpp"

extern char** environ;

namespace seamgate::simt::host {
namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string last_component(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// User space ends below bit 47, so no real program counter has it.
constexpr std::uint64_t place_bit = 1ULL << 47;

struct Places {
  std::map<std::pair<const char*, int>, std::uint64_t> index;
  std::vector<Place> list;
};

Places& places() {
  static Places instance;  // guarded by the one-launch-at-a-time rule, as is the cache of lines
  return instance;
}

struct Located {
  std::string program;
  std::uint64_t address = 0;  // as the program file has it
  std::string fallback;
};

Located locate(std::uint64_t pc) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(pc), &info) == 0 || info.dli_fname == nullptr) return {"", pc, hex(pc)};
  const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  const bool fixed = static_cast<const Elf64_Ehdr*>(info.dli_fbase)->e_type == ET_EXEC;
  Located located{info.dli_fname, fixed ? pc : pc - base,
                  last_component(info.dli_fname) + "+" + hex(pc - base)};
  if (info.dli_sname != nullptr) {
    located.fallback =
        std::string(info.dli_sname) + "+" + hex(pc - reinterpret_cast<std::uint64_t>(info.dli_saddr));
  }
  // The main program's name may be relative to a folder that has been left since.
  if (located.program.find('/') == std::string::npos || access(located.program.c_str(), R_OK) != 0) {
    located.program = "/proc/self/exe";
  }
  if (located.program == "/proc/self/exe") {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) located.program.assign(path, static_cast<std::size_t>(length));
  }
  return located;
}

// Standard output of addr2line; empty when it could not run.
std::string run_addr2line(const std::string& program, const std::vector<std::string>& addresses) {
  std::vector<std::string> words = {"addr2line", "-e", program};
  words.insert(words.end(), addresses.begin(), addresses.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "addr2line", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  if (error == 0) {
    char buffer[4096];
    for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;) output.append(buffer, n);
    int status = 0;
    waitpid(child, &status, 0);
  }
  close(ends[0]);
  return output;
}

// "/a/b/forward.hpp:41 (discriminator 3)" to "forward.hpp:41"; "" for "??:0".
std::string short_line(const std::string& line) {
  const std::string text = last_component(line.substr(0, line.find(" (")));
  return text.rfind("??", 0) == 0 || text.ends_with(":?") || text.ends_with(":0") ? "" : text;
}

}  // namespace

std::uint64_t pc_of_place(Place place) {
  Places& all = places();
  const auto [found, is_new] = all.index.emplace(std::make_pair(place.file, place.line), all.list.size());
  if (is_new) all.list.push_back(place);
  return place_bit | found->second;
}

std::map<std::uint64_t, std::string> source_lines(const std::vector<std::uint64_t>& pcs) {
  static std::map<std::uint64_t, std::string> known;
  std::map<std::string, std::vector<std::pair<std::uint64_t, Located>>> by_program;
  for (const std::uint64_t pc : pcs) {
    if (known.count(pc) != 0) continue;
    if ((pc & place_bit) != 0) {
      known[pc] = place_text(places().list[pc & ~place_bit]);
      continue;
    }
    Located located = locate(pc - 1);  // the call itself, not what follows it
    known[pc] = located.fallback;
    if (!located.program.empty()) by_program[located.program].emplace_back(pc, std::move(located));
  }
  for (const auto& [program, asked] : by_program) {
    std::vector<std::string> addresses;
    for (const auto& [pc, located] : asked) addresses.push_back(hex(located.address));
    std::istringstream answers(run_addr2line(program, addresses));
    std::string line;
    for (const auto& [pc, located] : asked) {
      if (!std::getline(answers, line)) break;
      if (const std::string text = short_line(line); !text.empty()) known[pc] = text;
    }
  }
  std::map<std::uint64_t, std::string> result;
  for (const std::uint64_t pc : pcs) result[pc] = known[pc];
  return result;
}

}  // namespace seamgate::simt::host
