#include <sys/timex.h>

#include "CLinux.h"

int clock_is_synchronised(void) {
  struct timex state = {.modes = 0};
  return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}
