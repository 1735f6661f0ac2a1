#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <licit/scheduler/processors.hpp>

#if defined(__linux__)
#include <sched.h>
#endif

namespace licit::inline v0::detail {

namespace {

/// A hierarchy of control groups as it is mounted: `at` shows the group `group` of the hierarchy, and those below.
struct group_mount {
  std::string at;
  std::string group;
  bool unified = false;  ///< version 2
};

std::vector<std::string> words_of(const std::string& text, char between) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, between);) words.push_back(word);
  return words;
}

bool has_word(const std::string& list, std::string_view word) {
  const std::vector<std::string> words = words_of(list, ',');
  return std::ranges::find(words, word) != words.end();
}

/// In mountinfo a space, a tab, a line feed and a backslash are written as a backslash and three octal digits.
std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i != text.size(); ++i) {
    const auto octal = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// Those that limit processors. A line: id, parent, device, root, place, options, optional fields, "-", type, source,
/// and options of the file system.
std::vector<group_mount> group_mounts(const std::string& root) {
  std::vector<group_mount> all;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = words_of(line, ' ');
    const auto dash = std::ranges::find(fields, "-");
    if (fields.size() < 7 || fields.end() - dash < 4) continue;
    const bool unified = dash[1] == "cgroup2";
    if (!unified && (dash[1] != "cgroup" || !has_word(dash[3], "cpu"))) continue;
    all.push_back({.at = without_escapes(fields[4]), .group = without_escapes(fields[3]), .unified = unified});
  }
  return all;
}

/// This process's group in the hierarchy that limits processors. A line: number, controllers, group.
std::optional<std::string> own_group(const std::string& root, bool unified) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : has_word(controllers, "cpu")) return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

/// Nothing unless it is a number, without a sign.
std::optional<std::uint64_t> number_in(const std::string& text) {
  constexpr std::size_t most_digits = 18;
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > most_digits || !digits) return std::nullopt;
  return std::stoull(text);
}

/// The limit of one group: the quota ("max" or -1: none) of a period, both in microseconds.
std::optional<std::size_t> limit_of(const std::string& folder, bool unified) {
  std::string quota;
  std::string period;
  if (unified) {
    const std::vector<std::string> both = words_of(first_line(folder + "/cpu.max").value_or(""), ' ');
    if (both.size() != 2) return std::nullopt;
    quota = both[0];
    period = both[1];
  } else {
    quota = first_line(folder + "/cpu.cfs_quota_us").value_or("");
    period = first_line(folder + "/cpu.cfs_period_us").value_or("");
  }
  const auto part = number_in(quota);
  const auto whole = number_in(period);
  if (!part || !whole || *whole == 0) return std::nullopt;
  return static_cast<std::size_t>(std::max<std::uint64_t>(*part / *whole + (*part % *whole != 0 ? 1 : 0), 1));
}

/// Without a slash at the end.
std::string trimmed(std::string path) {
  while (!path.empty() && path.back() == '/') path.pop_back();
  return path;
}

/// The group's path below the mount. Empty also if the mount does not show the group: then its topmost one counts.
std::string below(const group_mount& mount, const std::string& group) {
  const std::string top = trimmed(mount.group);
  const std::string own = trimmed(group);
  const bool inside = own.starts_with(top) && (own.size() == top.size() || own[top.size()] == '/');
  return inside && own.find("/..") == std::string::npos ? own.substr(top.size()) : "";
}

}  // namespace

std::optional<std::size_t> quota_of_groups(const std::string& root) {
  std::optional<std::size_t> least;
  for (const group_mount& mount : group_mounts(root)) {
    const auto group = own_group(root, mount.unified);
    if (!group) continue;
    const std::string top = root + trimmed(mount.at);
    for (std::string path = below(mount, *group);; path.erase(path.rfind('/'))) {
      const auto limit = limit_of(top + path, mount.unified);
      if (limit && (!least || *limit < *least)) least = limit;
      if (path.empty()) break;
    }
  }
  return least;
}

std::size_t processors_of_mask() noexcept {
#if defined(__linux__)
  constexpr int most = 1 << 16;
  for (int processors = 1024; processors <= most; processors *= 2) {  // the kernel refuses sets that are too small
    cpu_set_t* const set = CPU_ALLOC(processors);
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(processors);
    const bool read = sched_getaffinity(0, bytes, set) == 0;
    const int number = read ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (number > 0) return static_cast<std::size_t>(number);
  }
#endif
  return std::max(std::thread::hardware_concurrency(), 1U);
}

std::size_t usable_processors(const std::string& root) {
  const std::size_t mask = processors_of_mask();
  return std::min(mask, quota_of_groups(root).value_or(mask));
}

}  // namespace licit::inline v0::detail
