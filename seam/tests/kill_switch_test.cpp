// The words of a switch: which decline, which allow, and what is said of every other.
#include "seam/kill_switch.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace seamgate::seam {
namespace {

const std::string name = "SEAMGATE_TEST_SWITCH";

class KillSwitch : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv(name.c_str()); }
  static void set(const std::string& value) { ::setenv(name.c_str(), value.c_str(), 1); }
};

template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST_F(KillSwitch, TheOffWordsDecline) {
  for (const std::string word : {"0", "false", "off", "no", "FALSE", "Off", "nO"}) {
    set(word);
    EXPECT_FALSE(switch_allows(name)) << word;
    EXPECT_FALSE(switch_allows("OTHER", word)) << word;
  }
}

TEST_F(KillSwitch, UnsetAndTheOnWordsAllow) {
  EXPECT_TRUE(switch_allows(name));
  for (const std::string word : {"1", "true", "on", "yes", "TRUE", "On", "yEs"}) {
    set(word);
    EXPECT_TRUE(switch_allows(name)) << word;
  }
}

TEST_F(KillSwitch, EverythingElseIsAnErrorThatNamesVariableValueAndWords) {
  for (const std::string word :
       {"", " ", "maybe", "2", "-1", "00", "0 ", " off", "offf", "of", "nein", "disable", "\xff"}) {
    set(word);
    const std::string error = error_of([] { switch_allows(name); });
    EXPECT_NE(error.find(name + "='" + word + "'"), std::string::npos) << "'" << word << "' gave: " << error;
    for (const char* allowed : {"0, false, off, no", "1, true, on, yes", "unset"}) {
      EXPECT_NE(error.find(allowed), std::string::npos) << error;
    }
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST_F(KillSwitch, IsReadAtEveryCall) {
  for (const std::string word : {"off", "on", "off", "1", "0"}) {
    set(word);
    EXPECT_EQ(switch_allows(name), word == "on" || word == "1");
  }
}

TEST_F(KillSwitch, TheAdjointIsFusedUnlessTensorIsSaid) {
  EXPECT_EQ(adjoint_choice(name), Adjoint::fused);
  for (const std::string word : {"fused", "Fused", "FUSED"})
    EXPECT_EQ(adjoint_choice(name, word), Adjoint::fused) << word;
  for (const std::string word : {"tensor", "Tensor", "TENSOR"}) {
    set(word);
    EXPECT_EQ(adjoint_choice(name), Adjoint::tensor) << word;
  }
  for (const std::string word : {"", "0", "on", "tensors"}) {
    set(word);
    const std::string error = error_of([] { adjoint_choice(name); });
    EXPECT_NE(error.find(name + "='" + word + "'"), std::string::npos) << "'" << word << "' gave: " << error;
    EXPECT_NE(error.find("fused, tensor, or unset"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace seamgate::seam
