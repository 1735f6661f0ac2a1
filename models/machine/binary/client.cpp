#include "machine/binary/client.hpp"

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

// The client's registers, which calls preserve: the structures, the items, how often each item was taken (a byte each),
// whether any was not seen as it was pushed, whether any was no item, and where to return to at the end.
constexpr unsigned structures_register = 19;
constexpr unsigned items_register = 20;
constexpr unsigned counts_register = 21;
constexpr unsigned unseen_register = 22;
constexpr unsigned no_item_register = 23;
constexpr unsigned end_register = 29;
constexpr unsigned most_items = 8;

/// Writes a thread's machine code.
class writer {
 public:
  writer(arm::memory& to, std::uint64_t at, std::uint64_t size_of) : to_(to), at_(at), size_of_(size_of) {}

  void push(unsigned item, std::uint64_t function) {
    put(0x91000281 | static_cast<std::uint32_t>(item * bytes_of_item) << 10);  // add x1, x20, #
    put(0x52800008 | (item + 1) << 5);                                         // mov w8, #
    put(0xB9000028);                                                           // str w8, [x1]
    call(function, 0);
  }
  void take(std::uint64_t function, unsigned structure) {
    put(0x91000261 | static_cast<std::uint32_t>(size_of_) << 10);  // add x1, x19, #: the thief's own
    call(function, structure);
    put(0xB40001A0);  // cbz x0, past all this
    put(0xB9400008);  // ldr w8, [x0]
    put(0xCB140009);  // sub x9, x0, x20
    put(0xD349FD2C);  // lsr x12, x9, #9
    put(0xAA0C02F7);  // orr x23, x23, x12
    put(0xD346FD29);  // lsr x9, x9, #6: which item
    put(0x4B090108);  // sub w8, w8, w9
    put(0x51000508);  // sub w8, w8, #1
    put(0xAA0802D6);  // orr x22, x22, x8
    put(0xD37DF12A);  // lsl x10, x9, #3
    put(0xD280002B);  // mov x11, #1
    put(0x9ACA216B);  // lsl x11, x11, x10
    put(0x8B0B02B5);  // add x21, x21, x11
  }
  void end() { put(0xD65F0000 | end_register << 5); }  // ret x29

 private:
  void put(std::uint32_t word) {
    to_.write(at_, 4, word);
    at_ += 4;
  }
  void call(std::uint64_t function, unsigned structure) {
    put(0x91000260 | static_cast<std::uint32_t>(structure * size_of_) << 10);          // add x0, x19, #
    put(0x94000000 | (static_cast<std::uint32_t>((function - at_) / 4) & 0x3FFFFFF));  // bl
  }

  arm::memory& to_;
  std::uint64_t at_;
  std::uint64_t size_of_;
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
    for (unsigned i = 0; i != c.calls.threads; ++i) add_thread(c.calls.thread[i]);
    suites::calls rest;
    for (unsigned i = 0; i != pushed_; ++i) rest.add({.word = pop_call});
    for (unsigned i = 0; halves_ && i != pushed_; ++i) rest.add({.word = own_call});
    add_thread(rest);
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
    s.registers.x[structures_register] = on_.at("licit_structures").address;
    s.registers.x[items_register] = on_.at("licit_items").address;
    s.registers.x[end_register] = finished;
    s.registers.x[30] = finished;
    s.registers.pc = first_code + n * code_of_thread;
    return s;
  }
  void set_up() {
    arm::thread_start s = start();
    s.registers.pc = on_.at("licit_set_up").address;
    s.registers.x[0] = client_.capacity();
    s.registers.x[1] = client_.maximum();
    arm::run_alone(program_.memory, s, finished);
  }
  void add_thread(const suites::calls& calls) {
    const arm::thread_start s = start();
    writer code(program_.memory, s.registers.pc, constant("licit_size_of"));
    for (const suites::call& c : calls) {
      switch (c.word) {
        case push_call: code.push(pushed_++, on_.at("licit_push").address); break;
        case pop_call: code.take(on_.at("licit_pop").address, 0); break;
        case own_call: code.take(on_.at("licit_pop").address, 1); break;
        case steal_call: code.take(on_.at("licit_steal").address, 0); break;
        default: halves_ = true; code.take(on_.at("licit_steal_half").address, 0);
      }
    }
    if (pushed_ > most_items) throw std::runtime_error("a client pushes too many items");
    code.end();
    program_.threads.push_back(s);
  }
  [[nodiscard]] std::uint64_t constant(std::string_view name) const { return on_.memory.read(on_.at(name).address, 8); }

  /// What is wrong, or nothing.
  [[nodiscard]] std::string judge(const arm::outcome& o) const {
    std::array<unsigned, most_items> taken{};
    for (std::size_t t = 0; t != o.threads.size(); ++t) {
      const auto& x = o.threads[t].x;
      if (x[no_item_register] != 0) return fmt::format("thread {} took what is no item", t);
      if (x[unseen_register] != 0) return fmt::format("thread {} took an item and did not see what is in it", t);
      for (unsigned item = 0; item != most_items; ++item) taken.at(item) += x[counts_register] >> (8 * item) & 0xFF;
    }
    for (unsigned item = 0; item != most_items; ++item) {
      const unsigned wanted = item < pushed_ ? 1 : 0;
      if (taken.at(item) > wanted) return fmt::format("item {} was taken {} times", item, taken.at(item));
      if (taken.at(item) < wanted) return fmt::format("item {} was lost", item);
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
  bool halves_ = false;
};

}  // namespace

std::span<const client> clients() {
  constexpr auto of = [](std::string_view text) { return suites::parse(text, client_words); };
  static constexpr std::array all{
      client{"last_item", "owner and thief race for the last item", of("push pop | steal")},
      client{"two_items", "a thief steals while the owner pops two items", of("push push pop pop | steal")},
      client{"two_steals", "a thief steals twice while the owner pops", of("push push pop | steal steal")},
      client{"two_thieves", "two thieves and the owner, one item", of("push pop | steal | steal")},
      client{"refill", "the owner pops and pushes again", of("push pop push | steal")},
      client{"growth", "the ring grows under a thief", of("capacity=1 grows=1: push push | steal steal")},
      client{"wrap_around", "slots are used again", of("maximum=2: push push pop push pop push | steal steal")},
      client{"half", "a thief takes half while the owner pops", of("capacity=4: push push push pop pop | half")},
      client{"half_of_four", "two items at once", of("capacity=4: push*4 pop*3 | half own")},
      client{"half_again", "half after an item", of("push push pop pop | steal half")},
  };
  return all;
}

bool suits(const client& c, const executable& on) {
  return !c.grows() || on.memory.read(on.at("licit_grows").address, 8) != 0;
}

verdict run(const client& c, const executable& on, const arm::exploration_limits& limits) {
  return explored(c, on).run(limits);
}

}  // namespace licit::binary
