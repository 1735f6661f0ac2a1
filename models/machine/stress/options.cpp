#include "machine/stress/options.hpp"

#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>

namespace licit::stress {

namespace {

template <class Number>
void read(std::string_view name, std::string_view text, Number& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  if (error != std::errc() || end != text.data() + text.size() || into < Number{}) {
    throw std::invalid_argument(std::string(name) + ": not a number: " + std::string(text));
  }
}

struct option {
  std::string_view name;
  std::string_view about;
  void (*set)(options&, std::string_view name, std::string_view text);
};

constexpr std::array known{
    option{"--row", "NAME     run this row only", [](options& o, auto, auto text) { o.row = text; }},
    option{"--program", "NAME run this program only", [](options& o, auto, auto text) { o.program = text; }},
    option{"--executions", "N  executions of each row, program and seed, at most (default: 100000)",
           [](options& o, auto name, auto text) { read(name, text, o.executions); }},
    option{"--seconds", "S     seconds for each of them, at most (default: 10)",
           [](options& o, auto name, auto text) { read(name, text, o.seconds); }},
    option{"--seeds", "N       number of seeds (default: 1)",
           [](options& o, auto name, auto text) { read(name, text, o.seeds); }},
    option{"--seed", "N        the first seed (default: 1)",
           [](options& o, auto name, auto text) { read(name, text, o.seed); }},
    option{"--first", "N       number of the first execution (default: 0); repeats one under the plugin",
           [](options& o, auto name, auto text) { read(name, text, o.first); }},
    option{"--json", "FILE     write the results to FILE, as JSON", [](options& o, auto, auto text) { o.json = text; }},
    option{"--machine", "TEXT  name of the machine, for the JSON",
           [](options& o, auto, auto text) { o.machine = text; }},
};

}  // namespace

options parse(std::span<char*> arguments) {
  options o;
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--list" || word == "--help") {
      (word == "--list" ? o.list : o.help) = true;
      continue;
    }
    const option* found = nullptr;
    for (const option& each : known) {
      if (each.name == word) found = &each;
    }
    if (found == nullptr) throw std::invalid_argument("there is no option " + std::string(word));
    if (++i == arguments.size()) throw std::invalid_argument(std::string(word) + " has no value");
    found->set(o, word, arguments[i]);
  }
  return o;
}

std::string help(const char* name) {
  std::string text = "usage: " + std::string(name) + " [option value]...\n  --list           list rows and programs\n";
  for (const option& each : known) text += "  " + std::string(each.name) + " " + std::string(each.about) + "\n";
  return text + "Exit status: 0 nothing was caught, 1 something was, 2 bad usage or no run.\n";
}

}  // namespace licit::stress
