// The same source by the two doors that need no ordering table: as it is, and with LICIT_BY_MIRROR over std.hpp. There
// the first argument is a program's name, the second the executable that has it as it is: verdict, counts, outcomes and
// the audit, line by line, must be the same.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#ifdef LICIT_BY_MIRROR
#include <licit/audit/source_sites.hpp>
#include <licit/checker/std.hpp>
namespace concurrent = licit::checker::standard;
using licit::checker::plain;
#define LICIT_SAY licit::checker::say
#else
#include <atomic>
#include <mutex>
#include <thread>

#include <licit/check.h>
namespace concurrent = std;
template <class T>
using plain = T;
#define LICIT_SAY licit_outcome
#endif

namespace {

using concurrent::memory_order_acq_rel;
using concurrent::memory_order_acquire;
using concurrent::memory_order_relaxed;
using concurrent::memory_order_release;
using concurrent::memory_order_seq_cst;

class queue {
 public:
  bool push(int item) {
    const unsigned tail = tail_.load(memory_order_relaxed);
    if (tail - head_.load(memory_order_acquire) == 2) return false;
    items_[tail % 2] = item;
    tail_.store(tail + 1, memory_order_release);
    return true;
  }
  bool pop(int& item) {
    const unsigned head = head_.load(memory_order_relaxed);
    if (head == tail_.load(memory_order_acquire)) return false;
    item = items_[head % 2];
    head_.store(head + 1, memory_order_release);
    return true;
  }

 private:
  plain<int> items_[2] = {};
  concurrent::atomic<unsigned> head_{0}, tail_{0};
};

void ring() {
  queue q;
  concurrent::thread producer([&] {
    for (int i = 1; i <= 3; ++i) q.push(i);
  });
  int last = 0;
  for (int i = 0; i != 3; ++i) {
    int item = 0;
    if (!q.pop(item)) continue;
    assert(item == last + 1);
    last = item;
  }
  producer.join();
  LICIT_SAY("last=%d", last);
}

struct node {
  plain<int> value{0};
  plain<node*> next{nullptr};
};

class stack {
 public:
  void push(int value) {
    node* const n = new node;
    n->value = value;
    node* old = top_.load(memory_order_relaxed);
    do {
      n->next = old;
    } while (!top_.compare_exchange_strong(old, n, memory_order_release, memory_order_relaxed));
  }
  node* pop() {
    node* old = top_.load(memory_order_acquire);
    while (old != nullptr &&
           !top_.compare_exchange_strong(old, old->next, memory_order_acq_rel, memory_order_acquire)) {
    }
    return old;
  }

 private:
  concurrent::atomic<node*> top_{nullptr};
};

/// The top is never again what it was. (A loop that is back where it was is explored once more where plain data are
/// events.)
void treiber() {
  stack s;
  s.push(0);
  concurrent::thread other([&] { s.push(1); });
  node* const one = s.pop();
  other.join();
  node* const two = s.pop();
  assert(one != nullptr && two != nullptr && one != two && s.pop() == nullptr);
  LICIT_SAY("%d", static_cast<int>(one->value));
  delete one;
  delete two;
}

void too_strong() {
  plain<int> data{0};
  concurrent::atomic<int> flag{0};
  concurrent::thread other([&] {
    data = 1;
    concurrent::atomic_thread_fence(memory_order_seq_cst);
    flag.store(1, memory_order_relaxed);
  });
  if (flag.load() == 1) LICIT_SAY("%d", static_cast<int>(data));
  other.join();
}

void operators() {
  concurrent::atomic<int> n{0};
  concurrent::atomic<int> m{0};
  concurrent::thread other([&] {
    n = 1;
    LICIT_SAY("m=%d", static_cast<int>(m));
  });
  m = 1;
  LICIT_SAY("n=%d", static_cast<int>(n));
  n++;
  other.join();
}

void locked() {
  concurrent::mutex lock;
  plain<int> n{0};
  const auto count = [&] {
    const concurrent::lock_guard hold(lock);
    n += 1;
  };
  concurrent::thread other(count);
  count();
  other.join();
  LICIT_SAY("%d", static_cast<int>(n));
}

void race() {
  plain<int> n{0};
  concurrent::thread other([&] { n = 1; });
  n = 2;
  other.join();
}

struct program {
  const char* name;
  void (*run)();
};
constexpr program programs[] = {{"ring", &ring},           {"treiber", &treiber}, {"too_strong", &too_strong},
                                {"operators", &operators}, {"locked", &locked},   {"race", &race}};

#ifdef LICIT_BY_MIRROR

/// What the check of the program as it is has to say: without times, and of what is wrong the kind.
std::vector<std::string> said_here(const program& p) {
  licit::checker::outcomes said;
  const licit::checker::verdict v = licit::checker::check(p.run, {}, &said);
  if (v.outcome != licit::checker::outcome::ok) return {std::string(name(v.kind)) + ":"};
  std::vector<std::string> lines{"ok: " + std::to_string(v.executions) + " executions, " + std::to_string(v.blocked) +
                                 " blocked, exhaustive,"};
  for (const auto& [text, count] : said) {
    char line[128];
    std::snprintf(line, sizeof line, "%10llu  %s", static_cast<unsigned long long>(count), text.c_str());
    lines.emplace_back(line);
  }
  const std::string audit = text(licit::audit::audit_source(p.run));
  for (std::size_t at = 0; at < audit.size();) {
    const std::size_t end = audit.find('\n', at);
    const std::string line = audit.substr(at, end - at);
    lines.push_back(line.substr(0, line.find(": ", line.find("needed: ") + 8)));
    at = end + 1;
  }
  return lines;
}

/// Each begins a line of the other's, in this order, and the other has no more.
bool says_the_same(const program& p, const char* other) {
  setenv("LICIT_CHECK", "audit", 1);
  std::FILE* const from = popen((std::string(other) + " " + p.name).c_str(), "r");
  bool same = from != nullptr;
  const std::vector<std::string> here = said_here(p);
  std::size_t n = 0;
  char line[4096];
  while (same && std::fgets(line, sizeof line, from) != nullptr) {
    if (n != 0 && here[0][0] != 'o') break;  // a trace follows
    const bool equal = n < here.size() && std::strncmp(line, here[n].c_str(), here[n].size()) == 0;
    std::printf("%s%s\n%s", equal ? "  " : "! ", n < here.size() ? here[n].c_str() : "", line);
    same = same && equal;
    ++n;
  }
  if (from != nullptr) pclose(from);
  return same && n == here.size();
}

#endif

}  // namespace

int main(int argc, char** argv) {
  for (const program& p : programs) {
    if (argc < 2 || std::strcmp(p.name, argv[1]) != 0) continue;
#ifdef LICIT_BY_MIRROR
    return argc == 3 && says_the_same(p, argv[2]) ? 0 : 1;
#else
    p.run();
    return 0;
#endif
  }
  return 3;
}
