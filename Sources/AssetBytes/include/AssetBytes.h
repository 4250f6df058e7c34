#pragma once
#include <stddef.h>
#include <stdint.h>

/** One file of Templates, Public or Catalog, compiled in. */
struct asset_entry {
    /** Its path from the root of the source tree, for example "Public/app.js". */
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

extern const size_t asset_count;

/** The entry at an index below `asset_count`; sorted by name, in byte order. */
const struct asset_entry *asset_at(size_t index);

/** FNV-1a, 64 bits: tells versions of our own files apart; it guards nothing. In C, for debug builds' sake. */
uint64_t asset_hash(const unsigned char *bytes, size_t size);
