#include "machine/arm/coherence.hpp"

namespace licit::arm {

void coherence::begin(unsigned threads) {
  threads_ = threads;
  places_.clear();
  accesses_.clear();
  by_place_.clear();
}

std::size_t coherence::find(std::uint64_t address, unsigned size) const {
  const auto found = by_place_.find(address / 8);
  std::size_t l = found == by_place_.end() ? 0 : found->second;
  while (l != 0 && (places_[l - 1].address != address || places_[l - 1].size != size)) l = places_[l - 1].next;
  return l;
}

std::size_t coherence::add_location(std::uint64_t address, unsigned size, std::uint64_t initial) {
  place p;
  p.address = address;
  p.size = size;
  p.initial = initial;
  p.seen.assign(threads_, initially);
  std::size_t& first = by_place_[address / 8];
  p.next = first;
  places_.push_back(std::move(p));
  return (first = places_.size()) - 1;
}

void coherence::retire(std::uint64_t address, unsigned size) {
  std::size_t* link = &by_place_[address / 8];
  while (*link != 0) {
    place& p = places_[*link - 1];
    if (p.address < address + size && address < p.address + p.size) {
      *link = p.next;
    } else {
      link = &p.next;
    }
  }
}

event_number coherence::add_read(unsigned thread, std::size_t location, event_number from) {
  const event_number e = accesses_.size();
  access a;
  a.thread = thread;
  a.location = location;
  a.value = value(location, from);
  a.from = from;
  event_number& first = from == initially ? places_[location].first_reader : accesses_[from].first_reader;
  a.next_reader = first;
  first = e;
  places_[location].seen[thread] = from;
  accesses_.push_back(a);
  return e;
}

event_number coherence::add_foretold(unsigned thread, std::size_t location, std::uint64_t value) {
  access a;
  a.thread = thread;
  a.location = location;
  a.value = value;
  accesses_.push_back(a);
  return accesses_.size() - 1;
}

void coherence::fulfil(event_number read, event_number write) {
  access& r = accesses_[read];
  r.from = write;
  r.next_reader = accesses_[write].first_reader;
  accesses_[write].first_reader = read;
  places_[r.location].seen[r.thread] = write;
}

event_number coherence::add_write(unsigned thread, std::size_t location, event_number behind, std::uint64_t value,
                                  event_number rmw_read) {
  const event_number e = accesses_.size();
  place& p = places_[location];
  access a;
  a.thread = thread;
  a.location = location;
  a.value = value;
  a.is_write = true;
  a.rmw_read = rmw_read;
  a.previous = behind;
  a.next = after(location, behind);
  (behind == initially ? p.first : accesses_[behind].next) = e;
  (a.next == initially ? p.last : accesses_[a.next].previous) = e;
  if (thread != nobody) p.seen[thread] = e;
  accesses_.push_back(a);
  return e;
}

}  // namespace licit::arm
