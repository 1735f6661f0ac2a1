/// In place of the program's main: explores it, and says what was found.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <unistd.h>

#include <licit/check.h>

#include "runtime.hpp"
#include "show/words.hpp"

namespace licit::unmodified {

namespace {

using main_function = int (*)(int, char**, char**);

/// The statuses of the tool `licit`.
enum status : int { as_expected = 0, violated = 1, bad_usage = 2, limited = 3 };

struct call {
  main_function body = nullptr;
  int count = 0;
  char** arguments = nullptr;
  char** environment = nullptr;
};
call user;
std::unique_ptr<executor> the_engine;
int report = STDOUT_FILENO;

struct request {
  checker::options options = {};
  bool audit = false;
};

// --- outcomes

std::array<std::string, checker::max_threads> said;
std::map<std::string, std::uint64_t> outcomes;

void forget_said() {
  for (std::string& s : said) s.clear();
}

void count_outcome() {
  std::string all;
  for (const std::string& s : said) all += (all.empty() || s.empty() ? "" : " ") + s;
  if (!all.empty()) ++outcomes[all];
}

// --- the engine's surroundings

class host final : public checker::detail::surroundings {
 public:
  void reset() override {
    restore_image();
    reset_threads();
    forget_touches();
    forget_atomics();
    forget_calls();
    forget_said();
  }
  void enter(unsigned thread) override { enter_thread(thread); }
  void leave(unsigned /*thread*/) override { leave_threads(); }
  void ended(bool counts) override {
    check_detached();
    std::array<std::span<const std::byte>, checker::max_threads + 2> roots;
    for (unsigned t = 0; t != checker::max_threads; ++t) roots[t] = unmodified::thread_locals_of(t);
    roots[checker::max_threads] = unmodified::globals();
    roots.back() = early_memory();
    check_leaks(roots);
    if (counts) count_outcome();
  }
  void describe() override {
    name_sites();
    name_locations();
  }
  [[nodiscard]] std::span<const std::byte> globals() const override { return unmodified::globals(); }
  [[nodiscard]] std::span<const std::byte> thread_locals_of(unsigned thread) const override {
    return unmodified::thread_locals_of(thread);
  }
};
host the_host;

checker::detail::program the_program() {
  return {.threads = checker::max_threads,
          .size = 1,
          .alignment = 1,
          .construct = nullptr,
          .thread = &run_thread,
          .finish = nullptr,
          .destroy = nullptr,
          .around = &the_host};
}

checker::verdict explored() { return the_engine->explore(the_program()); }

// --- what is asked for, by the environment: LICIT_CHECK="seconds=60 mode=pct seed=7 audit"

template <class T>
T number(std::string_view key, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < T{}) {
    throw std::invalid_argument(std::string(key) + " is a number, not '" + std::string(text) + "'");
  }
  return value;
}

bool yes(std::string_view key, std::string_view text) {
  if (text == "yes" || text == "no") return text == "yes";
  throw std::invalid_argument(std::string(key) + " is yes or no, not '" + std::string(text) + "'");
}

checker::mode mode_of(std::string_view text) {
  if (text == "exhaustive") return checker::mode::exhaustive;
  if (text == "random") return checker::mode::random;
  if (text == "pct") return checker::mode::pct;
  if (text == "estimate") return checker::mode::estimate;
  throw std::invalid_argument("mode is exhaustive, random, pct or estimate, not '" + std::string(text) + "'");
}

void set(request& r, std::string_view key, std::string_view value) {
  checker::options& o = r.options;
  if (key == "executions") {
    o.max_executions = o.sample.executions = number<std::uint64_t>(key, value);
  } else if (key == "seconds") {
    o.max_seconds = o.sample.seconds = number<double>(key, value);
  } else if (key == "mode") {
    o.how = mode_of(value);
  } else if (key == "seed") {
    o.sample.seed = number<std::uint64_t>(key, value);
  } else if (key == "depth") {
    o.sample.depth = number<unsigned>(key, value);
  } else if (key == "events") {
    o.max_events = number<unsigned>(key, value);
  } else if (key == "leaks") {
    o.leaks = yes(key, value);
  } else if (key == "timeouts") {
    o.timeouts = yes(key, value);
  } else if (key == "sequences") {
    if (value != "c++20" && value != "c++11") throw std::invalid_argument("sequences are c++20 or c++11");
    o.sequences = value == "c++11" ? checker::release_sequences::cxx11 : checker::release_sequences::cxx20;
  } else if (key == "audit") {
    r.audit = value.empty() || yes(key, value);
  } else {
    throw std::invalid_argument("there is no option '" + std::string(key) + "'");
  }
}

request requested() {
  constexpr double most_seconds = 60;
  request r;
  r.options.max_seconds = most_seconds;
  const char* const text = std::getenv("LICIT_CHECK");  // NOLINT(concurrency-mt-unsafe): there is one thread
  std::string_view left = text == nullptr ? "" : text;
  while (!left.empty()) {
    const std::string_view word = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(left.size(), word.size() + 1));
    if (word.empty()) continue;
    const std::string_view key = word.substr(0, word.find('='));
    set(r, key, word.size() == key.size() ? "" : word.substr(key.size() + 1));
  }
  if (r.options.how == checker::mode::estimate) {  // has limits of its own
    r.options.max_seconds = std::numeric_limits<double>::infinity();
    r.options.max_executions = std::numeric_limits<std::uint64_t>::max();
  }
  if (r.audit && r.options.how != checker::mode::exhaustive) {
    throw std::invalid_argument("an audit explores every execution: mode is exhaustive");
  }
  return r;
}

// --- what is said

std::string counts_of(const checker::verdict& v) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), "%llu executions, %llu blocked, %s, %.2f s",
                static_cast<unsigned long long>(v.executions), static_cast<unsigned long long>(v.blocked),
                std::string(mode_name(v)).c_str(), v.seconds);
  return text.data();
}

status print(const checker::verdict& v) {
  switch (v.outcome) {
    case checker::outcome::ok:
      if (v.size.probes == 0) {
        dprintf(report, "ok: %s\n", counts_of(v).c_str());
      } else {
        dprintf(report, "estimate: %.0f executions, between %.0f and %.0f if the sample is typical, %.1f s\n",
                v.size.executions, v.size.least, v.size.most, v.size.seconds);
      }
      break;
    case checker::outcome::limit:
      dprintf(report, "limit: nothing wrong was found before a limit: %s\n", counts_of(v).c_str());
      break;
    case checker::outcome::violation:
      dprintf(report, "%s: %s\n%sfound after %s\n", std::string(name(v.kind)).c_str(), v.message.c_str(),
              v.trace.c_str(), counts_of(v).c_str());
      break;
  }
  for (const auto& [text, count] : outcomes) {
    dprintf(report, "%10llu  %s\n", static_cast<unsigned long long>(count), text.c_str());
  }
  if (v.outcome == checker::outcome::ok) return as_expected;
  return v.outcome == checker::outcome::limit ? limited : violated;
}

// --- the audit: each operation of the user's code with each weaker order

std::vector<order> weaker(deed what, order o) {
  using enum order;
  if (o == relaxed || what == deed::other) return {};
  if (what == deed::load) return o == seq_cst ? std::vector{acquire, relaxed} : std::vector{relaxed};
  if (what == deed::store) return o == seq_cst ? std::vector{release, relaxed} : std::vector{relaxed};
  if (o == seq_cst) return {acq_rel, acquire, release, relaxed};
  if (o == acq_rel) return {acquire, release, relaxed};
  return {relaxed};
}

/// The operations of one kind on one line, wherever they were inlined.
struct audited {
  std::vector<site*> sites = {};
  std::optional<order> strongest = {};
  std::optional<order> strongest_failure = {};
};

order strongest_of(unsigned bits) { return static_cast<order>(31 - __builtin_clz(bits)); }

const char* deed_name(deed what) {
  constexpr std::array names{"load", "store", "update", "compare-exchange", "fence", ""};
  return names[static_cast<std::size_t>(what)];
}

std::map<std::string, audited> audited_sites() {
  name_sites();
  std::map<std::string, audited> all;
  for (site* const s : all_sites()) {
    if (s->what == deed::other || s->orders == 0 || (!s->users && s->what != deed::fence)) continue;
    audited& a = all[std::string(s->text.data()) + " " + deed_name(s->what)];
    a.sites.push_back(s);
    a.strongest = std::max(a.strongest.value_or(order::relaxed), strongest_of(s->orders));
    if (s->failures != 0) {
      a.strongest_failure = std::max(a.strongest_failure.value_or(order::relaxed), strongest_of(s->failures));
    }
  }
  return all;
}

/// False if a limit was reached.
bool try_order(const std::string& name, const audited& a, order from, order to, bool failure) {
  for (site* const s : a.sites) (failure ? s->weakened_failure : s->weakened) = static_cast<int>(to);
  outcomes.clear();
  const checker::verdict v = explored();
  for (site* const s : a.sites) s->weakened = s->weakened_failure = -1;
  const std::string what = name + (failure ? " on failure" : "");
  const std::string orders = std::string(licit::detail::name(from)) + " -> " + std::string(licit::detail::name(to));
  std::string finding = "not needed by this program";
  if (v.outcome == checker::outcome::violation)
    finding = "needed: " + std::string(checker::name(v.kind)) + ": " + v.message;
  if (v.outcome == checker::outcome::limit) finding = "not decided: a limit was reached";
  dprintf(report, "%-36s %-22s %s\n", what.c_str(), orders.c_str(), finding.c_str());
  return v.outcome != checker::outcome::limit;
}

status audit() {
  bool decided = true;
  std::size_t count = 0;
  for (const auto& [name, a] : audited_sites()) {
    ++count;
    const order now = *a.strongest;
    const auto orders = weaker(a.sites.front()->what, now);
    if (orders.empty())
      dprintf(report, "%-36s %-22s nothing is weaker\n", name.c_str(), std::string(licit::detail::name(now)).c_str());
    for (const order o : orders) decided = try_order(name, a, now, o, false) && decided;
    for (const order o : weaker(deed::load, a.strongest_failure.value_or(order::relaxed))) {
      decided = try_order(name, a, *a.strongest_failure, o, true) && decided;
    }
  }
  if (count == 0) dprintf(report, "no atomic operation of the user's own code was met\n");
  return decided ? as_expected : limited;
}

// --- main

/// What the program prints would be printed in every execution.
void silence() {
  report = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

/// libc allocates the buffers of its streams when they are first used.
void give_buffers() {
  static std::array<std::array<char, BUFSIZ>, 3> buffers;
  std::size_t n = 0;
  for (std::FILE* const stream : {stdin, stdout, stderr}) {
    std::setvbuf(stream, buffers[n].data(), _IOFBF, buffers[n].size());
    ++n;
  }
}

void prepare(const request& r) {
  the_engine = std::make_unique<executor>(r.options);
  watch_memory(the_engine->memory().arenas(), "the heap's end");
  watch_memory(globals(), "the globals' end");
  watch_memory(early_memory(), "what was allocated before main");
  for (unsigned t = 0; t != checker::max_threads; ++t) {
    constexpr std::size_t size = checker::detail::fiber::stack_size;
    watch_memory({the_engine->stack_bottom(t) - size, size}, "thread " + std::to_string(t) + "'s stack");
  }
  park_threads();
  keep_image();
}

int explore_main() {
  use_early_memory(false);
  try {
    const request r = requested();
    give_buffers();
    silence();
    prepare(r);
    const checker::verdict v = explored();
    const status found = print(v);
    if (!r.audit || v.outcome != checker::outcome::ok) return found;
    return audit();
  } catch (const std::exception& e) {
    dprintf(report == STDOUT_FILENO ? STDERR_FILENO : report, "licit: %s\n", e.what());
    return bad_usage;
  }
}

}  // namespace

executor& engine() { return *the_engine; }
bool has_engine() { return the_engine != nullptr; }

int run_main() { return user.body(user.count, user.arguments, user.environment); }

namespace {

int replaced_main(int count, char** arguments, char** environment) {
  user.count = count;
  user.arguments = arguments;
  user.environment = environment;
  const int status = explore_main();
  _exit(status);
}

}  // namespace

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

LICIT_INTERPOSED void licit_outcome(const char* format, ...) {
  std::array<char, 512> text{};
  va_list list;
  va_start(list, format);
  {
    const heap::scope in{nullptr};
    std::vsnprintf(text.data(), text.size(), format, list);
  }
  va_end(list);
  if (!is_explored()) return;
  const inside in;
  std::string& all = said[engine().thread()];
  all += (all.empty() ? "" : " ") + std::string(text.data());
}

/// Called by the program's first code, before its constructors. By the executable's or by none: it is loaded first.
LICIT_INTERPOSED int __libc_start_main(int (*body)(int, char**, char**), int count, char** arguments, void (*init)(),
                                       void (*fini)(), void (*rtld)(), void* end) {
  using start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto system = reinterpret_cast<start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  user.body = body;
  find_image();
  use_early_memory(true);
  return system(&replaced_main, count, arguments, init, fini, rtld, end);
}
