// The C API. Its memory is operator new's, so this program replaces that with one that can be told to fail.
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <licit/deque/version.hpp>
#include <licit/digest.hpp>
#include <licit/licit.h>

#include <gtest/gtest.h>

namespace {

constexpr int never = -1;
int allocations_until_failure = never;  // this program has one thread

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (allocations_until_failure == 0) throw std::bad_alloc();
  if (allocations_until_failure > 0) --allocations_until_failure;
  void* const place = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (place == nullptr) throw std::bad_alloc();
  return place;
}

}  // namespace

// Not inlined: where g++ inlines only one of the two, it warns of a `free` that does not match a `new`.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t a) {
  return allocate(bytes, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::align_val_t) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }

namespace {

/// The nth allocation from here on fails, and all after it, until the end of the scope.
struct memory_ends_after {
  explicit memory_ends_after(int allocations) { allocations_until_failure = allocations; }
  memory_ends_after(const memory_ends_after&) = delete;
  memory_ends_after& operator=(const memory_ends_after&) = delete;
  ~memory_ends_after() { allocations_until_failure = never; }
};

class CApi : public ::testing::Test {
 protected:
  void make(std::size_t initial, std::size_t maximum) {
    const licit_options options{initial, maximum};
    ASSERT_EQ(licit_owner_create(&options, &owner), LICIT_OK);
    ASSERT_EQ(licit_stealer_create(owner, &stealer), LICIT_OK);
  }
  ~CApi() override {
    licit_owner_destroy(owner);
    licit_stealer_destroy(stealer);
  }

  licit_owner* owner = nullptr;
  licit_stealer* stealer = nullptr;
  int items[8] = {};
  void* got = nullptr;
};

TEST_F(CApi, TheOwnerPopsTheYoungestAndStealersTakeTheOldest) {
  make(0, 0);
  for (int& item : items) ASSERT_EQ(licit_push(owner, &item), LICIT_OK);
  EXPECT_EQ(licit_owner_size(owner), 8U);
  EXPECT_EQ(licit_stealer_size(stealer), 8U);
  EXPECT_EQ(licit_pop(owner, &got), LICIT_OK);
  EXPECT_EQ(got, &items[7]);
  EXPECT_EQ(licit_steal(stealer, &got), LICIT_OK);
  EXPECT_EQ(got, &items[0]);
  EXPECT_EQ(licit_owner_size(owner), 6U);
}

TEST_F(CApi, HalfOfTheItemsGoToTheThiefsOwnDeque) {
  make(0, 0);
  licit_owner* own = nullptr;
  const licit_options small{1, 4};
  ASSERT_EQ(licit_owner_create(&small, &own), LICIT_OK);
  size_t moved = 7;
  got = items;
  EXPECT_EQ(licit_steal_half(stealer, own, LICIT_MOST_AT_ONCE, &got, &moved), LICIT_EMPTY);
  EXPECT_EQ(got, items);
  EXPECT_EQ(moved, 7U) << "unchanged";
  for (int& item : items) ASSERT_EQ(licit_push(owner, &item), LICIT_OK);
  EXPECT_EQ(licit_steal_half(stealer, own, 0, &got, &moved), LICIT_EMPTY) << "none were asked for";
  EXPECT_EQ(got, items);
  EXPECT_EQ(licit_owner_size(own), 0U);
  EXPECT_EQ(licit_steal_half(stealer, own, 3, &got, &moved), LICIT_OK);
  EXPECT_EQ(got, &items[0]);
  EXPECT_EQ(moved, 2U);
  EXPECT_EQ(licit_owner_size(own), 2U);
  {
    const memory_ends_after none(0);
    EXPECT_EQ(licit_steal_half(stealer, own, LICIT_MOST_AT_ONCE, &got, nullptr), LICIT_OK) << "no room is no failure";
    EXPECT_EQ(got, &items[3]);
  }
  EXPECT_EQ(licit_owner_size(own), 2U);
  EXPECT_EQ(licit_pop(own, &got), LICIT_OK);
  EXPECT_EQ(got, &items[2]);
  EXPECT_EQ(licit_owner_size(owner), 4U);
  licit_owner_destroy(own);
}

TEST_F(CApi, AnEmptyDequeLeavesTheItemUnchanged) {
  make(1, 1);
  got = items;
  EXPECT_EQ(licit_pop(owner, &got), LICIT_EMPTY);
  EXPECT_EQ(licit_steal(stealer, &got), LICIT_EMPTY);
  EXPECT_EQ(got, items);
}

TEST_F(CApi, ANullPointerIsAnItem) {
  make(1, 1);
  got = items;
  ASSERT_EQ(licit_push(owner, nullptr), LICIT_OK);
  EXPECT_EQ(licit_pop(owner, &got), LICIT_OK);
  EXPECT_EQ(got, nullptr);
}

TEST_F(CApi, NullOptionsAndZerosAreTheDefaults) {
  ASSERT_EQ(licit_owner_create(nullptr, &owner), LICIT_OK);
  for (int i = 0; i != 256; ++i) {
    const memory_ends_after none(0);
    ASSERT_EQ(licit_push(owner, items), LICIT_OK) << "the 256 slots of the default are there from the start";
  }
  EXPECT_EQ(licit_push(owner, items), LICIT_OK);
  EXPECT_EQ(licit_owner_size(owner), 257U);
}

TEST_F(CApi, AFullDequeSaysSoAndKeepsItsItems) {
  make(1, 2);
  EXPECT_EQ(licit_push(owner, &items[0]), LICIT_OK);
  EXPECT_EQ(licit_push(owner, &items[1]), LICIT_OK);
  EXPECT_EQ(licit_push(owner, &items[2]), LICIT_FULL);
  EXPECT_EQ(licit_owner_size(owner), 2U);
  EXPECT_EQ(licit_pop(owner, &got), LICIT_OK);
  EXPECT_EQ(got, &items[1]);
  EXPECT_EQ(licit_push(owner, &items[2]), LICIT_OK);
}

TEST_F(CApi, CapacitiesOutOfRangeAreInvalidAndMakeNoOwner) {
  const std::size_t too_large = std::size_t{1} << 41;
  for (const licit_options& options : std::vector<licit_options>{{3, 8}, {8, 4}, {1, 12}, {too_large, too_large}}) {
    owner = reinterpret_cast<licit_owner*>(items);
    EXPECT_EQ(licit_owner_create(&options, &owner), LICIT_INVALID);
    EXPECT_EQ(owner, nullptr);
  }
}

TEST_F(CApi, EachAllocationOfTheMakingMayFail) {
  int failures = 0;
  licit_status status = LICIT_NO_MEMORY;
  while (status == LICIT_NO_MEMORY) {
    ASSERT_LT(failures, 16);
    owner = reinterpret_cast<licit_owner*>(items);
    const memory_ends_after so_many(failures);
    status = licit_owner_create(nullptr, &owner);
    if (status == LICIT_NO_MEMORY) {
      ++failures;
      ASSERT_EQ(owner, nullptr);
    }
  }
  EXPECT_EQ(status, LICIT_OK);
  EXPECT_EQ(failures, 3) << "the deque, its ring, the handle";
}

TEST_F(CApi, AStealerWithoutMemoryIsNotMade) {
  make(1, 1);
  licit_stealer* second = stealer;
  const memory_ends_after none(0);
  EXPECT_EQ(licit_stealer_create(owner, &second), LICIT_NO_MEMORY);
  EXPECT_EQ(second, nullptr);
}

TEST_F(CApi, APushWithoutMemoryChangesNothingAndALaterOneSucceeds) {
  make(1, 0);
  ASSERT_EQ(licit_push(owner, &items[0]), LICIT_OK);
  {
    const memory_ends_after none(0);
    EXPECT_EQ(licit_push(owner, &items[1]), LICIT_NO_MEMORY);
    EXPECT_EQ(licit_owner_size(owner), 1U);
  }
  EXPECT_EQ(licit_push(owner, &items[1]), LICIT_OK);
  EXPECT_EQ(licit_steal(stealer, &got), LICIT_OK);
  EXPECT_EQ(got, &items[0]);
}

TEST_F(CApi, StealersOutliveTheOwner) {
  make(1, 0);
  for (int& item : items) ASSERT_EQ(licit_push(owner, &item), LICIT_OK);
  licit_owner_destroy(owner);
  owner = nullptr;
  for (int& item : items) {
    ASSERT_EQ(licit_steal(stealer, &got), LICIT_OK);
    EXPECT_EQ(got, &item);
  }
  EXPECT_EQ(licit_steal(stealer, &got), LICIT_EMPTY);
}

TEST(CApiNull, HandlesMayBeDestroyed) {
  licit_owner_destroy(nullptr);
  licit_stealer_destroy(nullptr);
}

TEST(CApiVersion, IsTheArchivesAndThatOfTheHeaders) {
  EXPECT_EQ(std::string(licit_version()), licit::header_version);
  EXPECT_EQ(licit::library_version(), licit::header_version);
  EXPECT_EQ(std::string(licit_digest()), licit::header_digest);
  EXPECT_EQ(licit::library_digest(), licit::header_digest);
}

}  // namespace
