#include "AssetBytes.h"
