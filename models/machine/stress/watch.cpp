// The child runs, the parent looks at it, by /proc, from time to time.
#include "machine/stress/watch.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <sstream>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "machine/qemu/guest.hpp"
#include "machine/stress/chance.hpp"
#include "machine/stress/subject.hpp"

namespace licit::stress {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Lies in memory that parent and child share.
class shared_report {
 public:
  shared_report() {
    void* const place = mmap(nullptr, sizeof(report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) give_up("licit: no memory to share with a child");
    report_ = ::new (place) report;
  }
  shared_report(const shared_report&) = delete;
  shared_report& operator=(const shared_report&) = delete;
  ~shared_report() { munmap(report_, sizeof(report)); }
  report& operator*() { return *report_; }
  report* operator->() { return report_; }

 private:
  report* report_;
};

/// What a child writes to its standard error.
class caught_text {
 public:
  caught_text() : file_{memfd_create("licit-stress", MFD_CLOEXEC)} {
    if (file_ < 0) give_up("licit: no file for a child's messages");
  }
  caught_text(const caught_text&) = delete;
  caught_text& operator=(const caught_text&) = delete;
  ~caught_text() { close(file_); }
  void take_over() const { dup2(file_, STDERR_FILENO); }
  [[nodiscard]] std::string all() const {
    std::string text(static_cast<std::size_t>(std::max<off_t>(lseek(file_, 0, SEEK_END), 0)), '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
  }

 private:
  int file_;
};

/// A thread's line in /proc: whether it sleeps, and the processor time that it has had, in the kernel's ticks.
struct thread_state {
  bool sleeps;
  long ticks;
};
std::optional<thread_state> read_state(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  std::getline(in, text);
  const auto name_ends = text.rfind(')');
  if (name_ends == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_ends + 1));
  char state = 0;
  fields >> state;
  std::string skipped;
  for (int i = 0; i != 10; ++i) fields >> skipped;
  long user = 0;
  long system = 0;
  fields >> user >> system;
  return thread_state{state == 'S', user + system};
}

/// A sanitizer that reports waits for another process, which finds the words.
bool has_child(const fs::path& thread) {
  std::ifstream in(thread / "children");
  return in.peek() != std::ifstream::traits_type::eof();
}

/// Of a process: whether all its threads sleep, waiting for no process, and their time.
thread_state look_at(pid_t child) {
  thread_state sum{true, 0};
  std::error_code gone;
  for (const auto& each : fs::directory_iterator("/proc/" + std::to_string(child) + "/task", gone)) {
    const auto one = read_state(each.path() / "stat");
    if (!one) continue;
    sum.sleeps = sum.sleeps && one->sleeps && !has_child(each.path());
    sum.ticks += one->ticks;
  }
  return sum;
}

/// Whether the child hangs, asked again and again.
class lookout {
 public:
  lookout(pid_t child, const report& of, const patience& p) : child_{child}, of_{of}, patience_{p} {}

  /// Empty while it does not.
  std::string_view hang() {
    const thread_state now = look_at(child_);
    const std::uint64_t done = of_.executions.load();
    if (done != done_) ticks_ = now.ticks;
    if (done != done_ || !now.sleeps || now.ticks != last_ticks_) asleep_ = clock();
    if (done != done_) begin_to_count();
    done_ = done;
    last_ticks_ = now.ticks;
    if (asleep_.seconds() > patience_.asleep) return "hang: each thread that has not ended sleeps";
    if (only_looks(now)) return "hang: a thread sleeps, looks and sleeps again";
    const double used = static_cast<double>(now.ticks - ticks_) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return used > patience_.endless ? "hang: an execution goes on and on" : std::string_view();
  }

 private:
  /// Whether one awaits what does not come: it takes no time to speak of, but some. Whoever has work and no processor
  /// is not asleep.
  bool only_looks(const thread_state& now) {
    ++looks_;
    awake_ += now.sleeps ? 0U : 1U;
    if (counted_.seconds() < 3 * patience_.asleep) return false;
    if (4 * awake_ < looks_) return true;
    begin_to_count();
    return false;
  }
  void begin_to_count() {
    counted_ = clock();
    looks_ = awake_ = 0;
  }

  const pid_t child_;
  const report& of_;
  const patience patience_;
  std::uint64_t done_ = 0;
  long ticks_ = 0;       // when an execution was last seen to have ended
  long last_ticks_ = 0;  // when it was last looked at
  clock asleep_;         // since when nothing was seen to move
  clock counted_;        // since when it is counted how often somebody was awake
  unsigned looks_ = 0;
  unsigned awake_ = 0;
};

/// The child's exit status, or what ended it from here.
struct end_of_child {
  int status = 0;
  std::string hang = {};
};
end_of_child await(pid_t child, const report& of, const patience& p) {
  lookout out(child, of, p);
  for (std::chrono::milliseconds pause{1};; pause = std::min(2 * pause, std::chrono::milliseconds{50})) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return {status};
    if (const auto hang = out.hang(); !hang.empty()) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return {status, std::string(hang)};
    }
    std::this_thread::sleep_for(pause);
  }
}

/// The plugin's own, whatever the program had said before.
void refuse_unsound(const end_of_child& end, const std::string& text) {
  if (!end.hang.empty() || !WIFEXITED(end.status)) return;
  const int status = WEXITSTATUS(end.status);
  if (status == qemu::gave_up || status == qemu::forbidden) throw no_verdict(status, text);
}

result judge(const end_of_child& end, report& of, const std::string& text) {
  refuse_unsound(end, text);
  result r{.executions = of.executions.load()};
  const auto caught = [&](std::string kind, std::string what) {
    ++r.executions;
    r.caught = true;
    r.kind = std::move(kind);
    r.what = std::move(what);
  };
  if (of.failed()) {
    const std::string said = of.message();
    caught(said.starts_with("hang") ? "hang" : "check", said);
  } else if (!end.hang.empty()) {
    caught("hang", end.hang);
  } else if (WIFSIGNALED(end.status)) {
    caught("crash", std::string("crash: ") + sigdescr_np(WTERMSIG(end.status)));
  } else if (WEXITSTATUS(end.status) == sanitizer::exit_status) {
    caught("race", sanitizer::summary(text));
  } else if (WEXITSTATUS(end.status) != 0) {
    throw std::runtime_error("licit: a child ended with status " + std::to_string(WEXITSTATUS(end.status)) + ": " +
                             text);
  }
  return r;
}

}  // namespace

result watch(const task& t, bool plugin, const patience& p) {
  shared_report shared;
  const caught_text text;
  const clock since;
  const pid_t child = fork();
  if (child < 0) give_up("licit: no process for a stress test");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would end it
    text.take_over();
    plugin ? run_under_plugin(t, *shared) : run_on_threads(t, *shared);
    _exit(0);
  }
  const end_of_child end = await(child, *shared, p);
  result r = judge(end, *shared, text.all());
  if (plugin) std::fputs(text.all().c_str(), stderr);  // the history of what failed
  r.seconds = since.seconds();
  return r;
}

}  // namespace licit::stress

namespace licit::stress::sanitizer {

std::string summary(const std::string& report) {
  constexpr std::string_view begins = "SUMMARY: ThreadSanitizer: ";
  const auto at = report.find(begins);
  if (at == std::string::npos) return "ThreadSanitizer ended the process: " + report.substr(0, 200);
  std::string line = report.substr(at + begins.size(), report.find('\n', at) - at - begins.size());
  // Code without lines is named by the executable: its folder, an offset and a build's number.
  while (true) {
    const auto open = line.find(" (");
    const auto close = line.find(')', open);
    if (open == std::string::npos || close == std::string::npos) break;
    line.erase(open, close + 1 - open);
  }
  if (const auto folder = line.find(" /"); folder != std::string::npos) {
    line.erase(folder + 1, line.rfind('/', line.find(':', folder)) - folder);
  }
  if (const auto arguments = line.find('<'); arguments != std::string::npos) line.erase(arguments);
  return "ThreadSanitizer: " + line;
}

}  // namespace licit::stress::sanitizer

// Asked by ThreadSanitizer as it starts; nobody else calls it.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
  return "halt_on_error=1:exitcode=66:atexit_sleep_ms=0:report_thread_leaks=0:report_signal_unsafe=0";
}

namespace licit::stress {

namespace {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string json_of(std::string_view structure, const found_by& f) {
  const result& r = f.found;
  return "{\"structure\": " + json_string(structure) + ", \"row\": " + json_string(f.row) +
         ", \"program\": " + json_string(f.program) + ", \"seed\": " + std::to_string(f.seed) +
         ", \"executions\": " + std::to_string(r.executions) + ", \"seconds\": " + std::to_string(r.seconds) +
         ", \"caught\": " + (r.caught ? "true" : "false") + ", \"kind\": " + json_string(r.kind) +
         ", \"what\": " + json_string(r.what) + "}";
}

}  // namespace

std::string json_of(std::string_view structure, std::string_view machine, const std::vector<found_by>& all) {
  std::string out = machine.empty() ? "{" : "{\"machine\": " + json_string(machine) + ", ";
  const char* before = "\"results\": [\n";
  for (const found_by& f : all) {
    out += before + json_of(structure, f);
    before = ",\n";
  }
  return out + (all.empty() ? before : "\n") + "]}\n";
}

std::vector<subject>& subjects() {
  static std::vector<subject> all;
  return all;
}

}  // namespace licit::stress
