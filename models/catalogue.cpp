#include "catalogue.hpp"

#include <vector>

#include "programs/chase_lev/programs.hpp"

namespace licit::models {

std::span<const program> programs() {
  static const std::vector<program> all = [] {
    std::vector<program> list;
    chase_lev_programs::each([&]<template <class> class Program> {
      list.push_back(
          {Program<native>::about, &relacy::run<Program>, &exhaustive::run<Program>, &checker::run<Program>});
    });
    return list;
  }();
  return all;
}

}  // namespace licit::models
