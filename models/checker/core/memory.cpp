#include "core/memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace licit::checker::detail {

memory::memory() {
  void* mapped = mmap(nullptr, (max_threads + 1) * arena_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapped);
}

memory::~memory() { munmap(mapping_, (max_threads + 1) * arena_size); }

void memory::reset() {
  for (owner& o : owners_) o.used = o.allocations = o.constructions = 0;
  outside_.clear();
}

void memory::keep(image& in) const {
  for (const owner& o : owners_) {
    in.put(static_cast<const counts&>(o));
    for (std::size_t n = 0; n != o.allocations; ++n) {
      const block& b = blocks_[o.blocks[n]];
      in.put(b.address);
      in.put(b.size);
      in.put(b.freed);
      in.put(b.locations);
    }
    for (std::size_t n = 0; n != o.constructions; ++n) in.put(locations_[o.locations[n]]);
  }
  for (unsigned t = 0; t != owners_.size(); ++t) {
    if (owners_[t].used != 0) in.put_bytes(allocated(t));
  }
  in.put(outside_);
}

void memory::go_back(image::reader& to) {
  for (owner& o : owners_) {
    to.get(static_cast<counts&>(o));
    for (std::size_t n = 0; n != o.allocations; ++n) {
      block& b = blocks_[o.blocks[n]];
      to.get(b.address);
      to.get(b.size);
      to.get(b.freed);
      to.get(b.locations);
    }
    for (std::size_t n = 0; n != o.constructions; ++n) {
      location& l = locations_[o.locations[n]];
      const location_id queue = l.queue;  // may be given since, and stays
      to.get(l);
      l.queue = queue;
    }
  }
  for (unsigned t = 0; t != owners_.size(); ++t) {
    if (owners_[t].used != 0) to.get_bytes({arena(t), owners_[t].used});
  }
  to.get(outside_);
}

block_id memory::allocate(unsigned thread, std::size_t size, std::size_t alignment) {
  owner& o = owners_[thread];
  const std::size_t start = (o.used + alignment - 1) / alignment * alignment;
  if (start + size > arena_size) throw std::bad_alloc();
  o.used = start + size + 1;  // two blocks never touch: the end of one is not the address of the next
  if (o.allocations == o.blocks.size()) {
    if (blocks_.size() == no_block) throw std::bad_alloc();
    o.blocks.push_back(static_cast<block_id>(blocks_.size()));
    blocks_.push_back(
        {nullptr, 0, false, static_cast<std::uint8_t>(thread), static_cast<std::uint16_t>(o.allocations), {}});
  }
  const block_id id = o.blocks[o.allocations++];
  block& b = blocks_[id];
  b.address = arena(thread) + start;
  b.size = size;
  b.freed = false;
  b.locations.clear();
  std::memset(b.address, 0, size);  // no cell of another execution is there
  return id;
}

block_id memory::around(const void* address) const {
  const auto* p = static_cast<const std::byte*>(address);
  if (p < mapping_ || p >= arena(max_threads + 1)) return no_block;
  const owner& o = owners_[static_cast<std::size_t>(p - mapping_) / arena_size];
  for (std::size_t n = o.allocations; n-- != 0;) {
    const block& b = blocks_[o.blocks[n]];
    if (p >= b.address) return p < b.address + b.size ? o.blocks[n] : no_block;
  }
  return no_block;
}

block_id memory::find(const void* address) const {
  const block_id b = around(address);
  return b != no_block && blocks_[b].address == address ? b : no_block;
}

void memory::release(block_id b) {
  blocks_[b].freed = true;
  for (const location_id l : blocks_[b].locations) locations_[l].dead = true;
}

/// Field by field: a struct that is composed, and then copied in larger pieces, would wait for its stores.
location_id memory::construct(unsigned thread, extent bytes, bool atomic) {
  owner& o = owners_[thread];
  if (o.constructions == o.locations.size()) {
    if (locations_.size() == nowhere) return nowhere;
    o.locations.push_back(static_cast<location_id>(locations_.size()));
    locations_.push_back({});
  }
  const location_id id = o.locations[o.constructions];
  location& l = locations_[id];
  l.bytes.begin = bytes.begin;
  l.bytes.size = bytes.size;
  l.block = around(bytes.begin);
  l.atomic = atomic;
  l.dead = false;
  l.maker = static_cast<std::uint8_t>(thread);
  l.number = static_cast<std::uint16_t>(o.constructions);
  l.born = 0;
  l.ender = main_thread;
  l.ended = 0;
  ++o.constructions;
  if (bytes.size != 0) (l.block == no_block ? outside_ : blocks_[l.block].locations).push_back(id);
  return id;
}

location_id memory::permanent(extent bytes, look seen) {
  if (locations_.size() == nowhere) return nowhere;
  const auto id = static_cast<location_id>(locations_.size());
  locations_.push_back({.bytes = bytes, .stays = true, .number = id, .seen = seen});
  return id;
}

const std::vector<location_id>& memory::sharing_bytes(location_id l) {
  sharing_.clear();
  const extent& bytes = locations_[l].bytes;
  if (bytes.size == 0) return sharing_;
  for (const location_id other : neighbours(l)) {
    if (other != l && locations_[other].bytes.overlaps(bytes)) sharing_.push_back(other);
  }
  return sharing_;
}

void memory::forget(extent bytes) {
  std::erase_if(outside_, [&](location_id l) {
    const bool inside = locations_[l].bytes.overlaps(bytes);
    locations_[l].dead = locations_[l].dead || inside;
    return inside;
  });
}

location_id memory::queue_of(location_id l) {
  if (locations_[l].queue == nowhere) {
    if (locations_.size() == nowhere) return nowhere;
    locations_[l].queue = static_cast<location_id>(locations_.size());
    locations_.push_back({.waited_on = l});
  }
  const location& atomic = locations_[l];
  location& queue = locations_[atomic.queue];
  queue.maker = atomic.maker;
  queue.born = atomic.born;
  queue.value = 0;
  return atomic.queue;
}

block_id memory::leaked() const {
  for (const owner& o : owners_) {
    for (std::size_t n = 0; n != o.allocations; ++n) {
      if (!blocks_[o.blocks[n]].freed) return o.blocks[n];
    }
  }
  return no_block;
}

}  // namespace licit::checker::detail
