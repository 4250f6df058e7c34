"""Checks histories of a list that several writers append to: whether all took effect in one order that everybody agrees on.

It knows nothing of the server. A history is a list of operations: `append` with a `value`, a `node` and an `outcome` (`ok`,
`refused`: it cannot have taken effect, or `unknown`), or `read` with the `values` that a node showed; each has a `start` and
an `end` by one clock. `finals` are the lists that the nodes hold in the end, by node.

As a program: append_order.py FILE, which holds {"history": […], "finals": {…}}; it exits with 1 and says what is wrong.
"""

import json
import sys


def faults(history, finals):
    """Sentences about what no order of the operations explains."""
    found = []
    lists = list(finals.values())
    if any(one != lists[0] for one in lists):
        return [f"the nodes differ in the end: {finals}"]
    final = lists[0]
    place = {value: index for index, value in enumerate(final)}
    if len(place) != len(final):
        found.append("a value is there twice")
    appends = [one for one in history if one["op"] == "append"]
    for one in appends:
        if one["outcome"] == "ok" and one["value"] not in place:
            found.append(f"lost: {one['value']} was acknowledged by {one['node']}")
        if one["outcome"] == "refused" and one["value"] in place:
            found.append(f"{one['value']} was refused by {one['node']} and took effect")
    asked = {one["value"] for one in appends}
    found += [f"nobody asked for {value}" for value in final if value not in asked]
    # Real time: what was acknowledged before another began stands before it.
    done = sorted((one["end"], place[one["value"]], one["value"]) for one in appends
                  if one["outcome"] == "ok" and one["value"] in place)
    begun = sorted((one["start"], place[one["value"]], one["value"]) for one in appends if one["value"] in place)
    latest, pointer = (-1, None), 0
    for start, index, value in begun:
        while pointer < len(done) and done[pointer][0] < start:
            latest = max(latest, done[pointer][1:])
            pointer += 1
        if latest[0] > index:
            found.append(f"{latest[1]} was acknowledged before {value} began, and stands after it")
    # A node shows a beginning of the list, never a shorter one than before, and all that it acknowledged itself.
    for node in finals:
        longest = 0
        reads = sorted((one for one in history if one["op"] == "read" and one["node"] == node), key=lambda one: one["start"])
        for one in reads:
            count = len(one["values"])
            if one["values"] != final[:count]:
                found.append(f"{node} showed {one['values']}, which is no beginning of {final}")
            own = [place[a["value"]] for a in appends if a["node"] == node and a["outcome"] == "ok"
                   and a["end"] < one["start"] and a["value"] in place]
            if own and max(own) >= count:
                found.append(f"{node} did not show {final[max(own)]}, which it had acknowledged")
        for earlier, later in zip(reads, reads[1:]):
            if earlier["end"] < later["start"]:
                longest = max(longest, len(earlier["values"]))
                if len(later["values"]) < longest:
                    found.append(f"{node} went back from {longest} values to {len(later['values'])}")
    return found


if __name__ == "__main__":
    recorded = json.loads(open(sys.argv[1]).read())
    wrong = faults(recorded["history"], recorded["finals"])
    print("\n".join(wrong) or "one order explains all")
    sys.exit(1 if wrong else 0)
