/// How many processors a program may use: not all that the machine has, in a container or under an affinity mask.
#ifndef LICIT_SCHEDULER_PROCESSORS_HPP
#define LICIT_SCHEDULER_PROCESSORS_HPP

#include <cstddef>
#include <optional>
#include <string>

namespace licit::inline v0::detail {

/// Any thread. The processors' time that this process's control groups allow it, in processors, rounded up: the least
/// of `cpu.max` (version 2) and `cpu.cfs_quota_us` (version 1) in its group and those above. Nothing if there is no
/// limit or none can be read. `root` is the folder in which `proc` and the control groups' mounts are looked up. Reads
/// some small files. Throws std::bad_alloc.
std::optional<std::size_t> quota_of_groups(const std::string& root = "");

/// Any thread. The processors that the calling thread may run on: those of its affinity mask (`sched_getaffinity`), or
/// of the hardware where the system has none; at least 1.
std::size_t processors_of_mask() noexcept;

/// The least of both; at least 1.
std::size_t usable_processors(const std::string& root = "");

}  // namespace licit::inline v0::detail

#endif
