"""Two cores against one: how many more questions two cores answer, blocked and forwarded from the cache.

The load needs processors too, so the server gets a part of each: one core's part on the first core, or the same part of
both (`cgroup.py`). The load has what is left, so the server is the bottleneck, and its part is used up in each run. A
resolver that shares nothing between its cores answers twice as many.
"""

from pathlib import Path

import house
from answers import NAMES
from cgroup import SmallMachine
