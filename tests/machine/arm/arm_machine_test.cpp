/// What instructions compute, where the binaries of models/machine/binary do not show it.
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "machine/arm/instruction.hpp"
#include "machine/arm/machine.hpp"

namespace {

using namespace licit::arm;

std::uint64_t computed(std::uint32_t word, std::uint64_t x1) {
  machine m;
  m.x[1] = x1;
  m.run(decode(word));
  return m.x[0];
}

TEST(ArmMachine, Masks) {
  EXPECT_EQ(computed(0x92400020, 0xFF), 1U);                      // and x0, x1, #1
  EXPECT_EQ(computed(0x9200F020, 0xFF), 0x55U);                   // and x0, x1, #0x5555555555555555
  EXPECT_EQ(computed(0xB201F020, 0), 0xAAAA'AAAA'AAAA'AAAAU);     // orr x0, x1, #0xaaaaaaaaaaaaaaaa
  EXPECT_EQ(computed(0x93401C20, 0x80), 0xFFFF'FFFF'FFFF'FF80U);  // sxtb x0, w1
  EXPECT_EQ(computed(0x13001C20, 0x80), 0xFFFF'FF80U);            // sxtb w0, w1
  EXPECT_EQ(computed(0xD344FC20, 0x1234), 0x123U);                // lsr x0, x1, #4
  EXPECT_EQ(computed(0x53047C20, 0xF'0000'1234), 0x123U);         // lsr w0, w1, #4
}

TEST(ArmMachine, MasksThatAreNoneAreRefused) {
  // and, orr, sbfm, ubfm by elements of one bit and of none.
  for (const std::uint32_t word :
       std::array{0x9200F820U, 0x9200FC20U, 0xB200FC20U, 0x1300F820U, 0x1300FC20U, 0x5300FC20U}) {
    EXPECT_THROW(computed(word, 1), refused) << std::hex << word;
  }
}

}  // namespace
