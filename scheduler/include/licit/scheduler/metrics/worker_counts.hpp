/// A worker's counts and their meanings: the one list from which tables, JSON and Prometheus text are made.
#ifndef LICIT_SCHEDULER_WORKER_COUNTS_HPP
#define LICIT_SCHEDULER_WORKER_COUNTS_HPP

#include <array>
#include <cstdint>
#include <string_view>

namespace licit::inline v0 {

/// `Number` is a counter in a worker, a plain number in a snapshot.
template <class Number>
struct worker_counts {
  Number polls{};
  Number spawned{};
  Number finished{};
  Number threw{};
  Number cancelled{};
  Number moved{};
  Number forced_yields{};
  Number slot_hits{};
  Number bound_polls{};
  Number overflows{};
  Number items_overflowed{};
  Number inject_batches{};
  Number items_from_inject{};
  Number searches{};
  Number steals_tried{};
  Number steals_won{};
  Number items_stolen{};
  Number slots_stolen{};
  Number parks{};
  Number wakes{};
  Number empty_wakes{};
  Number timers_fired{};
  Number driver_wakes{};
  Number driver_wakes_early{};

  friend bool operator==(const worker_counts&, const worker_counts&) = default;
};

template <class Number>
struct described_count {
  std::string_view name;
  std::string_view help;
  Number worker_counts<Number>::* number;
};

template <class Number>
inline constexpr std::array described_counts{
    described_count<Number>{"polls", "Times a task was run or resumed.", &worker_counts<Number>::polls},
    described_count<Number>{"spawned", "Tasks spawned by a task of this worker.", &worker_counts<Number>::spawned},
    described_count<Number>{"finished", "Tasks that ended by returning.", &worker_counts<Number>::finished},
    described_count<Number>{"threw", "Tasks that ended by an exception.", &worker_counts<Number>::threw},
    described_count<Number>{"cancelled", "Tasks that were cancelled before they ended by themselves.",
                            &worker_counts<Number>::cancelled},
    described_count<Number>{"moved", "Tasks that hopped from this worker to another executor.",
                            &worker_counts<Number>::moved},
    described_count<Number>{"forced_yields", "Polls that ended because the budget was exhausted.",
                            &worker_counts<Number>::forced_yields},
    described_count<Number>{"slot_hits", "Tasks that this worker ran from its own slot.",
                            &worker_counts<Number>::slot_hits},
    described_count<Number>{"bound_polls", "Polls of tasks that are bound to this worker.",
                            &worker_counts<Number>::bound_polls},
    described_count<Number>{"overflows", "Times the local queue was full and half of it went to the inject queue.",
                            &worker_counts<Number>::overflows},
    described_count<Number>{"items_overflowed", "Tasks that these overflows moved.",
                            &worker_counts<Number>::items_overflowed},
    described_count<Number>{"inject_batches", "Times tasks were taken from the inject queue.",
                            &worker_counts<Number>::inject_batches},
    described_count<Number>{"items_from_inject", "Tasks taken from the inject queue.",
                            &worker_counts<Number>::items_from_inject},
    described_count<Number>{"searches", "Times this worker began to search the others for work.",
                            &worker_counts<Number>::searches},
    described_count<Number>{"steals_tried", "Looks at another worker's queue.", &worker_counts<Number>::steals_tried},
    described_count<Number>{"steals_won", "Looks that brought tasks.", &worker_counts<Number>::steals_won},
    described_count<Number>{"items_stolen", "Tasks taken from the queues of others.",
                            &worker_counts<Number>::items_stolen},
    described_count<Number>{"slots_stolen", "Tasks taken from the slots of others.",
                            &worker_counts<Number>::slots_stolen},
    described_count<Number>{"parks", "Times this worker went to sleep.", &worker_counts<Number>::parks},
    described_count<Number>{"wakes", "Times it woke up.", &worker_counts<Number>::wakes},
    described_count<Number>{"empty_wakes", "Wake-ups after which it slept again without running a task.",
                            &worker_counts<Number>::empty_wakes},
    described_count<Number>{"timers_fired", "Timers that this worker fired.", &worker_counts<Number>::timers_fired},
    described_count<Number>{"driver_wakes", "Wake-ups, or returns of the reactor, while it held the driver.",
                            &worker_counts<Number>::driver_wakes},
    described_count<Number>{"driver_wakes_early", "Those of them at which no timer was due.",
                            &worker_counts<Number>::driver_wakes_early},
};

/// Runs of tasks in threads that are no workers, which waited for them. Each is one of the worker's counts, too.
template <class Number>
struct outside_counts {
  Number polls{};
  Number finished{};
  Number threw{};
  Number cancelled{};
  Number moved{};

  friend bool operator==(const outside_counts&, const outside_counts&) = default;
};

template <class Number>
struct described_outside_count {
  std::string_view name;
  std::string_view help;
  Number outside_counts<Number>::* number;
  Number worker_counts<Number>::* same;  ///< what a worker counts
};

template <class Number>
inline constexpr std::array described_outside_counts{
    described_outside_count<Number>{"polls_outside", "Times a thread that is no worker ran a task for which it waited.",
                                    &outside_counts<Number>::polls, &worker_counts<Number>::polls},
    described_outside_count<Number>{"finished_outside", "Tasks that returned there.", &outside_counts<Number>::finished,
                                    &worker_counts<Number>::finished},
    described_outside_count<Number>{"threw_outside", "Tasks that threw there.", &outside_counts<Number>::threw,
                                    &worker_counts<Number>::threw},
    described_outside_count<Number>{"cancelled_outside", "Tasks that were found cancelled there.",
                                    &outside_counts<Number>::cancelled, &worker_counts<Number>::cancelled},
    described_outside_count<Number>{"moved_outside", "Tasks that hopped from there to another executor.",
                                    &outside_counts<Number>::moved, &worker_counts<Number>::moved},
};

static_assert(sizeof(worker_counts<std::uint64_t>) == described_counts<std::uint64_t>.size() * sizeof(std::uint64_t),
              "licit: a count without a description, or the other way round");

}  // namespace licit::inline v0

#endif
