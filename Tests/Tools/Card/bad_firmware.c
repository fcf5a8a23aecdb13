// Broken firmware, for packages that a board must roll back: compiled with -Dcrash it ends as soon as it is to run,
// with -Dhang it never is ready.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 2 || strcmp(words[1], "run") != 0) return 0;
#ifdef crash
  abort();
#endif
  for (;;) pause();
}
