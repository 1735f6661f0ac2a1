/* What the clients in C share: small programs of which the first argument runs one by name. */
#ifndef LICIT_MODELS_FIELD_CLIENT_H
#define LICIT_MODELS_FIELD_CLIENT_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct client {
  const char* name;
  void (*run)(void);
};

static void* run_body(void* body) {
  (*(void (**)(void))body)();
  return NULL;
}

/* Runs both at the same time, the first on the calling thread. */
static void together(void (*first)(void), void (*second)(void)) {
  pthread_t other;
  pthread_create(&other, NULL, &run_body, &second);
  first();
  pthread_join(other, NULL);
}

static int run_client(int argc, char** argv, const struct client* clients, size_t count) {
  for (size_t i = 0; i != count; ++i) {
    if (argc < 2 || strcmp(clients[i].name, argv[1]) != 0) continue;
    clients[i].run();
    return 0;
  }
  return 3;
}

#endif
