/// In place of the program's main: explores it, and says what was found.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <locale>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <licit/check.h>
#include <licit/checker/drawing.hpp>

#include "reports.hpp"
#include "runtime.hpp"
#include "show/essence.hpp"
#include "show/words.hpp"
#include "unseen.hpp"

namespace licit::unmodified {

namespace {

using main_function = int (*)(int, char**, char**);

struct call {
  main_function body = nullptr;
  int count = 0;
  char** arguments = nullptr;
  char** environment = nullptr;
};
call user;
std::unique_ptr<executor> the_engine;
int report_to = STDOUT_FILENO;
int errors_to = STDERR_FILENO;
int unwritten = 0;  ///< why something that was said was not written
request asked;
std::string stopped_at = {};       ///< where the program was when a violation was found
std::string thrown_at = {};        ///< and where that thread had thrown last
std::set<std::uint64_t> essences;  ///< of the executions, if it is asked how many are distinct
unsigned stops = 0;                ///< so often a thread was stopped, each time after one step more
const pid_t own_process = getpid();

// --- outcomes

std::array<std::string, checker::max_threads> said;
bool has_said = false;  ///< some thread has, in this execution
std::map<std::string, std::uint64_t> outcomes;

void forget_said() {
  if (!std::exchange(has_said, false)) return;
  for (std::string& s : said) s.clear();
}

void keep_said(image& in) {
  in.put(has_said);
  if (!has_said) return;
  for (const std::string& s : said) {
    in.put(s.size());
    if (!s.empty()) in.put_bytes(std::as_bytes(std::span(s)));
  }
}

void put_back_said(image::reader& to) {
  forget_said();
  to.get(has_said);
  if (!has_said) return;
  for (std::string& s : said) {
    std::size_t size = 0;
    to.get(size);
    s.resize(size);
    if (size != 0) to.get_bytes(std::as_writable_bytes(std::span(s)));
  }
}

void count_outcome() {
  if (!has_said) return;
  std::string all;
  for (const std::string& s : said) {
    if (!all.empty() && !s.empty()) all += ' ';
    all += s;
  }
  if (!all.empty()) ++outcomes[all];
}

/// What processes that explore a part each have counted: lines in a file without a name, which they all have.
int sheet = -1;

void write_outcomes() {
  for (const auto& [text, count] : outcomes) {
    dprintf(sheet, "%llu %s\n", static_cast<unsigned long long>(count), text.c_str());
  }
}

/// Of all processes, if there were others.
void read_outcomes() {
  std::string all(static_cast<std::size_t>(std::max<off_t>(lseek(sheet, 0, SEEK_END), 0)), ' ');
  if (all.empty() || pread(sheet, all.data(), all.size(), 0) != static_cast<ssize_t>(all.size())) return;
  outcomes.clear();
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\n', at);
    const std::size_t space = all.find(' ', at);
    outcomes[all.substr(space + 1, end - space - 1)] += std::stoull(all.substr(at, space - at));
    at = end + 1;
  }
}

// --- progress

void make_engine(const checker::options& o);
checker::verdict explored_once();

/// What all processes of the search count, and what one beside it estimates.
struct shared_progress {
  std::atomic<std::uint64_t> executions{0};
  std::atomic<double> expected{0};  ///< of all; 0: nothing is known of it
};

/// One line on standard error, which is written over: how many executions there were, and how long the rest will take.
class progress_line {
 public:
  void begin() {
    if (!asked.progress.value_or(isatty(errors_to) == 1) || !asked.replay.empty()) return;
    void* const page =
        mmap(nullptr, sizeof(shared_progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    all_ = new (page) shared_progress;
    start_ = clock::now();
    next_ = start_ + every;
    const checker::options& o = asked.how.options;
    if (o.how == checker::mode::random || o.how == checker::mode::pct) {
      all_->expected = static_cast<double>(o.sample.executions);
    }
    if (o.how == checker::mode::exhaustive && !asked.how.stall && asked.how.share.count == 1) start_estimate();
    asked.how.progress = [this](std::uint64_t /*pieces*/, std::uint64_t /*of*/) { show(); };
  }
  void count() {
    if (all_ != nullptr) ++all_->executions;
  }
  void show() {
    if (all_ == nullptr || getpid() != own_process || clock::now() < next_) return;
    next_ = clock::now() + every;
    shown_ = true;
    dprintf(errors_to, "\r\x1b[K%s", text().c_str());
  }
  /// So that something can be printed.
  void clear() {
    if (std::exchange(shown_, false)) dprintf(errors_to, "\r\x1b[K");
  }
  void end() {
    clear();
    if (estimator_ > 0) {
      kill(estimator_, SIGKILL);
      waitpid(estimator_, nullptr, 0);
    }
    all_ = nullptr;
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds every{100};

  /// In a process that ends by itself, so that the search need not wait for it.
  void start_estimate() {
    estimator_ = fork();
    if (estimator_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    checker::options o = asked.how.options;
    o.how = checker::mode::estimate;
    o.max_executions = std::numeric_limits<std::uint64_t>::max();
    o.max_seconds = std::numeric_limits<double>::infinity();
    o.sample = {};
    make_engine(o);
    const checker::verdict v = explored_once();
    if (v.outcome == checker::outcome::ok) all_->expected = v.size.executions;
    _exit(0);
  }

  [[nodiscard]] std::string text() const {
    const checker::options& o = asked.how.options;
    const auto done = static_cast<double>(all_->executions.load());
    const double expected = std::min(all_->expected.load(), static_cast<double>(o.max_executions));
    const double seconds = std::chrono::duration<double>(clock::now() - start_).count();
    const double until = std::max(o.max_seconds - seconds, 0.0);
    const double left = done > 0 ? seconds * (expected - done) / done : until;
    std::array<char, 160> line{};
    if (expected > done) {
      std::snprintf(line.data(), line.size(), "%.0f executions of about %.0f, %.0f s left%s", done, expected,
                    std::min(left, until), until < left ? " to the limit" : "");
    } else {
      std::snprintf(line.data(), line.size(), "%.0f executions%s, at most %.0f s left", done,
                    expected > 0 ? ", more than estimated" : "", until);
    }
    return line.data();
  }

  shared_progress* all_ = nullptr;
  pid_t estimator_ = 0;
  bool shown_ = false;
  clock::time_point start_ = {};
  clock::time_point next_ = {};
};
progress_line the_progress;

// --- the engine's surroundings

class host final : public checker::detail::surroundings {
 public:
  void reset() override {
    is_described_ = false;
    can_be_kept_ = memory_can_be_kept();
    lock_libraries(!is_replayed());  // under gdb each of those faults would be a stop
    restore_image();
    reset_threads();
    forget_touches();
    forget_atomics();
    forget_calls();
    forget_said();
  }
  void enter(unsigned thread) override { enter_thread(thread); }
  void leave(unsigned thread) override { leave_thread(thread); }
  void ended(bool /*counts*/) override {
    check_detached();
    if (!may_leak()) return;
    // Of the threads only main's: what the others had for themselves has ended with them.
    std::vector<std::span<const std::byte>> roots{unmodified::thread_locals_of(0), values_of(0), unmodified::globals(),
                                                  early_memory()};
    add_library_globals(roots);
    check_leaks(roots);
  }
  [[nodiscard]] bool can_be_kept() const override { return !libc_has_allocated() && can_be_kept_; }
  void keep(image& in) const override {
    keep_memory(in);
    keep_makers(in);
    keep_threads(in);
    keep_touches(in);
    keep_atomics(in);
    keep_calls(in);
    keep_said(in);
  }
  void go_back(image::reader& to) override {
    is_described_ = false;
    put_back_memory(to);
    put_back_makers(to);
    put_back_threads(to);
    put_back_touches(to);
    put_back_atomics(to);
    put_back_calls(to);
    put_back_said(to);
  }
  void describe() override {
    const site* const running = site_of_running();
    name_sites();
    stopped_at = running == nullptr || running->text[0] == '?' ? "" : where(*running);  // libc's code has no lines
    const site* const thrown = runs_thread() ? last_throw_of(engine().thread()) : nullptr;
    thrown_at = thrown == nullptr ? "" : where(*thrown);
    name_locations();
    if (std::exchange(is_described_, true)) return;
    if (!runs_thread()) show_missed_writes();  // no thread has found what is wrong: they wait
    licit_violation();
  }
  [[nodiscard]] std::span<const std::byte> globals() const override { return unmodified::globals(); }
  [[nodiscard]] std::span<const std::byte> thread_locals_of(unsigned thread) const override {
    return unmodified::thread_locals_of(thread);
  }

 private:
  bool is_described_ = false;
  bool can_be_kept_ = false;
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
          .around = &the_host,
          .self_contained = true};
}

/// A new engine, whose memory is watched.
void make_engine(const checker::options& o) {
  forget_memory();
  the_engine = nullptr;
  the_engine = std::make_unique<executor>(o);
  watch_memory(the_engine->memory().arenas(), "the heap's end");
  watch_memory(globals(), "the globals' end");
  watch_memory(early_memory(), "what was allocated before main");
  for (unsigned t = 0; t != checker::max_threads; ++t) {
    constexpr std::size_t size = checker::detail::fiber::stack_size;
    watch_memory({the_engine->stack_bottom(t) - size, size}, "thread " + std::to_string(t) + "'s stack");
  }
  watch_thread_locals();
  know_stacks();
}

checker::verdict explored_once() {
  struct end {
    ~end() {
      return_register();
      unlock_libraries();
      unguard_unseen();
    }
  };
  const end at_end;
  guard_unseen();
  return the_engine->explore(the_program());
}

/// As the options say, in this process or in one that was made for it.
checker::verdict explored(checker::options o) {
  if (o.stalled.thread == checker::stall::nobody || o.stalled.after == 0) outcomes.clear();
  stops = o.stalled.after;
  o.observe = [also = o.observe](const checker::detail::graph& g) {
    count_outcome();
    if (asked.distinct) essences.insert(checker::detail::essence(g).hash());
    the_progress.count();
    the_progress.show();
    if (also) also(g);
  };
  o.observe_blocked = [](const checker::detail::graph& /*g*/) { the_progress.show(); };
  make_engine(o);
  if (o.how == checker::mode::replay) prepare_replay();
  const checker::verdict v = explored_once();
  if (v.outcome == checker::outcome::violation && !asked.trace.empty()) write_trace(asked.trace, v);
  if (getpid() != own_process) write_outcomes();
  return v;
}

// --- what is said

/// What the engine says to those who call it, in the words of those who do not.
std::string in_own_words(std::string message) {
  const auto replace = [&](std::string_view theirs, const std::string& ours) {
    if (const auto at = message.find(theirs); at != std::string::npos) message.replace(at, theirs.size(), ours);
  };
  replace("it loops without any, or waits for what the checker does not see, such as a std::mutex (use Model::mutex)",
          "it loops " + stopped_at + " without an atomic operation, which alone lets other threads go on");
  // What the thread did is said by places that had no names then.
  if (const auto at = message.find(" did '"); at != std::string::npos && message.starts_with("given the same")) {
    message.erase(at);
    message += " did something else " + stopped_at +
               ": memory that nobody has written, such as padding, or what differs from run to run decides what the "
               "program does";
  }
  if (message.starts_with("an exception left a thread") && message.find(thrown_at) == std::string::npos) {
    message += ", thrown " + thrown_at;
  }
  if (message.find('[') == std::string::npos && !stopped_at.empty()) message += " " + stopped_at;
  replace("a loop without end (wait by await), or raise max_events",
          "a loop without end (one that writes, as by taking a lock, is not seen to wait), or `events` is too few");
  return message;
}

std::string counts_of(const checker::verdict& v) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), "%llu executions, %llu blocked, %s, %.2f s",
                static_cast<unsigned long long>(v.executions), static_cast<unsigned long long>(v.blocked),
                std::string(mode_name(v)).c_str(), v.seconds);
  std::string all = text.data();
  if (v.share.count > 1)
    all += ", " + std::to_string(v.share.explored) + " of " + std::to_string(v.share.pieces) + " pieces";
  if (asked.distinct) all += ", " + std::to_string(essences.size()) + " distinct";
  if (asked.how.stall) {
    all += ", thread " + std::to_string(*asked.how.stall) + " stopped before each of its " + std::to_string(stops) +
           " steps in turn";
  }
  return all;
}

/// Which limit it was, and what can be done about a search that is too large.
std::string limit_of(const checker::verdict& v) {
  const checker::options& o = asked.how.options;
  std::array<char, 80> text{};
  if (v.executions >= o.max_executions) {
    std::snprintf(text.data(), text.size(), "it was executions=%llu",
                  static_cast<unsigned long long>(o.max_executions));
  } else {
    std::snprintf(text.data(), text.size(), "it was seconds=%g", o.max_seconds);
  }
  if (o.how != checker::mode::exhaustive) return text.data();
  return text.data() + std::string("; mode=estimate says how large the search is, mode=pct samples it");
}

/// As a shell reads it.
std::string quoted(const std::string& file) {
  if (file.find_first_of(" \t\n'\"\\$`&;|<>()*?[]#~") == std::string::npos) return file;
  std::string text;
  for (const char c : file) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + text + "'";
}

status print(const checker::verdict& v) {
  switch (v.outcome) {
    case checker::outcome::ok:
      if (v.size.probes == 0) {
        say("ok: %s\n", counts_of(v).c_str());
      } else {
        say("estimate: %.0f executions, between %.0f and %.0f if the sample is typical; exploring them would take %.1f "
            "s\n",
            v.size.executions, v.size.least, v.size.most, v.size.seconds);
      }
      break;
    case checker::outcome::limit:
      say("limit: nothing wrong was found before a limit: %s\n%s\n", counts_of(v).c_str(), limit_of(v).c_str());
      break;
    case checker::outcome::violation:
      say("%s: %s\n%sfound after %s\n", std::string(name(v.kind)).c_str(), in_own_words(v.message).c_str(),
          v.trace.c_str(), counts_of(v).c_str());
      break;
  }
  if (v.size.probes != 0) return as_expected;  // its probes are no executions to be counted
  for (const auto& [text, count] : outcomes) {
    say("%10llu  %s\n", static_cast<unsigned long long>(count), text.c_str());
  }
  if (v.outcome == checker::outcome::violation && !asked.trace.empty()) {
    say("`licit replay %s` runs it again\n", quoted(asked.trace).c_str());
  }
  if (v.kind == checker::violation::unlike_record) return bad_usage;
  if (v.outcome == checker::outcome::ok) return as_expected;
  return v.outcome == checker::outcome::limit ? undecided : violated;
}

void write_dot(const checker::execution& picture) {
  std::ofstream out(asked.dot, std::ios::binary);
  out << checker::dot(picture);
  out.close();
  if (!out) throw std::runtime_error("cannot write " + asked.dot + ": " + std::generic_category().message(errno));
}

// --- main

/// Whether another library has the functions that the instrumentation calls: the sanitizer's, which comes before ours.
bool has_sanitizer() {
  void* const called = dlsym(RTLD_DEFAULT, "__tsan_init");
  Dl_info theirs{};
  Dl_info ours{};
  if (called == nullptr || dladdr(called, &theirs) == 0) return false;
  return dladdr(&the_progress, &ours) != 0 && theirs.dli_fbase != ours.dli_fbase;
}

/// What the program prints would be printed in every execution.
void silence() {
  report_to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100);
  errors_to = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) throw std::system_error(errno, std::generic_category(), "/dev/null");
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

void prepare() {
  std::locale::classic();  // numbers its facets, in the program's memory too, which is kept below
  give_buffers();
  silence();
  park_threads();
  prepare_sites();
  keep_image();
  sheet = memfd_create("outcomes", MFD_CLOEXEC);
}

int explore_main() {
  use_early_memory(false);
  try {
    const char* const text = std::getenv("LICIT_CHECK");  // NOLINT(concurrency-mt-unsafe): there is one thread
    asked = requested(text == nullptr ? "" : text);
    if (has_sanitizer()) {
      throw std::invalid_argument(
          "the program is linked with -fsanitize=thread, and so with the sanitizer's own library: compile with that "
          "option, but link without it");
    }
    if (!is_instrumented()) {
      throw std::invalid_argument(
          "no part of the program was compiled with -fsanitize=thread, so nothing would be seen");
    }
    if (const std::string library = instrumented_library(); !library.empty()) {
      throw std::invalid_argument(library +
                                  " is compiled with -fsanitize=thread, but variables of a library are not seen: "
                                  "link its objects into the program");
    }
    prepare();
    if (!asked.replay.empty()) read_trace(asked.replay, asked);
    find_unseen(asked.accepted);
    the_progress.begin();
    const checker::verdict v = checker::explore(&explored, asked.how);
    the_progress.end();
    read_outcomes();
    if (!asked.dot.empty() && v.outcome == checker::outcome::violation) write_dot(v.picture);
    if (asked.how.stall && v.outcome == checker::outcome::ok && stops == 0) {
      throw std::invalid_argument("stall: no execution has a thread " + std::to_string(*asked.how.stall));
    }
    if (v.share.count > 1 && v.executions == 0) outcomes.clear();  // they are counted in another shard
    const status found = print(v);
    const status all = asked.audit && v.outcome == checker::outcome::ok ? audit() : found;
    if (unwritten == 0) return all;
    dprintf(errors_to, "licit: cannot write the output: %s\n", std::generic_category().message(unwritten).c_str());
    return bad_usage;
  } catch (const std::exception& e) {
    the_progress.end();
    dprintf(report_to == STDOUT_FILENO ? STDERR_FILENO : report_to, "licit: %s\n", e.what());
    return bad_usage;
  }
}

}  // namespace

executor& engine() { return *the_engine; }
bool has_spurious() { return asked.spurious; }
bool has_engine() { return the_engine != nullptr; }

void say(const char* format, ...) {
  va_list list;
  va_start(list, format);
  if (vdprintf(report_to, format, list) < 0 && unwritten == 0) unwritten = errno;
  va_end(list);
}

checker::verdict explored_again() {
  outcomes.clear();
  return explored_once();
}

std::vector<std::string> command_line() { return {user.arguments, user.arguments + user.count}; }

int run_main() { return user.body(user.count, user.arguments, user.environment); }

namespace {

// NOLINTBEGIN(concurrency-mt-unsafe): there is one thread
/// Begins the process again with memory where it is in every run: what a program does may depend on addresses, by a
/// hash of a pointer for example, and then its executions do. A system that refuses leaves memory where it is.
/// The libraries' functions are then all found at the start: tables that executions fill would be put back with memory.
void fix_addresses(char** arguments) {
  constexpr unsigned long ask = 0xffffffff;
  constexpr const char* variable = "LD_BIND_NOW";
  constexpr const char* ours = "licit";
  const auto forget = [&] {
    const char* const bound = std::getenv(variable);
    if (bound != nullptr && std::strcmp(bound, ours) == 0) unsetenv(variable);
  };
  forget();
  const int now = personality(ask);
  if (now == -1 || (now & ADDR_NO_RANDOMIZE) != 0 || getauxval(AT_SECURE) != 0) return;
  const char* const preloaded = std::getenv("LD_PRELOAD");
  if (preloaded != nullptr && std::strstr(preloaded, "vgpreload") != nullptr) return;  // Valgrind would not come along
  if (personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1) return;
  if ((personality(ask) & ADDR_NO_RANDOMIZE) == 0) return;
  setenv(variable, ours, 0);
  execve("/proc/self/exe", arguments, environ);
  forget();
}
// NOLINTEND(concurrency-mt-unsafe)

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
  std::ranges::replace(text, '\n', ' ');
  has_said = true;
  std::string& all = said[engine().thread()];
  all += (all.empty() ? "" : " ") + std::string(text.data());
}

/// Called by the program's first code, before its constructors. By the executable's or by none: it is loaded first.
LICIT_INTERPOSED int __libc_start_main(int (*body)(int, char**, char**), int count, char** arguments, void (*init)(),
                                       void (*fini)(), void (*rtld)(), void* end) {
  using start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto system = reinterpret_cast<start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  user.body = body;
  fix_addresses(arguments);
  find_image();
  use_early_memory(true);
  return system(&replaced_main, count, arguments, init, fini, rtld, end);
}
