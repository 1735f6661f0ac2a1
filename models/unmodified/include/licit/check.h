/* For programs that `licit check` explores (models/unmodified/README.md). A program needs nothing of it. */
#ifndef LICIT_CHECK_H
#define LICIT_CHECK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Says how the execution went, as printf would. The check lists what was said in all executions, and in how many of
   them. What one execution says at several times is one line, the threads one after another. Any thread may call it. */
__attribute__((format(printf, 1, 2))) void licit_outcome(const char* format, ...);

#ifdef __cplusplus
}
#endif

#endif
