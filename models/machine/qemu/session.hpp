/// All of the plugin behind QEMU's callbacks: requests of the guest, executions, verdicts.
#ifndef LICIT_MODELS_QEMU_SESSION_HPP
#define LICIT_MODELS_QEMU_SESSION_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "machine/qemu/decisions.hpp"
#include "machine/qemu/emulator.hpp"
#include "machine/qemu/guest.hpp"
#include "machine/qemu/history.hpp"
#include "machine/qemu/options.hpp"
#include "machine/qemu/strategy.hpp"
#include "machine/qemu/turns.hpp"
#include "machine/qemu/weak_memory.hpp"

namespace licit::qemu {

struct system_call {
  std::int64_t number;
  std::array<std::uint64_t, 6> arguments;
};

class session {
 public:
  explicit session(options how);

  // On the calling guest thread.

  /// Before the first instruction of a unit.
  void before(const unit& u);
  /// After an access to memory of it.
  void after(std::uint64_t address, unsigned bytes);
  /// Before a system call, which the kernel then does, or refuses; after it.
  void before(const system_call& call);
  void after(const system_call& call);

  /// Prints or writes what was counted.
  void end();

 private:
  // A thread's part of an execution.
  struct part {
    unsigned thread = 0;
    const unit* ran = nullptr;             // the last, whose followers were not told to the model yet
    bool yields = false;                   // it has said that others shall run
    std::uint64_t accesses = 0;            // to shared memory, since another thread ran
    std::optional<std::uint64_t> patched;  // the futex whose value the kernel is not to see
    std::uint64_t value = 0;               // which is this
  };

  std::uint64_t answer_to(request what, const system_call& call);
  void hello(const system_call& call);
  void freed(std::uint64_t address, std::uint64_t bytes);
  std::uint64_t next(unsigned thread);
  ending execute(unsigned threads, std::uint64_t seed);
  bool verdict(bool failed, const std::string& message);
  bool failed_first(const std::string& message);
  bool made_smaller(bool failed);
  bool once_more(bool impossible);
  [[nodiscard]] bool try_smaller();
  void found(const std::string& what);
  void show(const std::string& what) const;
  [[noreturn]] void refuse(const located& at, const arm::refused& why);
  /// What accesses memory and the emulator tells nothing of.
  void refuse_unseen(const located& at);
  [[nodiscard]] executable guest() const;
  void prove() const;
  void count();

  void during_execution(const system_call& call);
  void futex(std::uint64_t word, std::uint64_t operation, std::uint32_t value, bool timed);
  void wait_on(std::uint64_t word, std::uint32_t value, bool timed);
  void wake(std::uint64_t word, std::uint64_t most);
  void catch_up();
  void turn();
  /// Whether threads meet at what the instruction accesses, as far as the survey knows; in the survey it is learnt.
  bool met(const arm::instruction& i, std::uint64_t address);

  static thread_local part* mine;  // null outside executions

  options how_;
  emulator machine_;
  decisions decisions_;
  turns turns_;
  weak_memory memory_;
  places names_;
  std::array<part, turns::most_threads> parts_;

  survey survey_;
  std::uint64_t surveyed_ = 0;  // executions
  bool surveys_ = false;        // this execution is one of them
  std::uint64_t units_ = 0;     // of this execution
  std::uint64_t steps_ = 0;     // of this execution
  std::uint64_t seed_ = 0;      // of this execution
  bool abandoned_ = false;      // threads stand where they do for ever
  std::string message_;         // of the failure that is made smaller
  std::optional<shrink> smaller_;
  std::optional<decisions::list> script_;  // of the next execution
  std::optional<foretold> foretold_;       // this execution, and those that make it smaller
  decisions::list plain_;                  // of the execution that it learnt from
  bool repeated_ = false;                  // that one is run again
  bool last_ = false;                      // the next execution is the smallest: it is shown

  struct {
    std::uint64_t executions = 0;
    std::uint64_t accesses = 0;
    std::uint64_t failures = 0;
    std::uint64_t digest = 0;  // of what every execution did
  } counts_;
};

}  // namespace licit::qemu

#endif
