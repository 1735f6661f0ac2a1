// The C API: each call catches what the C++ one throws and says it by status.
#include <new>

#include <licit/deque.hpp>
#include <licit/licit.h>

static_assert(LICIT_MOST_AT_ONCE == licit::most_at_once);

namespace {

// No other file instantiates the deque over it. A program that is compiled without exceptions may instantiate the deque
// of `void*` over `native`, and the linker might take that one for both: it throws nothing that could be caught here.
struct archive_memory : licit::native {};

using owner_handle = licit::owner<void*, archive_memory>;

}  // namespace

struct licit_owner {
  owner_handle handle;
};

struct licit_stealer {
  licit::stealer<void*, archive_memory> handle;
};

namespace {

/// What else the handles throw, at the end of the index space or of options that were not valid, ends the program.
template <class Call>
licit_status status_of(Call&& call) noexcept {  // NOLINT(bugprone-exception-escape)
  try {
    call();
    return LICIT_OK;
  } catch (const licit::capacity_error&) {
    return LICIT_FULL;
  } catch (const std::bad_alloc&) {
    return LICIT_NO_MEMORY;
  }
}

licit::deque_options to_options(const licit_options* given) {
  licit::deque_options options;
  if (given != nullptr && given->initial_capacity != 0) options.initial_capacity = given->initial_capacity;
  if (given != nullptr && given->maximum_capacity != 0) options.maximum_capacity = given->maximum_capacity;
  return options;
}

}  // namespace

licit_status licit_owner_create(const licit_options* options, licit_owner** owner) {
  *owner = nullptr;
  const licit::deque_options all = to_options(options);
  if (!all.valid()) return LICIT_INVALID;
  return status_of([&] { *owner = new licit_owner{owner_handle(all)}; });
}

void licit_owner_destroy(licit_owner* owner) { delete owner; }

licit_status licit_push(licit_owner* owner, void* item) {
  return status_of([&] { owner->handle.push(item); });
}

licit_status licit_pop(licit_owner* owner, void** item) {
  const auto got = owner->handle.pop();
  if (!got) return LICIT_EMPTY;
  *item = *got;
  return LICIT_OK;
}

size_t licit_owner_size(const licit_owner* owner) { return owner->handle.size(); }

licit_status licit_stealer_create(const licit_owner* owner, licit_stealer** stealer) {
  *stealer = nullptr;
  return status_of([&] { *stealer = new licit_stealer{owner->handle.stealer()}; });
}

void licit_stealer_destroy(licit_stealer* stealer) { delete stealer; }

licit_status licit_steal(licit_stealer* stealer, void** item) {
  const auto got = stealer->handle.steal();
  if (got) *item = *got;
  return got ? LICIT_OK : got.is_lost() ? LICIT_LOST : LICIT_EMPTY;
}

licit_status licit_steal_half(licit_stealer* stealer, licit_owner* own, size_t most, void** item, size_t* moved) {
  const auto got = stealer->handle.steal_half(own->handle, most);
  if (!got) return got.is_lost() ? LICIT_LOST : LICIT_EMPTY;
  *item = *got;
  if (moved != nullptr) *moved = got.moved();
  return LICIT_OK;
}

size_t licit_stealer_size(const licit_stealer* stealer) { return stealer->handle.size(); }

const char* licit_version() { return licit::library_version().data(); }
const char* licit_digest() { return licit::library_digest().data(); }
