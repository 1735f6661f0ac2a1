// What a symbolic run records.
#include "proof/recorder.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <new>
#include <stdexcept>
#include <utility>

namespace licit::proof {

recorder& recorder::running() {
  static thread_local recorder one;
  return one;
}

void recorder::begin(bool owner, std::vector<bool> decisions) {
  owner_ = owner;
  making_ = over_ = may_answer_ = false;
  decisions_ = std::move(decisions);
  decided_ = step_ = 0;
  adopted_ = 0;
  loaded_.clear();
  events_.clear();
  written_.clear();
  entry_.clear();
  entries_ = 0;
  visits_.clear();
  loops_ = loops::once;
  batch_first_.clear();
  batch_last_.clear();
  loaded_item_.clear();
  claimed_.clear();
}

void recorder::name_cells(std::vector<std::string> atomics, std::vector<std::string> plains, int rounds) {
  rounds_ = rounds;
  begin(true, {});
  making_ = may_grow_ = true;
  atomics_ = std::move(atomics);
  plains_ = std::move(plains);
  next_atomic_ = next_plain_ = 0;
  rings_.clear();
}

std::string recorder::next_atomic() { return atomics_.at(next_atomic_++); }
std::string recorder::next_plain() { return plains_.at(next_plain_++); }

bool recorder::decide(const std::string& condition) {
  if (decided_ == decisions_.size()) decisions_.push_back(true);
  const bool taken = decisions_[decided_++];
  if (!condition.empty()) {
    events_.push_back({.kind = event::what::decision, .term = taken ? condition : "(not " + condition + ")"});
  }
  return taken;
}

std::string recorder::given(const std::string& name) {
  std::string term = result(name);
  events_.push_back({.kind = event::what::given, .name = name, .place = std::string(away)});
  return term;
}

std::size_t recorder::answered(const std::string& number) {
  if (!std::exchange(may_answer_, false)) {
    throw std::logic_error("licit: an operation computes with " + number + " as with a number");
  }
  oblige("size", "(>= " + number + " (- (select bottom stores) top))");
  return most;
}

bool recorder::has_pushed() const {
  std::size_t stored = 0;
  std::size_t published = 0;
  std::size_t handed = 0;
  for (const event& e : events_) {
    if (e.kind == event::what::hand) ++handed;
    if (e.kind != event::what::operation || e.how != operation::store) continue;
    if (e.place == "slot" && e.term == "pushes") ++stored;
    if (e.place == "bottom") published += stored;
  }
  return handed + published == 1 && stored == published;
}

std::string recorder::argument() {
  const std::string most = given(owner_ ? "bring.most" : "half.most");
  assume("(<= 0 " + most + ")");
  return most;
}

std::string recorder::named(const std::string& number) {
  const std::string name = owner_ ? "bring.items" : "half.items";
  std::string term = result(name);
  events_.push_back({.kind = event::what::named, .name = name, .term = number});
  return term;
}

/// What the other structure asserts is shown where that structure is the one in question.
void recorder::oblige(const std::string& name, const std::string& condition) {
  if (condition.find(std::string(away) + ".") != std::string::npos) {
    return assume(condition);
  }
  events_.push_back({.kind = event::what::obligation, .name = name, .term = condition});
}

std::string recorder::result(const std::string& site) const {
  return site + "~" + std::to_string(events_.size()) + "." + std::to_string(step_);
}

void recorder::visit(std::string_view site) {
  if (rounds_ != 0) {
    if (++visits_[std::string(site)] <= rounds_) return;
    events_.push_back({.kind = event::what::ended, .name = std::string(site)});
    end();
    throw endless{};
  }
  if (entry_.empty()) entry_ = site;
  if (site != entry_) return;
  if (++entries_ == 1) return;
  events_.push_back({.kind = event::what::again});
  next_step();
  if (entries_ != 3) return;
  end();
  throw endless{};
}

void recorder::next_step() {
  ++step_;
  written_.clear();
}

std::string recorder::load(std::string_view site, const checker::live_row& row, const std::string& place) {
  if (place.starts_with(away)) return given(std::string(away) + "." + std::string(site));
  visit(site);
  const bool own = owner_ && place != "top";
  if (!own) next_step();
  std::string name = result(std::string(site));
  if (place == "ring") loaded_ = name;
  events_.push_back({.kind = own ? event::what::own_read : event::what::operation,
                     .name = std::string(site),
                     .place = place,
                     .how = operation::load,
                     .success = row.success});
  return name;
}

std::string recorder::load_slot(std::string_view site, const checker::live_row& row, const std::string& ring,
                                const std::string& index) {
  if (in_copy_) {
    copying_.place = ring;
    copying_.name = site;
    return index;
  }
  if (ring == away) return std::string(away);
  const std::string name = load(site, row, "slot");
  events_.back().ring = ring;
  events_.back().index = index;
  return loaded_item_ = name;
}

void recorder::store(std::string_view site, const checker::live_row& row, const std::string& place,
                     const std::string& value) {
  if (row.dropped || making_ || place.starts_with(away)) return;
  visit(site);
  next_step();
  const bool publishes = place == "bottom" && !batch_first_.empty();
  events_.push_back({.kind = event::what::operation,
                     .name = std::string(site),
                     .term = value,
                     .place = place,
                     .index = publishes ? batch_first_ : "",
                     .ring = publishes ? batch_last_ : "",
                     .how = operation::store,
                     .success = row.success,
                     .batch = publishes});
}

/// The thief's own queue gets the item that is watched.
void recorder::copy_away(const checker::live_row& row, const std::string& index, const std::string& value) {
  if (row.dropped) return;
  if (row.dropped_first && !decide("(not (= watched " + watched_first_ + "))")) return;
  write("half.copied", value);
  write("half.copied.to", index);
}

namespace {

/// `by` in place of `what`, everywhere.
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

void recorder::store_slot(std::string_view site, const checker::live_row& row, const std::string& ring,
                          const std::string& index, const std::string& value) {
  if (ring == away) return copy_away(row, index, value);
  if (!in_copy_) {
    const std::size_t before = events_.size();
    if (!counting_.round.empty()) {
      if (row.dropped_first && batch_first_.empty()) {
        batch_first_ = batch_last_ = index;
        return;
      }
      batch_first_ = replaced(index, counting_.round, counting_.first);
      batch_last_ = replaced(index, counting_.round, counting_.last);
    }
    store(site, row, "slot", value);
    if (events_.size() == before) return;
    events_.back().ring = ring;
    events_.back().index = index;
    return;
  }
  if (copying_.name.empty() || value != index || value != "i") {
    throw std::logic_error("licit: growth does something else than to copy an item to the same index");
  }
  copying_.name = site;
  copying_.ring = ring;
  if (row.dropped_first) copying_.index = "(+ " + copying_.index + " 1)";
  if (!row.dropped) events_.push_back(copying_);
}

/// What was read is "(+ FROM i)", for i from the loop's first number to its last.
void recorder::hands_over(const std::string& read, const std::string& pushed, const std::string& reserved) {
  const std::string item = copying_.ring.empty() ? read : "";
  if (pushed != "pushes" || !item.starts_with("(+ ") || !item.ends_with(" i)")) {
    throw std::logic_error("licit: an owner hands over something else than what it has read and the item it pushes");
  }
  const std::string from = item.substr(3, item.size() - 6);
  oblige("reserved", "(<= (+ (- " + copying_.term + " " + copying_.index + ") 1) " + reserved + ")");
  events_.push_back({.kind = event::what::hand,
                     .name = copying_.name,
                     .term = "(+ " + from + " " + copying_.term + ")",
                     .index = "(+ " + from + " " + copying_.index + ")"});
}

bool recorder::compare_exchange(std::string_view site, const checker::live_row& row, const std::string& place,
                                std::string& expected, const std::string& desired) {
  if (place.starts_with(away)) return row.blind || decide("");
  visit(site);
  next_step();
  const bool won = row.blind || decide("");
  const std::string name = result(std::string(site));
  events_.push_back({.kind = event::what::operation,
                     .name = std::string(site),
                     .term = desired,
                     .place = place,
                     .index = expected,
                     .how = operation::compare_exchange,
                     .success = won ? row.success : row.failure,
                     .won = won,
                     .blind = row.blind,
                     .batch = won && loops_ == loops::watched});
  if (!won) expected = name;
  if (won && loops_ == loops::claims) claimed_.push_back(events_.back().takes = loaded_item_);
  return won;
}

void recorder::fence(std::string_view site, const checker::live_row& row, operation kind) {
  if (row.dropped || row.success == order::relaxed) return;
  if (row.symmetric && kind == operation::light_fence) return;
  if (row.symmetric && kind == operation::heavy_fence) kind = operation::fence;
  visit(site);
  next_step();
  events_.push_back({.kind = event::what::operation, .name = std::string(site), .how = kind, .success = row.success});
}

/// What other threads do not access, they may not read either: that would be a race.
void recorder::expect_owner(const std::string& variable) const {
  if (owner_ || over_ || variable.starts_with(away)) return;
  if (variable != "newest" && std::ranges::find(plains_, variable) == plains_.end()) return;
  throw std::logic_error("licit: a thief uses " + variable + ", which is the owner's");
}

void recorder::write(const std::string& variable, const std::string& value) {
  expect_owner(variable);
  if (!variable.starts_with(away)) {
    events_.push_back({.kind = event::what::write, .name = variable, .term = value});
  }
  written_[variable] = value;
}

std::string recorder::read(const std::string& variable) {
  expect_owner(variable);
  const auto found = written_.find(variable);
  if (found != written_.end()) return found->second;
  return variable.starts_with(away) ? given(variable) : variable + "~p." + std::to_string(step_);
}

void recorder::made_ring(void* place, std::size_t bytes) { rings_.push_back({static_cast<std::byte*>(place), bytes}); }

void recorder::freed_ring(void* place, std::size_t bytes) {
  if (!over_) events_.push_back({.kind = event::what::reclaim});
  const auto is_it = [&](const extent& e) { return e.first == place && e.bytes == bytes && !e.freed; };
  if (const auto found = std::ranges::find_if(rings_, is_it); found != rings_.end()) found->freed = true;
}

void recorder::expect_first(const std::string& value) {
  if (value != "0") throw std::logic_error("licit: a structure begins at " + value);
}
void recorder::expect_mask(const void* slots, std::size_t mask) const {
  if (number_at(slots) == static_cast<std::size_t>(std::bit_width(mask))) return;
  throw std::logic_error("licit: a slot is found by another ring's mask");
}

std::size_t recorder::number_at(const void* place) const {
  const auto has = [place](const extent& e) {
    return !std::less<>()(static_cast<const std::byte*>(place), e.first) &&
           std::less<>()(static_cast<const std::byte*>(place), e.first + e.bytes);
  };
  const auto found = std::ranges::find_if(rings_, has);
  if (found == rings_.end()) throw std::logic_error("licit: a pointer to no ring");
  return static_cast<std::size_t>(found - rings_.begin());
}

std::string recorder::ring_numbered(std::size_t number) {
  if (making_) return "0";
  if (number == adopted_) return read("newest");
  if (number == adopted_ + 1) return "(+ " + read("newest") + " 1)";
  throw std::logic_error("licit: the owner uses a ring that it has replaced");
}
std::string recorder::ring_at(const void* place) { return owner_ ? ring_numbered(number_at(place)) : loaded_; }
std::string recorder::ring_of(std::size_t mask) {
  return ring_numbered(static_cast<std::size_t>(std::bit_width(mask)));  // the first ring has one slot
}

void recorder::adopt(const void* ring) {
  const std::string number = ring_at(ring);
  adopted_ = number_at(ring);
  write("newest", number);
}

void* ring_memory::do_allocate(std::size_t bytes, std::size_t alignment) {
  recorder& r = recorder::running();
  if (!r.may_grow()) throw std::logic_error("licit: a ring is made that is larger than the largest");
  if (!r.making() && !r.decide("")) throw std::bad_alloc();
  void* place = std::pmr::new_delete_resource()->allocate(bytes, alignment);
  r.made_ring(place, bytes);
  return place;
}
void ring_memory::do_deallocate(void* place, std::size_t bytes, std::size_t alignment) {
  recorder::running().freed_ring(place, bytes);
  std::pmr::new_delete_resource()->deallocate(place, bytes, alignment);
}

}  // namespace licit::proof
