#include "AssetBytes.h"

/* A NUL stands after each file, so that an empty one is an array too; sizes leave it out. */
#include "list.def"

const struct asset_entry *asset_at(size_t index) {
    return &asset_entries[index];
}

uint64_t asset_hash(const unsigned char *bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    }
    return hash;
}
