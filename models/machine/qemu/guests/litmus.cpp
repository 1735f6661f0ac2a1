// The plugin's check of itself: real AArch64 instructions whose outcomes under Armv8's model are known.
//   litmus [--executions N] [--only NAME] [--strong] [--foretold]
// Each test asks for one outcome, which no interleaving of its threads has. Forbidden ones may never show; allowed ones
// must; load buffering only with --foretold, by a plugin with foretell=on. With --strong (weak=off) none may show.
// With --foretold an outcome is told to the plugin as a failure, because what was foretold need not come true: the
// plugin then asks for the execution without it. Sources: J. Alglave, L. Maranget, M. Tautschnig, "Herding Cats",
// TOPLAS 2014, for the shapes; aarch64.cat for verdicts.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "../guest.hpp"

namespace {

using licit::qemu::guest::workers;
namespace guest = licit::qemu::guest;
using word = std::uint64_t;

struct alignas(64) location {
  word value;
};
struct locations {
  location x, y, z;
};
struct registers {
  word a, b;
};

locations shared;                   // the region
std::array<registers, 4> observed;  // each a thread's own, then the main thread's
using body = void (*)(registers&);

// NOLINTBEGIN(cppcoreguidelines-macro-usage): instructions are text, composed by the preprocessor
#define THREAD(text)                                                                                        \
  [](registers& r) {                                                                                        \
    word a = 0, b = 0, t = 0, s = 0;                                                                        \
    asm volatile(".arch_extension lse\n.arch_extension rcpc\n" text                                         \
                 : [a] "+&r"(a), [b] "+&r"(b), [t] "+&r"(t), [s] "+&r"(s)                                   \
                 : [x] "r"(&shared.x), [y] "r"(&shared.y), [z] "r"(&shared.z), [one] "r"(1L), [two] "r"(2L) \
                 : "memory", "cc");                                                                         \
    r = {a, b};                                                                                             \
  }
#define W(v) "str %[one], [%[" #v "]]\n"
#define W2(v) "str %[two], [%[" #v "]]\n"
#define L(v) "stlr %[one], [%[" #v "]]\n"
#define L2(v) "stlr %[two], [%[" #v "]]\n"
#define R(to, v) "ldr %[" #to "], [%[" #v "]]\n"
#define A(to, v) "ldar %[" #to "], [%[" #v "]]\n"
#define Q(to, v) "ldapr %[" #to "], [%[" #v "]]\n"
#define DMB "dmb ish\n"
#define DMB_LD "dmb ishld\n"
#define DMB_ST "dmb ishst\n"
#define ISB "isb\n"
#define FALSE_DEPENDENCY(from) "eor %[t], %[" #from "], %[" #from "]\n"
#define R_ADDR(to, v, from) FALSE_DEPENDENCY(from) "ldr %[" #to "], [%[" #v "], %[t]]\n"
#define W_ADDR(v, from) FALSE_DEPENDENCY(from) "str %[one], [%[" #v "], %[t]]\n"
#define W_DATA(v, from) FALSE_DEPENDENCY(from) "add %[t], %[t], #1\nstr %[t], [%[" #v "]]\n"
#define CTRL(from) "cbnz %[" #from "], 1f\n1:\n"
// Through a thread's own memory, and through flags that decide a branch.
#define R_ADDR_SPILLED(to, v, from) \
  "str %[" #from "], [sp, #-16]!\nldr %[s], [sp], #16\neor %[t], %[s], %[s]\nldr %[" #to "], [%[" #v "], %[t]]\n"
#define CTRL_FLAGS(from) "cmp %[" #from "], #1\nb.eq 1f\n1:\n"
#define SWP(form, v) "swp" form " %[one], %[t], [%[" #v "]]\n"
#define LDADD(form, v) "ldadd" form " %[one], %[a], [%[" #v "]]\n"
#define CAS(form, v) "mov %[a], #0\ncas" form " %[a], %[one], [%[" #v "]]\n"
#define EXCLUSIVE_ADD(load, store, v) \
  "2: " load " %[a], [%[" #v "]]\nadd %[t], %[a], #1\n" store " %w[s], %[t], [%[" #v "]]\ncbnz %w[s], 2b\n"
#define EXCLUSIVE_SWAP(load, store, v) \
  "2: " load " %[t], [%[" #v "]]\n" store " %w[s], %[one], [%[" #v "]]\ncbnz %w[s], 2b\n"
// NOLINTEND(cppcoreguidelines-macro-usage)

enum class verdict { forbidden, allowed, if_foretold };

struct test {
  const char* name;
  verdict expected;
  bool (*outcome)();
  std::array<body, 4> threads;
};

word final(const location& l) { return l.value; }
bool saw(unsigned thread, word a) { return observed[thread].a == a; }
bool saw(unsigned thread, word a, word b) { return observed[thread].a == a && observed[thread].b == b; }

bool sb() { return saw(0, 0) && saw(1, 0); }
bool mp() { return saw(1, 1, 0); }
bool s() { return saw(1, 1) && final(shared.x) == 2; }
bool r() { return saw(1, 0) && final(shared.y) == 2; }
bool two_two_w() { return final(shared.x) == 1 && final(shared.y) == 1; }
bool iriw() { return saw(2, 1, 0) && saw(3, 1, 0); }
bool wrc() { return saw(1, 1) && saw(2, 1, 0); }
bool isa2() { return saw(1, 1) && saw(2, 1, 0); }
bool lb() { return saw(0, 1) && saw(1, 1); }
bool corr() { return saw(1, 1, 0); }
bool cowr() { return saw(0, 0); }
bool coww() { return final(shared.x) == 1; }
bool lost_update() { return final(shared.x) != 2; }
bool both_won() { return saw(0, 0) && saw(1, 0); }

constexpr auto forbidden = verdict::forbidden;
constexpr auto allowed = verdict::allowed;
constexpr auto if_foretold = verdict::if_foretold;

const test tests[] = {
    {"SB", allowed, sb, {THREAD(W(x) R(a, y)), THREAD(W(y) R(a, x))}},
    {"SB+dmbs", forbidden, sb, {THREAD(W(x) DMB R(a, y)), THREAD(W(y) DMB R(a, x))}},
    {"SB+dmb+po", allowed, sb, {THREAD(W(x) DMB R(a, y)), THREAD(W(y) R(a, x))}},
    {"SB+dmb.sts", allowed, sb, {THREAD(W(x) DMB_ST R(a, y)), THREAD(W(y) DMB_ST R(a, x))}},
    {"SB+dmb.lds", allowed, sb, {THREAD(W(x) DMB_LD R(a, y)), THREAD(W(y) DMB_LD R(a, x))}},
    {"SB+stlr-ldars", forbidden, sb, {THREAD(L(x) A(a, y)), THREAD(L(y) A(a, x))}},
    {"SB+stlr-ldaprs", allowed, sb, {THREAD(L(x) Q(a, y)), THREAD(L(y) Q(a, x))}},
    {"SB+stlr-ldrs", allowed, sb, {THREAD(L(x) R(a, y)), THREAD(L(y) R(a, x))}},
    {"SB+swpals", forbidden, sb, {THREAD(SWP("al", x) R(a, y)), THREAD(SWP("al", y) R(a, x))}},
    {"SB+swpls", allowed, sb, {THREAD(SWP("l", x) R(a, y)), THREAD(SWP("l", y) R(a, x))}},
    {"SB+ldaxr-stlxrs",
     allowed,
     sb,
     {THREAD(EXCLUSIVE_SWAP("ldaxr", "stlxr", x) R(a, y)), THREAD(EXCLUSIVE_SWAP("ldaxr", "stlxr", y) R(a, x))}},

    {"MP", allowed, mp, {THREAD(W(x) W(y)), THREAD(R(a, y) R(b, x))}},
    {"MP+dmb+po", allowed, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) R(b, x))}},
    {"MP+po+addr", allowed, mp, {THREAD(W(x) W(y)), THREAD(R(a, y) R_ADDR(b, x, a))}},
    {"MP+po+ldar", allowed, mp, {THREAD(W(x) W(y)), THREAD(A(a, y) R(b, x))}},
    {"MP+stlr+po", allowed, mp, {THREAD(W(x) L(y)), THREAD(R(a, y) R(b, x))}},
    {"MP+dmb+ctrl", allowed, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) CTRL(a) R(b, x))}},
    {"MP+dmb.ld+addr", allowed, mp, {THREAD(W(x) DMB_LD W(y)), THREAD(R(a, y) R_ADDR(b, x, a))}},
    {"MP+dmb+dmb.st", allowed, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) DMB_ST R(b, x))}},
    {"MP+dmb+isb", allowed, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) ISB R(b, x))}},
    {"MP+dmbs", forbidden, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) DMB R(b, x))}},
    {"MP+dmb.st+dmb.ld", forbidden, mp, {THREAD(W(x) DMB_ST W(y)), THREAD(R(a, y) DMB_LD R(b, x))}},
    {"MP+dmb+addr", forbidden, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) R_ADDR(b, x, a))}},
    {"MP+dmb+addr-spilled", forbidden, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) R_ADDR_SPILLED(b, x, a))}},
    {"MP+dmb+ctrl-isb", forbidden, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) CTRL(a) ISB R(b, x))}},
    {"MP+dmb+flags-isb", forbidden, mp, {THREAD(W(x) DMB W(y)), THREAD(R(a, y) CTRL_FLAGS(a) ISB R(b, x))}},
    {"MP+stlr+ldar", forbidden, mp, {THREAD(W(x) L(y)), THREAD(A(a, y) R(b, x))}},
    {"MP+stlr+ldapr", forbidden, mp, {THREAD(W(x) L(y)), THREAD(Q(a, y) R(b, x))}},
    {"MP+swpl+ldar", forbidden, mp, {THREAD(W(x) SWP("l", y)), THREAD(A(a, y) R(b, x))}},
    {"MP+swp+ldar", allowed, mp, {THREAD(W(x) SWP("", y)), THREAD(A(a, y) R(b, x))}},
    {"MP+dmb+ldaxr", forbidden, mp, {THREAD(W(x) DMB W(y)), THREAD("ldaxr %[a], [%[y]]\nclrex\n" R(b, x))}},

    {"S", allowed, s, {THREAD(W2(x) W(y)), THREAD(R(a, y) W(x))}},
    {"S+dmb+po", allowed, s, {THREAD(W2(x) DMB W(y)), THREAD(R(a, y) W(x))}},
    {"S+po+data", allowed, s, {THREAD(W2(x) W(y)), THREAD(R(a, y) W_DATA(x, a))}},
    {"S+dmb+data", forbidden, s, {THREAD(W2(x) DMB W(y)), THREAD(R(a, y) W_DATA(x, a))}},
    {"S+dmb+addr", forbidden, s, {THREAD(W2(x) DMB W(y)), THREAD(R(a, y) W_ADDR(x, a))}},
    {"S+dmb+ctrl", forbidden, s, {THREAD(W2(x) DMB W(y)), THREAD(R(a, y) CTRL(a) W(x))}},
    {"S+stlr+ldar", forbidden, s, {THREAD(W2(x) L(y)), THREAD(A(a, y) W(x))}},

    {"R", allowed, r, {THREAD(W(x) W(y)), THREAD(W2(y) R(a, x))}},
    {"R+dmb+po", allowed, r, {THREAD(W(x) DMB W(y)), THREAD(W2(y) R(a, x))}},
    {"R+po+dmb", allowed, r, {THREAD(W(x) W(y)), THREAD(W2(y) DMB R(a, x))}},
    {"R+dmbs", forbidden, r, {THREAD(W(x) DMB W(y)), THREAD(W2(y) DMB R(a, x))}},
    {"R+stlr+stlr-ldar", forbidden, r, {THREAD(W(x) L(y)), THREAD(L2(y) A(a, x))}},

    {"2+2W", allowed, two_two_w, {THREAD(W(x) W2(y)), THREAD(W(y) W2(x))}},
    {"2+2W+dmb+po", allowed, two_two_w, {THREAD(W(x) DMB W2(y)), THREAD(W(y) W2(x))}},
    {"2+2W+dmbs", forbidden, two_two_w, {THREAD(W(x) DMB W2(y)), THREAD(W(y) DMB W2(x))}},
    {"2+2W+dmb.sts", forbidden, two_two_w, {THREAD(W(x) DMB_ST W2(y)), THREAD(W(y) DMB_ST W2(x))}},
    {"2+2W+stlrs", forbidden, two_two_w, {THREAD(W(x) L2(y)), THREAD(W(y) L2(x))}},

    {"IRIW", allowed, iriw, {THREAD(W(x)), THREAD(W(y)), THREAD(R(a, x) R(b, y)), THREAD(R(a, y) R(b, x))}},
    {"IRIW+ctrls",
     allowed,
     iriw,
     {THREAD(W(x)), THREAD(W(y)), THREAD(R(a, x) CTRL(a) R(b, y)), THREAD(R(a, y) CTRL(a) R(b, x))}},
    {"IRIW+addrs",
     forbidden,
     iriw,
     {THREAD(W(x)), THREAD(W(y)), THREAD(R(a, x) R_ADDR(b, y, a)), THREAD(R(a, y) R_ADDR(b, x, a))}},
    {"IRIW+acq", forbidden, iriw, {THREAD(W(x)), THREAD(W(y)), THREAD(A(a, x) R(b, y)), THREAD(A(a, y) R(b, x))}},
    {"IRIW+acq-pc", forbidden, iriw, {THREAD(W(x)), THREAD(W(y)), THREAD(Q(a, x) R(b, y)), THREAD(Q(a, y) R(b, x))}},
    {"IRIW+dmbs",
     forbidden,
     iriw,
     {THREAD(W(x)), THREAD(W(y)), THREAD(R(a, x) DMB R(b, y)), THREAD(R(a, y) DMB R(b, x))}},

    {"WRC", allowed, wrc, {THREAD(W(x)), THREAD(R(a, x) W(y)), THREAD(R(a, y) R(b, x))}},
    {"WRC+po+addr", allowed, wrc, {THREAD(W(x)), THREAD(R(a, x) W(y)), THREAD(R(a, y) R_ADDR(b, x, a))}},
    {"WRC+data+po", allowed, wrc, {THREAD(W(x)), THREAD(R(a, x) W_DATA(y, a)), THREAD(R(a, y) R(b, x))}},
    {"WRC+addrs", forbidden, wrc, {THREAD(W(x)), THREAD(R(a, x) W_ADDR(y, a)), THREAD(R(a, y) R_ADDR(b, x, a))}},
    {"WRC+data+addr", forbidden, wrc, {THREAD(W(x)), THREAD(R(a, x) W_DATA(y, a)), THREAD(R(a, y) R_ADDR(b, x, a))}},
    {"WRC+dmb+addr", forbidden, wrc, {THREAD(W(x)), THREAD(R(a, x) DMB W(y)), THREAD(R(a, y) R_ADDR(b, x, a))}},
    {"WRC+stlr+ldar", forbidden, wrc, {THREAD(W(x)), THREAD(R(a, x) L(y)), THREAD(A(a, y) R(b, x))}},

    {"ISA2", allowed, isa2, {THREAD(W(x) W(y)), THREAD(R(a, y) W(z)), THREAD(R(a, z) R(b, x))}},
    {"ISA2+dmb+data+addr",
     forbidden,
     isa2,
     {THREAD(W(x) DMB W(y)), THREAD(R(a, y) W_DATA(z, a)), THREAD(R(a, z) R_ADDR(b, x, a))}},
    {"ISA2+stlr+ldar-stlr+ldar", forbidden, isa2, {THREAD(W(x) L(y)), THREAD(A(a, y) L(z)), THREAD(A(a, z) R(b, x))}},

    {"LB", if_foretold, lb, {THREAD(R(a, x) W(y)), THREAD(R(a, y) W(x))}},
    {"LB+data+po", if_foretold, lb, {THREAD(R(a, x) W_DATA(y, a)), THREAD(R(a, y) W(x))}},
    {"LB+datas", forbidden, lb, {THREAD(R(a, x) W_DATA(y, a)), THREAD(R(a, y) W_DATA(x, a))}},
    {"LB+addrs", forbidden, lb, {THREAD(R(a, x) W_ADDR(y, a)), THREAD(R(a, y) W_ADDR(x, a))}},
    {"LB+ctrls", forbidden, lb, {THREAD(R(a, x) CTRL(a) W(y)), THREAD(R(a, y) CTRL(a) W(x))}},
    {"LB+acqs", forbidden, lb, {THREAD(A(a, x) W(y)), THREAD(A(a, y) W(x))}},

    {"CoRR", forbidden, corr, {THREAD(W(x)), THREAD(R(a, x) R(b, x))}},
    {"CoWR", forbidden, cowr, {THREAD(W(x) R(a, x)), THREAD(W2(x))}},
    {"CoWW", forbidden, coww, {THREAD(W(x) W2(x))}},
    {"ldadds", forbidden, lost_update, {THREAD(LDADD("", x)), THREAD(LDADD("", x))}},
    {"exclusive-adds",
     forbidden,
     lost_update,
     {THREAD(EXCLUSIVE_ADD("ldxr", "stxr", x)), THREAD(EXCLUSIVE_ADD("ldxr", "stxr", x))}},
    {"cas-of-both", forbidden, both_won, {THREAD(CAS("", x)), THREAD(CAS("", x))}},
};

struct arguments {
  unsigned long executions = 2000;
  const char* only = nullptr;
  bool strong = false;
  bool foretold = false;
};

const char* text(verdict v) {
  if (v == verdict::forbidden) return "forbidden";
  return v == verdict::allowed ? "allowed" : "allowed if foretold";
}

unsigned threads_of(const test& t) {
  unsigned n = 0;
  while (n != t.threads.size() && t.threads[n] != nullptr) ++n;
  return n;
}

unsigned long count(const test& t, unsigned long executions, bool foretold) {
  unsigned long seen = 0;
  for (unsigned long seed = 0; seed != executions; ++seed) {
    do {
      shared = {};
      observed = {};
      if (guest::execute(threads_of(t), seed) != licit::qemu::ending::finished) std::exit(3);
    } while (guest::verdict(foretold && t.outcome()));
    if (t.outcome()) ++seen;
  }
  return seen;
}

bool right(const test& t, unsigned long seen, const arguments& all) {
  if (t.expected == verdict::forbidden || all.strong) return seen == 0;
  return (t.expected == verdict::allowed || all.foretold) == (seen != 0);
}

arguments parse(std::span<char*> all) {
  arguments result;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const bool value = i + 1 < all.size();
    if (std::strcmp(all[i], "--strong") == 0)
      result.strong = true;
    else if (std::strcmp(all[i], "--foretold") == 0)
      result.foretold = true;
    else if (value && std::strcmp(all[i], "--executions") == 0)
      result.executions = std::strtoul(all[++i], nullptr, 10);
    else if (value && std::strcmp(all[i], "--only") == 0)
      result.only = all[++i];
    else {
      std::fprintf(stderr, "litmus: what is %s? [--executions N] [--only NAME] [--strong] [--foretold]\n", all[i]);
      std::exit(2);
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const arguments all = parse(std::span(argv, static_cast<std::size_t>(argc)));
  if (!guest::present()) {
    std::fprintf(stderr, "litmus: no plugin is there; run by qemu-aarch64 -plugin\n");
    return 2;
  }
  guest::region(&shared, &shared + 1);
  guest::name(&shared.x, sizeof shared.x, "x");
  guest::name(&shared.y, sizeof shared.y, "y");
  guest::name(&shared.z, sizeof shared.z, "z");
  const test* current = nullptr;
  const workers some(4, [&](unsigned i) { current->threads[i](observed[i]); });
  unsigned wrong = 0;
  unsigned done = 0;
  for (const test& t : tests) {
    if (all.only != nullptr && std::strcmp(all.only, t.name) != 0) continue;
    current = &t;
    const unsigned long seen = count(t, all.executions, all.foretold);
    const bool ok = right(t, seen, all);
    std::printf("%-28s %-22s seen %6lu of %lu%s\n", t.name, text(t.expected), seen, all.executions,
                ok ? "" : "  WRONG");
    if (!ok) ++wrong;
    ++done;
  }
  std::printf("%u tests, %u wrong\n", done, wrong);
  return wrong == 0 && done != 0 ? 0 : 1;
}
