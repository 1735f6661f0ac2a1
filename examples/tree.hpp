// A directory tree as items of work, and its word count by one thread.
#ifndef LICIT_EXAMPLES_TREE_HPP
#define LICIT_EXAMPLES_TREE_HPP

#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "words.hpp"

struct job {
  std::filesystem::path path;
  bool directory;
};

/// Counts a file, or hands what a directory holds to `add(std::unique_ptr<job>)`. Symbolic links are not followed.
template <class Add>
void run(const job& item, tally& into, Add&& add) {
  if (!item.directory) return count_file(item.path, into);
  namespace fs = std::filesystem;
  std::error_code error;
  fs::directory_iterator entry(item.path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::file_type type = entry->symlink_status(error).type();
    if (error) break;
    if (type == fs::file_type::directory || type == fs::file_type::regular) {
      add(std::make_unique<job>(entry->path(), type == fs::file_type::directory));
    } else {
      ++into.skipped;
    }
  }
  if (error) {
    into.unreadable.push_back(item.path.string() + ": " + error.message());
  } else {
    ++into.directories;
  }
}

inline tally count_serially(const std::filesystem::path& root) {
  tally all;
  std::vector<std::unique_ptr<job>> left;
  const auto add = [&left](std::unique_ptr<job> item) { left.push_back(std::move(item)); };
  add(std::make_unique<job>(root, true));
  while (!left.empty()) {
    const std::unique_ptr<job> item = std::move(left.back());
    left.pop_back();
    run(*item, all, add);
  }
  return all;
}

#endif
