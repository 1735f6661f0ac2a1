/* One way to fail, whatever NDEBUG says. */
#ifndef LICIT_TESTS_CONSUMERS_CHECK_H
#define LICIT_TESTS_CONSUMERS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(holds)                                                      \
  do {                                                                    \
    if (!(holds)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #holds); \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

#endif
