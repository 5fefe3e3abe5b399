// Child processes: how they end is known, and none outlives its time.
#include "gates/app/spawn.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gates/tests/temporary_folder.hpp"

namespace seamgate::gates {
namespace {

using Environment = std::map<std::string, std::optional<std::string>>;

std::vector<std::string> shell(const std::string& script) {
  return {"/bin/sh", "-c", script};
}

ChildResult run(const std::string& script, const Environment& environment = {}, double timeout_s = 60,
                const std::string& output = {}) {
  return Child(shell(script), environment, timeout_s, output).wait();
}

// Whether the process is there and no zombie.
bool alive(int pid) {
  const std::string stat = text_of("/proc/" + std::to_string(pid) + "/stat");
  return !stat.empty() && stat[stat.rfind(')') + 2] != 'Z';
}

bool gone_within(int pid, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (!alive(pid)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(Child, ItsExitCodeIsKnown) {
  for (const int code : {0, 3, 77, 255}) {
    const auto result = run("exit " + std::to_string(code));
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.signal, 0);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.describe(), "exit " + std::to_string(code));
  }
}

TEST(Child, ASignalIsNoExitCode) {
  const auto result = run("kill -SEGV $$");
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.describe(), "signal 11 (Segmentation fault)");
}

TEST(Child, ATimeOutEndsIt) {
  const auto result = run("sleep 60", {}, 0.2);
  EXPECT_TRUE(result.timed_out);
  EXPECT_NE(result.exit_code, 0);
  EXPECT_LT(result.seconds, 20.0);
  EXPECT_EQ(result.describe().substr(0, 13), "timeout after");
}

TEST(Child, OneThatIgnoresTheFirstSignalIsEndedByTheSecond) {
  const auto result = run("trap '' TERM; while :; do sleep 0.05; done", {}, 0.2);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_LT(result.seconds, 30.0);
}

TEST(Child, WhatItStartedEndsWithIt) {
  TemporaryFolder folder;
  const std::string pid_file = folder / "pid";
  const auto result = run("sleep 300 >/dev/null 2>&1 & echo $! >" + pid_file + "; exit 0");
  EXPECT_EQ(result.exit_code, 0);
  const int grandchild = std::stoi(text_of(pid_file));
  EXPECT_TRUE(gone_within(grandchild, 20)) << grandchild;
}

TEST(Child, WhatItStartedEndsWhenItsTimeIsUp) {
  TemporaryFolder folder;
  const std::string pid_file = folder / "pid";
  const auto result = run("sleep 300 >/dev/null 2>&1 & echo $! >" + pid_file + "; wait", {}, 1.0);
  EXPECT_TRUE(result.timed_out);
  EXPECT_TRUE(gone_within(std::stoi(text_of(pid_file)), 20));
}

TEST(Child, GetsTheEnvironmentThatWasChosen) {
  ::setenv("SEAMGATE_TEST_KEPT", "kept", 1);
  ::setenv("SEAMGATE_TEST_TAKEN", "there", 1);
  ::setenv("SEAMGATE_TEST_REPLACED", "old", 1);
  TemporaryFolder folder;
  const std::string output = folder / "output";
  const auto result = run(
      "echo $SEAMGATE_TEST_KEPT ${SEAMGATE_TEST_TAKEN-unset} $SEAMGATE_TEST_REPLACED "
      "${SEAMGATE_TEST_EMPTY-unset}.",
      {{"SEAMGATE_TEST_TAKEN", std::nullopt}, {"SEAMGATE_TEST_REPLACED", "new"}, {"SEAMGATE_TEST_EMPTY", ""}},
      60, output);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(text_of(output), "kept unset new .\n");
  EXPECT_STREQ(std::getenv("SEAMGATE_TEST_TAKEN"), "there") << "the parent keeps its own";
  for (const char* name : {"SEAMGATE_TEST_KEPT", "SEAMGATE_TEST_TAKEN", "SEAMGATE_TEST_REPLACED"})
    ::unsetenv(name);
}

TEST(Child, AProgramThatIsNotThereIsAnErrorThatNamesIt) {
  try {
    Child({"/no/such/program"}, {}, 1);
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot start '/no/such/program': No such file or directory");
  }
}

TEST(Child, OneThatNobodyWaitedForEndsWithItsObject) {
  TemporaryFolder folder;
  const std::string pid_file = folder / "pid";
  {
    const Child child(shell("echo $$ >" + pid_file + ".part; mv " + pid_file + ".part " + pid_file +
                            "; exec sleep 300 >/dev/null 2>&1"),
                      {}, 60);
    while (text_of(pid_file).empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(gone_within(std::stoi(text_of(pid_file)), 20))
      << "an exception in the parent must leave no process behind";
}

TEST(OwnProgram, IsThisFile) {
  EXPECT_TRUE(std::filesystem::equivalent(own_program(), "/proc/self/exe"));
}

}  // namespace
}  // namespace seamgate::gates
