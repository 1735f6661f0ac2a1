/// The program's memory: in an execution the engine's blocks, whose addresses are the same each time; before main a
/// part of its own, which is put back with the globals. What libc allocates for itself is libc's.
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <unordered_set>

#include "runtime.hpp"
#include "show/words.hpp"

extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace licit::unmodified {

namespace {

constexpr std::size_t least_alignment = 16;
constexpr std::size_t page = 4096;

/// What the program's constructors allocate before main.
struct early {
  static constexpr std::size_t room = std::size_t{4} << 20;
  alignas(page) std::array<std::byte, room> bytes;  ///< so that its pages can be locked
  std::array<bool, room / least_alignment> begins;  ///< whether a block does, at each multiple of the least alignment
  std::size_t used;
  bool open;

  [[nodiscard]] bool has(const void* p) const { return p >= bytes.data() && p < bytes.data() + room; }
  [[nodiscard]] bool begins_at(const void* p) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(p) - bytes.data());
    return offset % least_alignment == 0 && begins[offset / least_alignment];
  }
  /// The address is aligned, wherever the room begins. As libc does, to a power of two.
  void* allocate(std::size_t size, std::size_t alignment) {
    if (alignment > room) return nullptr;
    const auto base = reinterpret_cast<address>(bytes.data());
    const address step = std::bit_ceil(std::max(alignment, least_alignment));
    const std::size_t start = (base + used + least_alignment + step - 1) / step * step - base;
    if (start > room || size > room - start) return nullptr;
    std::memcpy(&bytes[start - sizeof size], &size, sizeof size);
    begins[start / least_alignment] = true;
    used = start + size;
    return &bytes[start];
  }
  static std::size_t size_of(const void* p) {
    std::size_t size = 0;
    std::memcpy(&size, static_cast<const std::byte*>(p) - sizeof size, sizeof size);
    return size;
  }
};
early before_main;
std::vector<const site*> makers;  ///< of the engine's blocks

bool is_block(const void* p) {
  if (!has_engine()) return false;
  const auto all = engine().memory().arenas();
  return p >= all.data() && p < all.data() + all.size();
}

[[gnu::noinline]] void* give(std::size_t size, std::size_t alignment, const void* caller) {
  const inside in;
  executor& e = engine();
  try {
    const auto b =
        e.memory().allocate(e.thread(), std::max<std::size_t>(size, 1), std::max(alignment, least_alignment));
    if (b >= makers.size()) makers.resize(b + std::size_t{1});
    makers[b] = &site_of(caller);
    return e.memory().at(b).address;
  } catch (const std::bad_alloc&) {
    refuse("allocates more than the 4 MB that a thread may have in one execution");
  }
  return nullptr;
}

/// Reports the running thread, which frees what is no block.
void object_to_free(const void* p) {
  const inside in;
  name_sites();
  object(violation::bad_free, ": frees " + place_name(reinterpret_cast<address>(p)) + ", where no block begins");
}

[[gnu::noinline]] void take(void* p, const void* caller) {
  const inside in;
  executor& e = engine();
  const auto b = e.memory().find(p);
  if (b == checker::detail::no_block) object_to_free(p);
  note(reinterpret_cast<address>(p), e.memory().at(b).size, touch::free, site_of(caller));
  e.memory().at(b).freed = true;
}

/// Of what libc has not given out.
void expect_no_memory_of_the_program(const void* p) {
  if (is_explored() && place_of(reinterpret_cast<address>(p)).part >= 0) object_to_free(p);
}

bool libc_allocates = false;  ///< in executions, for itself or for the program

void* allocate(std::size_t size, std::size_t alignment, const void* caller) {
  const auto code = reinterpret_cast<address>(caller);
  if (is_explored() && !is_of_libc(code)) return give(size, alignment, caller);
  if (before_main.open && !is_of_libc(code)) return before_main.allocate(size, alignment);
  if (is_explored()) libc_allocates = true;
  return alignment <= least_alignment ? __libc_malloc(size) : __libc_memalign(alignment, size);
}

void release(void* p, const void* caller) {
  if (p == nullptr) return;
  if (before_main.has(p)) {
    if (!is_explored()) return;
    if (!before_main.begins_at(p)) object_to_free(p);
    const inside in;
    note(reinterpret_cast<address>(p), early::size_of(p), touch::free, site_of(caller));
  } else if (!is_block(p)) {
    expect_no_memory_of_the_program(p);
    __libc_free(p);
  } else if (is_explored()) {
    take(p, caller);
  }
}

std::size_t size_of(void* p) {
  if (before_main.has(p)) return before_main.begins_at(p) ? early::size_of(p) : 0;
  const inside in;
  const auto b = engine().memory().find(p);
  return b == checker::detail::no_block ? 0 : engine().memory().at(b).size;
}

void* resize(void* p, std::size_t size, const void* caller) {
  if (p == nullptr) return allocate(size, least_alignment, caller);
  if (!before_main.has(p) && !is_block(p)) {
    expect_no_memory_of_the_program(p);
    if (is_explored()) libc_allocates = true;
    return __libc_realloc(p, size);
  }
  if (size == 0) {
    release(p, caller);
    return nullptr;
  }
  void* const made = allocate(size, least_alignment, caller);
  if (made == nullptr) return nullptr;
  std::memcpy(made, p, std::min(size, size_of(p)));
  release(p, caller);
  return made;
}

/// Blocks that something in the memory points to, or into.
void mark(std::span<const std::byte> memory, std::unordered_set<checker::detail::block_id>& found,
          std::vector<checker::detail::block_id>& fresh) {
  const checker::detail::memory& m = engine().memory();
  const auto begin = (reinterpret_cast<address>(memory.data()) + sizeof(address) - 1) / sizeof(address);
  const auto end = (reinterpret_cast<address>(memory.data()) + memory.size()) / sizeof(address);
  for (address at = begin * sizeof(address); at < end * sizeof(address); at += sizeof(address)) {
    const void* value = nullptr;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);  // NOLINT(performance-no-int-to-ptr)
    if (!is_block(value)) continue;
    const auto b = m.around(value);
    if (b != checker::detail::no_block && !m.at(b).freed && found.insert(b).second) fresh.push_back(b);
  }
}

}  // namespace

void* allocate_for(std::size_t size, const void* caller) { return allocate(size, 1, caller); }

std::span<const std::byte> early_memory() { return {before_main.bytes.data(), before_main.used}; }

void use_early_memory(bool use) { before_main.open = use; }

bool is_before_main() { return before_main.open; }

bool libc_has_allocated() { return libc_allocates; }

void keep_makers(image& in) {
  engine().memory().for_each_block([&](checker::detail::block_id b) { in.put(makers[b]); });
}

void put_back_makers(image::reader& to) {
  engine().memory().for_each_block([&](checker::detail::block_id b) { to.get(makers[b]); });
}

bool may_leak() { return engine().settings().leaks && engine().memory().leaked() != checker::detail::no_block; }

void check_leaks(std::span<const std::span<const std::byte>> roots) {
  const checker::detail::memory& m = engine().memory();
  std::unordered_set<checker::detail::block_id> found;
  std::vector<checker::detail::block_id> fresh;
  for (const auto root : roots) mark(root, found, fresh);
  while (!fresh.empty()) {
    const auto& b = m.at(fresh.back());
    fresh.pop_back();
    mark({b.address, b.size}, found, fresh);
  }
  m.for_each_block([&](checker::detail::block_id id) {
    const auto& b = m.at(id);
    if (b.freed || found.contains(id)) return;
    name_sites();
    engine().fail(violation::leak, std::to_string(b.size) + " bytes that " + checker::detail::thread_name(b.maker) +
                                       " allocated " + where(*makers[id]) +
                                       " are never freed, and nothing points to them");
  });
}

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

LICIT_INTERPOSED void* malloc(std::size_t size) { return allocate(size, 1, LICIT_CALLER); }
LICIT_INTERPOSED void* calloc(std::size_t count, std::size_t size) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, size, &all)) return nullptr;
  if (!is_explored() && !before_main.open) return __libc_calloc(count, size);
  void* const made = allocate(all, 1, LICIT_CALLER);
  if (made != nullptr) std::memset(made, 0, all);
  return made;
}
LICIT_INTERPOSED void free(void* p) { release(p, LICIT_CALLER); }
LICIT_INTERPOSED void* realloc(void* p, std::size_t size) { return resize(p, size, LICIT_CALLER); }
LICIT_INTERPOSED void* memalign(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, LICIT_CALLER);
}
LICIT_INTERPOSED void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, LICIT_CALLER);
}
LICIT_INTERPOSED void* valloc(std::size_t size) { return allocate(size, page, LICIT_CALLER); }
LICIT_INTERPOSED void* pvalloc(std::size_t size) {
  return allocate((size + page - 1) / page * page, page, LICIT_CALLER);
}
LICIT_INTERPOSED int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || !std::has_single_bit(alignment)) return EINVAL;
  note_plain(p, sizeof *p, touch::write, LICIT_CALLER);
  *p = allocate(size, alignment, LICIT_CALLER);
  return *p == nullptr ? ENOMEM : 0;
}
LICIT_INTERPOSED std::size_t malloc_usable_size(void* p) {
  if (p == nullptr) return 0;
  if (before_main.has(p) || is_block(p)) return size_of(p);
  static const auto real = reinterpret_cast<std::size_t (*)(void*)>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return real(p);
}
