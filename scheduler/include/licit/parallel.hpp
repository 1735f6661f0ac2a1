/// Parallel algorithms, with the standard's names after `parallel_`. scheduler/parallel.md has the guarantees.
///
///     licit::scheduler workers;
///     const double sum = workers.enter([&] { return licit::parallel_reduce(numbers, 0.0); });
#ifndef LICIT_PARALLEL_PARALLEL_HPP
#define LICIT_PARALLEL_PARALLEL_HPP

#include <licit/parallel/find.hpp>
#include <licit/parallel/for_each.hpp>
#include <licit/parallel/parallel_options.hpp>
#include <licit/parallel/reduce.hpp>
#include <licit/parallel/scan.hpp>
#include <licit/parallel/sort.hpp>
#include <licit/parallel/stable_sort.hpp>

#endif
