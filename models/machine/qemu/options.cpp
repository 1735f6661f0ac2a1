#include "machine/qemu/options.hpp"

#include <charconv>
#include <cstdio>
#include <string_view>
#include <unistd.h>

namespace licit::qemu {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view wanted) {
  fail("option " + std::string(name) + "=" + std::string(value) + ": wanted " + std::string(wanted));
}

bool flag(std::string_view name, std::string_view value) {
  if (value == "on") return true;
  if (value != "off") refuse(name, value, "on or off");
  return false;
}

std::uint64_t number(std::string_view name, std::string_view value) {
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(value.begin(), value.end(), result);
  if (error != std::errc{} || end != value.end()) refuse(name, value, "a number");
  return result;
}

scheduling schedule(std::string_view name, std::string_view value) {
  if (value == "mixed") return scheduling::mixed;
  if (value == "random") return scheduling::random;
  if (value == "sticky") return scheduling::sticky;
  if (value == "standing") return scheduling::standing;
  if (value == "pct") return scheduling::pct;
  refuse(name, value, "mixed, random, sticky, standing or pct");
}

seeded fault(std::string_view name, std::string_view value) {
  if (value == "none") return seeded::none;
  if (value == "dependencies") return seeded::dependencies;
  if (value == "foretelling") return seeded::foretelling;
  if (value == "views") return seeded::views;
  refuse(name, value, "none, dependencies, foretelling or views");
}

foretelling foretell(std::string_view name, std::string_view value) {
  if (value == "off") return foretelling::none;
  if (value == "on") return foretelling::words;
  if (value == "all") return foretelling::all;
  refuse(name, value, "off, on or all");
}

void set(options& all, std::string_view name, std::string_view value) {
  if (name == "weak")
    all.weak = flag(name, value);
  else if (name == "fault")
    all.fault = fault(name, value);
  else if (name == "schedule")
    all.schedule = schedule(name, value);
  else if (name == "seed")
    all.seed = number(name, value);
  else if (name == "steps")
    all.steps = number(name, value);
  else if (name == "survey")
    all.survey = number(name, value);
  else if (name == "foretell")
    all.foretell = foretell(name, value);
  else if (name == "shrink")
    all.shrink = flag(name, value);
  else if (name == "history")
    all.history = flag(name, value);
  else if (name == "pin")
    all.pin = flag(name, value);
  else if (name == "lines")
    all.lines = value;
  else if (name == "report")
    all.report = value;
  else
    refuse(name, value, "weak, fault, schedule, seed, steps, survey, foretell, shrink, history, pin, lines or report");
}

}  // namespace

options parse(std::span<char*> arguments) {
  options all;
  for (const std::string_view argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string_view::npos) refuse(argument, "", "name=value");
    set(all, argument.substr(0, equals), argument.substr(equals + 1));
  }
  return all;
}

void fail(const std::string& what, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "licit's plugin: %s\n", what.c_str());
  _exit(status);
}

}  // namespace licit::qemu
