#include "BuildFacts.h"

#ifndef COMMIT
#define COMMIT ""
#endif

const char *build_commit(void) { return COMMIT; }
