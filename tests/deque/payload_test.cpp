// What a deque can hold, and who destroys it.
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/deque.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/lockstep.hpp"

namespace {

using licit::owner;
using licit::stealer;
using licit_test::counted;
using licit_test::counting_memory;
using licit_test::no_default;
using licit_test::number;
using licit_test::twins;

enum class colour : std::uint8_t {};

template <class T>
class Payload : public ::testing::Test {};
using payloads = ::testing::Types<std::uint64_t, std::uint32_t, std::uint16_t, no_default, twins, double, colour,
                                  std::unique_ptr<counted>>;
TYPED_TEST_SUITE(Payload, payloads);

TYPED_TEST(Payload, ArrivesAsItWasPushed) {
  static_assert(!std::is_default_constructible_v<no_default>);
  counting_memory memory;
  const licit::deque_options options{.initial_capacity = 2, .maximum_capacity = 1024, .memory = &memory};
  using deque_owner = owner<TypeParam, licit::native_checked>;
  {
    licit_test::lockstep<TypeParam, deque_owner> pair(deque_owner(options), options, memory);
    std::mt19937_64 random(7);
    for (int i = 0; i != 3'000; ++i) {
      const auto choice = random() % 8;
      if (choice < 4) {
        ASSERT_NO_THROW(pair.push());
      }
      if (choice == 4 || choice == 5) {
        ASSERT_NO_THROW(pair.pop());
      }
      if (choice == 6) {
        ASSERT_NO_THROW(pair.steal());
      }
      if (choice == 7) memory.failing = !memory.failing;
    }
    memory.failing = false;
    for (int i = 0; i != 40; ++i) ASSERT_NO_THROW(pair.push());
    pair.destroy_owner();
    for (int i = 0; i != 20; ++i) ASSERT_NO_THROW(pair.steal());
    ASSERT_GT(pair.size(), 0U) << "some items were to be left for the last handle";
  }
  EXPECT_EQ(counted::live(), 0);
  EXPECT_EQ(memory.live_bytes(), 0U);
}

TEST(OwningPayload, ItemsLeftAreDestroyedWithTheDequeOnceEach) {
  {
    owner<std::unique_ptr<counted>> mine({.initial_capacity = 2});
    for (number n = 0; n != 100; ++n) mine.push(std::make_unique<counted>(n));
    EXPECT_EQ(counted::live(), 100);
    for (int i = 0; i != 10; ++i) EXPECT_TRUE(mine.pop().has_value());
    EXPECT_EQ(counted::live(), 90);
  }
  EXPECT_EQ(counted::live(), 0);
}

TEST(OwningPayload, TheLastStealerDestroysWhatIsLeft) {
  std::optional<owner<std::unique_ptr<counted>>> mine(std::in_place);
  std::optional<stealer<std::unique_ptr<counted>>> thief(mine->stealer());
  std::optional<stealer<std::unique_ptr<counted>>> last(*thief);
  for (number n = 0; n != 10; ++n) mine->push(std::make_unique<counted>(n));
  mine.reset();
  EXPECT_EQ(counted::live(), 10) << "the owner's end is not the deque's";
  EXPECT_EQ((*thief->steal())->value(), 0U);
  EXPECT_EQ(counted::live(), 9) << "the stolen item died with the statement";
  thief.reset();
  EXPECT_EQ(counted::live(), 9);
  last.reset();
  EXPECT_EQ(counted::live(), 0);
}

TEST(OwningPayload, AssigningToAnOwnerDestroysTheItemsOfItsOldDeque) {
  owner<std::unique_ptr<counted>> mine;
  mine.push(std::make_unique<counted>(1));
  mine = owner<std::unique_ptr<counted>>();
  EXPECT_EQ(counted::live(), 0);
  EXPECT_TRUE(mine.empty());
}

TEST(OwningPayload, ANullPointerIsAnItem) {
  owner<std::unique_ptr<counted>> mine;
  mine.push(nullptr);
  mine.push(nullptr);
  EXPECT_EQ(mine.size(), 2U);
  const auto popped = mine.pop();
  ASSERT_TRUE(popped.has_value()) << "a null item is not an empty deque";
  EXPECT_EQ(*popped, nullptr);
  const auto stolen = mine.stealer().steal();
  ASSERT_TRUE(stolen);
  EXPECT_EQ(*stolen, nullptr);
  EXPECT_FALSE(mine.pop().has_value());
}

struct tallying_deleter {
  static inline int calls = 0;
  void operator()(counted* p) const {
    ++calls;
    delete p;
  }
};

TEST(OwningPayload, AStatelessDeleterIsTheOneThatIsCalled) {
  tallying_deleter::calls = 0;
  {
    owner<std::unique_ptr<counted, tallying_deleter>> mine;
    for (number n = 0; n != 3; ++n) mine.push(std::unique_ptr<counted, tallying_deleter>(new counted(n)));
    EXPECT_TRUE(mine.pop().has_value());
    EXPECT_EQ(tallying_deleter::calls, 1);
  }
  EXPECT_EQ(tallying_deleter::calls, 3);
  EXPECT_EQ(counted::live(), 0);
}

TEST(OwningPayload, AnArrayIsDeletedAsAnArray) {
  owner<std::unique_ptr<std::string[]>> mine;
  mine.push(std::make_unique<std::string[]>(3));
  auto words = mine.pop();
  ASSERT_TRUE(words.has_value());
  (*words)[2] = "a string that is too long for the small buffer of std::string";
  mine.push(std::move(*words));  // destroyed with the deque; AddressSanitizer sees a mismatched or missing delete
  EXPECT_EQ(mine.size(), 1U);
}

}  // namespace
