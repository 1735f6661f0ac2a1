// Counting the words of a file, and of a tree of directories as items of work: what the serial and the parallel count
// share.
#ifndef LICIT_EXAMPLES_WORDS_HPP
#define LICIT_EXAMPLES_WORDS_HPP

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

struct string_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using word_counts = std::unordered_map<std::string, std::uint64_t, string_hash, std::equal_to<>>;

struct tally {
  word_counts counts;
  std::uint64_t words = 0;
  std::uint64_t files = 0;
  std::uint64_t directories = 0;
  std::uint64_t skipped = 0;            // symbolic links, sockets, devices
  std::vector<std::string> unreadable;  // each with its reason; not in the counts above

  void merge(const tally& other) {
    for (const auto& [word, n] : other.counts) counts[word] += n;
    words += other.words;
    files += other.files;
    directories += other.directories;
    skipped += other.skipped;
    unreadable.insert(unreadable.end(), other.unreadable.begin(), other.unreadable.end());
  }
};

/// Letters and digits make a word, in lower case; so do all bytes above 127, and with them UTF-8's letters.
inline void count_words(std::string& text, tally& into) {
  const auto is_word = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c > 127;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    for (; at < text.size() && is_word(static_cast<unsigned char>(text[at])); ++at)
      if (text[at] >= 'A' && text[at] <= 'Z') text[at] = static_cast<char>(text[at] - 'A' + 'a');
    if (at == start) {
      ++at;
      continue;
    }
    const auto word = std::string_view(text).substr(start, at - start);
    const auto known = into.counts.find(word);
    if (known != into.counts.end()) {
      ++known->second;
    } else {
      into.counts.emplace(word, 1);
    }
    ++into.words;
  }
}

/// The whole file is read before its first word counts, so that a file is counted or unreadable and never half of each.
inline void count_file(const std::filesystem::path& path, tally& into) {
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, closer> file(std::fopen(path.c_str(), "rb"));
  std::string text;
  bool read = file != nullptr;
  if (read) {
    char block[1 << 16];
    while (const std::size_t n = std::fread(block, 1, sizeof(block), file.get())) text.append(block, n);
    read = std::ferror(file.get()) == 0;
  }
  if (!read) {
    into.unreadable.push_back(path.string() + ": " + std::generic_category().message(errno));
    return;
  }
  count_words(text, into);
  ++into.files;
}

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
