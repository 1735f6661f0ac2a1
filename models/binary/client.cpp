#include "binary/client.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <optional>

namespace licit::binary {

namespace {

// Where the client's own code and stacks are: the executable is below.
constexpr std::uint64_t first_code = 0x4000000;
constexpr std::uint64_t code_of_thread = 0x1000;
constexpr std::uint64_t first_stack = 0x40000000;
constexpr std::uint64_t stack_of_thread = 0x10000;
constexpr std::uint64_t finished = 0x3000000;

constexpr std::uint64_t bytes_of_item = 64;

// The client's registers, which calls preserve: the structure, the items, where to return to at the end, and of each
// take what it gave and what was read there.
constexpr unsigned structure_register = 19;
constexpr unsigned items_register = 20;
constexpr unsigned first_taken = 21;
constexpr unsigned first_read = 25;
constexpr unsigned end_register = 29;
constexpr unsigned most_takes = first_read - first_taken;

/// Writes a thread's machine code.
class writer {
 public:
  writer(arm::memory& to, std::uint64_t at) : to_(to), at_(at) {}

  void push(unsigned item, std::uint64_t function) {
    put(0x91000001 | static_cast<std::uint32_t>(item * bytes_of_item) << 10 | items_register << 5);  // add x1, x20, #
    put(0x52800008 | (item + 1) << 5);                                                               // mov w8, #
    put(0xB9000028);                                                                                 // str w8, [x1]
    call(function);
  }
  void take(unsigned number, std::uint64_t function) {
    call(function);
    put(0xAA0003E0 | (first_taken + number));  // mov x21, x0
    put(0xB4000040);                           // cbz x0, two on
    put(0xB9400000 | (first_read + number));   // ldr w25, [x0]
  }
  void end() { put(0xD65F0000 | end_register << 5); }

 private:
  void put(std::uint32_t word) {
    to_.write(at_, 4, word);
    at_ += 4;
  }
  void call(std::uint64_t function) {
    put(0xAA0003E0 | structure_register << 16);                                        // mov x0, x19
    put(0x94000000 | (static_cast<std::uint32_t>((function - at_) / 4) & 0x3FFFFFF));  // bl
  }

  arm::memory& to_;
  std::uint64_t at_;
};

class explored {
 public:
  explored(const client& c, const executable& on) : client_(c), on_(on) {
    program_.memory = on.memory;
    program_.finished = finished;
    program_.last_runs_behind = true;
    const symbol lse = on.at("__aarch64_have_lse_atomics");
    program_.memory.make_constant(lse.address, lse.size);
    set_up();
    for (const auto& calls : c.threads) add_thread(calls);
    add_thread(std::vector<call>(pushed_, call::pop));
    program_.memory.make_constant(first_code, code_of_thread * program_.threads.size());
  }

  verdict run(const arm::exploration_limits& limits) {
    verdict v;
    v.counts = arm::explore(
        program_,
        [&](const arm::outcome& o) {
          const std::string wrong = judge(o);
          if (wrong.empty()) return true;
          v.violation = wrong + "\n" + history(o.of.candidate());
          return false;
        },
        {}, limits);
    return v;
  }

 private:
  arm::thread_start start() {
    arm::thread_start s;
    const std::uint64_t n = program_.threads.size();
    s.stack_from = first_stack + n * stack_of_thread;
    s.stack_to = s.stack_from + stack_of_thread;
    s.registers.x[arm::stack_pointer] = s.stack_to - 256;
    s.registers.x[structure_register] = on_.at("licit_structure").address;
    s.registers.x[items_register] = on_.at("licit_items").address;
    s.registers.x[end_register] = finished;
    s.registers.x[30] = finished;
    s.registers.pc = first_code + n * code_of_thread;
    return s;
  }
  void set_up() {
    arm::thread_start s = start();
    s.registers.pc = on_.at("licit_set_up").address;
    s.registers.x[0] = client_.capacity;
    s.registers.x[1] = client_.maximum;
    arm::run_alone(program_.memory, s, finished);
  }
  void add_thread(const std::vector<call>& calls) {
    const arm::thread_start s = start();
    writer code(program_.memory, s.registers.pc);
    unsigned takes = 0;
    for (const call c : calls) {
      if (c == call::push) {
        code.push(pushed_++, on_.at("licit_push").address);
      } else {
        if (takes == most_takes) throw std::runtime_error("a client's thread takes too often");
        code.take(takes++, on_.at(c == call::pop ? "licit_pop" : "licit_steal").address);
      }
    }
    code.end();
    program_.threads.push_back(s);
    takes_.push_back(takes);
  }

  /// What is wrong, or nothing.
  [[nodiscard]] std::string judge(const arm::outcome& o) const {
    const std::uint64_t items = on_.at("licit_items").address;
    std::vector<unsigned> taken(pushed_);
    for (std::size_t t = 0; t != takes_.size(); ++t) {
      for (unsigned k = 0; k != takes_[t]; ++k) {
        const std::uint64_t got = o.threads[t].x.at(first_taken + k);
        if (got == 0) continue;
        const std::uint64_t item = (got - items) / bytes_of_item;
        if (got < items || item >= pushed_) return fmt::format("thread {} took {:#x}, which is no item", t, got);
        if (++taken[item] == 2) return fmt::format("item {} was taken twice, the second time by thread {}", item, t);
        const std::uint64_t read = o.threads[t].x.at(first_read + k);
        if (read != item + 1) return fmt::format("thread {} took item {} and did not see what is in it", t, item);
      }
    }
    for (unsigned item = 0; item != pushed_; ++item) {
      if (taken[item] == 0) return fmt::format("item {} was lost", item);
    }
    return {};
  }

  [[nodiscard]] std::string history(const arm::candidate& c) const {
    std::string text;
    for (const arm::event& e : c.events) {
      const std::string line = arm::to_text(e);
      text += fmt::format("  {:<64} {}\n", line.substr(0, line.rfind(", by ")), on_.place(e.pc));
    }
    return text;
  }

  const client& client_;
  const executable& on_;
  arm::program program_;
  unsigned pushed_ = 0;
  std::vector<unsigned> takes_;  ///< of each thread
};

}  // namespace

std::span<const client> clients() {
  using enum call;
  constexpr std::size_t large = 8;
  static const std::vector<client> all{
      {"last_item", "owner and thief race for the last item", 2, large, {{push, pop}, {steal}}},
      {"two_items", "a thief steals while the owner pops two items", 2, large, {{push, push, pop, pop}, {steal}}},
      {"two_steals", "a thief steals twice while the owner pops", 2, large, {{push, push, pop}, {steal, steal}}},
      {"two_thieves", "two thieves and the owner, one item", 2, large, {{push, pop}, {steal}, {steal}}},
      {"refill", "the owner pops and pushes again", 2, large, {{push, pop, push}, {steal}}},
      {"growth", "the ring grows under a thief", 1, large, {{push, push}, {steal}}},
      {"wrap_around", "a slot is used again", 1, 1, {{push, pop, push}, {steal, steal}}},
  };
  return all;
}

verdict run(const client& c, const executable& on, const arm::exploration_limits& limits) {
  return explored(c, on).run(limits);
}

}  // namespace licit::binary
