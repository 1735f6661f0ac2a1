// ABA, and what prevents it. A Treiber stack of nodes from a pool, named by number; the head has room for a tag.
// The checker never allocates an address twice within an execution, so a stack of pointers to allocated nodes would
// seem free of ABA. Nodes that are reused must come from a pool of the program's own, as they do here.
//   pool_stack             checks the stack whose head carries a tag, new with every change
//   pool_stack untagged    checks it without: a pop takes a head that came back for the one that it read
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <licit/checker/run.hpp>

using licit::order;

template <class Memory, bool Tagged>
class pool_stack {
 public:
  static constexpr std::uint32_t nodes = 2, none = 0;  // nodes are numbered from 1

  pool_stack() { Memory::name(next_, "next"); }
  void push(std::uint32_t node) {
    std::uint64_t head = head_.load(order::relaxed, "push.head");
    do next_[node].store(index(head), order::relaxed, "push.next");
    while (!head_.compare_exchange(head, after(head, node), order::release, order::relaxed, "push.publish"));
  }
  std::uint32_t pop() {
    std::uint64_t head = head_.load(order::acquire, "pop.head");
    while (index(head) != none) {
      const std::uint32_t next = next_[index(head)].load(order::relaxed, "pop.next");
      if (head_.compare_exchange(head, after(head, next), order::acquire, order::acquire, "pop.claim")) break;
    }
    return index(head);
  }

 private:
  static std::uint32_t index(std::uint64_t head) { return static_cast<std::uint32_t>(head); }
  static std::uint64_t after(std::uint64_t head, std::uint32_t node) {
    const std::uint64_t tag = Tagged ? (head >> 32) + 1 : 0;
    return tag << 32 | node;
  }

  typename Memory::template atomic<std::uint64_t> head_{0, "head"};
  std::array<typename Memory::template atomic<std::uint32_t>, nodes + 1> next_;
};

// One thread takes a node; another takes two, gives the first back and keeps the second.
template <class Memory, bool Tagged>
struct client {
  static constexpr unsigned threads = 2;
  pool_stack<Memory, Tagged> stack;
  std::array<std::uint32_t, threads> kept{};  // a cell for each thread

  client() {
    stack.push(1);
    stack.push(2);
  }
  void thread(unsigned i) {
    const std::uint32_t first = stack.pop();
    kept[i] = i == 0 ? first : stack.pop();
    if (i == 1 && first != stack.none) stack.push(first);
  }
  void finish() {
    std::array<int, 3> holders{};
    for (const std::uint32_t node : kept) ++holders[node];
    while (const std::uint32_t node = stack.pop()) {
      Memory::check(++holders[node] == 1, "a node on the stack belongs to no thread");
    }
    Memory::check(holders[1] == 1 && holders[2] == 1, "a node is in one place");
  }
};

template <bool Tagged>
int check() {
  const auto verdict = licit::checker::run_program<client<licit::checker::model, Tagged>>();
  if (verdict.outcome == licit::checker::outcome::ok) {
    std::printf("ok: %llu executions\n", static_cast<unsigned long long>(verdict.executions));
    return 0;
  }
  std::printf("%s: %s\n%s", name(verdict.kind).data(), verdict.message.c_str(), verdict.trace.c_str());
  return 1;
}

int main(int argc, char** argv) {
  return argc > 1 && std::string_view(argv[1]) == "untagged" ? check<false>() : check<true>();
}
