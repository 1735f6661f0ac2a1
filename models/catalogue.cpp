#include "catalogue.hpp"

#include <vector>

#include "programs/programs.hpp"

namespace licit::models {

std::span<const program> programs() {
  static const std::vector<program> all = [] {
    std::vector<program> list;
    deque_programs::each([&]<template <class> class Program> {
      list.push_back(
          {Program<native>::about, &relacy::run<Program>, &exhaustive::run<Program>, &checker::run<Program>});
    });
    return list;
  }();
  return all;
}

}  // namespace licit::models
