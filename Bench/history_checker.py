"""Checks what became of changes while machines and etcd failed. It knows what the writers asked and were told, every
revision of etcd from the first, and the household's keys; nothing of how machines merge.

Each of etcd's revisions that puts a head one higher than the last is a change; what strangers wrote is none. So the texts
of the household are known after each change, and with them whether an answer to a writer was true.

As a program: history_checker.py FILE, which `cluster_histories.py` wrote; it exits with 1 and says what is wrong.
"""

import base64
import collections
import ctypes
import hashlib
import itertools
import json
import sys

CRYPTO = ctypes.CDLL("libcrypto.so.3")
for name in ("EVP_CIPHER_CTX_new", "EVP_aes_256_gcm"):
    getattr(CRYPTO, name).restype = ctypes.c_void_p


def opened(key: bytes, sealed: bytes, place: str):
    """The text of AES-GCM's nonce, text and tag after a number of four bytes; None: this key did not seal it there."""
    nonce, text, tag, context = sealed[4:16], sealed[16:-16], sealed[-16:], ctypes.c_void_p(CRYPTO.EVP_CIPHER_CTX_new())
    out, size, beside = ctypes.create_string_buffer(len(text) + 16), ctypes.c_int(), place.encode()
    try:
        CRYPTO.EVP_DecryptInit_ex(context, ctypes.c_void_p(CRYPTO.EVP_aes_256_gcm()), None, key, nonce)
        CRYPTO.EVP_DecryptUpdate(context, None, ctypes.byref(size), beside, len(beside))
        CRYPTO.EVP_DecryptUpdate(context, out, ctypes.byref(size), text, len(text))
        CRYPTO.EVP_CIPHER_CTX_ctrl(context, 0x11, 16, tag)
        return out.raw[:len(text)] if CRYPTO.EVP_DecryptFinal_ex(context, None, ctypes.byref(size)) == 1 else None
    finally:
        CRYPTO.EVP_CIPHER_CTX_free(context)


def keys_of(cluster_file: dict):
    """The household's keys by their numbers: Swift writes such a dictionary as a list."""
    told = cluster_file["keys"]["keys"]
    pairs = told.items() if isinstance(told, dict) else zip(told[::2], told[1::2])
    return {int(number): base64.b64decode(key) for number, key in pairs}


def digest(texts):
    """Of each name and text with its length, in the order of names, as a head proves it."""
    whole = hashlib.sha256()
    for part in itertools.chain.from_iterable(sorted(texts.items())):
        whole.update(len(part.encode()).to_bytes(8, "big") + part.encode())
    return base64.b64encode(whole.digest()).decode()


class Changes:
    """The household after each change, as etcd's revisions and the proofs in its heads say."""

    def __init__(self, revisions, household, keys):
        self.keys, self.now = keys, f"sleep-inducer/{household.lower()}/now/"
        # The number of each change, who made it, and all texts after it.
        self.all, self.strange, self.unproven = [], 0, []
        texts, number = {}, None
        # What somebody deleted without a change: a change that removes it too leaves no trace of that.
        missing = set()
        for revision in sorted(revisions):
            head, puts, deletions = None, {}, set()
            for kind, key, value in revisions[revision]:
                if key == self.now + "head" and kind == "put":
                    told = self.read(value, key + "/proven") or self.read(value, key)
                    head = json.loads(told) if told else None
                elif key.startswith((self.now + "document/", self.now + "access/")):
                    name = key.removeprefix(self.now)
                    if kind == "put":
                        puts[name] = self.read(value, key)
                    else:
                        deletions.add(name)
            is_change = head is not None and number in (None, head["number"] - 1)
            missing = missing - set(puts) | (set() if is_change else deletions)
            if number is None:
                texts.update(puts)
            if not is_change:
                self.strange += bool(puts or deletions or head) and number is not None
                continue
            texts = {name: text for name, text in {**texts, **puts}.items() if name not in deletions}
            texts = self.proven(texts, missing, head)
            number = head["number"]
            self.all.append((number, head["node"], {name: json.loads(text or "null") for name, text in texts.items()}))

    def proven(self, texts, missing, head):
        """The texts that the head proves."""
        absent = sorted(missing & set(texts))
        for count in range(len(absent) + 1):
            for gone in itertools.combinations(absent, count):
                tried = {name: text for name, text in texts.items() if name not in gone}
                if None not in tried.values() and digest(tried) == head.get("proof", {}).get("texts"):
                    return tried
        self.unproven.append(head["number"])
        return texts

    def read(self, value, place):
        key = self.keys.get(int.from_bytes(value[:4], "big"))
        text = opened(key, value, place) if key and len(value) > 32 else None
        return None if text is None else text.decode()

    @property
    def last(self):
        return self.all[-1][2]


def apps(texts):
    return [app["name"] for app in (texts.get("document/house/1") or {}).get("ownApps", [])]


def name(texts, person):
    return (texts.get(f"document/person/{person}") or {}).get("name")


def first_seen(changes, values_of):
    """The place of the first change after which each value is there, and the values that went away again."""
    seen, gone, before = {}, [], set()
    for place, (_, _, texts) in enumerate(changes.all):
        now = set(values_of(texts))
        for value in now - before:
            seen.setdefault(value, place)
        gone += before - now
        before = now
    return seen, gone


def out_of_order(operations, seen):
    """What was acknowledged before another began, and stands after it."""
    found, latest = [], (-1, None)
    known = [one for one in operations if one["value"] in seen]
    done = sorted((one["end"], seen[one["value"]], one["value"]) for one in known if one["outcome"] == "ok")
    pointer = 0
    for start, place, value in sorted((one["start"], seen[one["value"]], one["value"]) for one in known):
        while pointer < len(done) and done[pointer][0] < start:
            latest = max(latest, done[pointer][1:])
            pointer += 1
        if latest[0] > place:
            found.append(f"{latest[1]} was acknowledged before {value} began, and stands after it")
    return found


def check_kind(changes, operations, values_of, stays, found, counts):
    seen, gone = first_seen(changes, values_of)
    for one in operations:
        counts[f"{one['op']}, {one['outcome']}"] += 1
        if one["outcome"] == "ok" and one["value"] not in seen:
            found.append(f"lost: {one['value']} was acknowledged by {one['node']} and is in no revision")
        if one["outcome"] == "refused" and one["value"] in seen:
            counts["refused, and took effect"] += 1
            if one.get("code") != "machines-unreachable":
                found.append(f"{one['value']} was refused by {one['node']} ({one.get('code')}) and took effect")
    if stays:
        found += [f"undone: {value}" for value in gone]
    found += out_of_order(operations, seen)


def check_sessions(changes, operations, found, counts):
    """Each person's session is what the last answer to its only writer said, where that was no guess."""
    people = collections.defaultdict(list)
    for one in operations:
        counts[f"{one['op']}, {one['outcome']}"] += 1
        people[one["person"]].append(one)
    for person, ones in people.items():
        wanted = None
        for one in ones:
            if one["outcome"] == "ok":
                wanted = one["op"]
            elif one["outcome"] == "unknown" and one["op"] != wanted:
                wanted = "unknown"
            elif one["outcome"] == "refused" and one.get("code") == "machines-unreachable":
                wanted = "unknown"
        is_there = f"document/session/{person}" in changes.last
        if wanted in ("start", "reset") and is_there != (wanted == "start"):
            found.append(f"the last acknowledged change of person {person}'s session was {wanted}, and it is {is_there}")


def check_finals(changes, finals, found):
    exports = list(finals.values())
    for node, export in finals.items():
        differing = [part for part in export if export[part] != exports[0].get(part)]
        if differing:
            found.append(f"{node} exports other {', '.join(differing)}: " + ", ".join(
                f"{str(export[part])[:300]} / {str(exports[0].get(part))[:300]}" for part in differing))
    if [app["name"] for app in exports[0].get("ownApps", [])] != apps(changes.last):
        found.append("the machines do not have the apps of etcd's last change")
    for person in exports[0]["people"]:
        if name(changes.last, person["id"]) != person["name"]:
            found.append(f"the machines do not have the name that etcd has for person {person['id']}")


def check(record):
    """Sentences about what is wrong, and counts."""
    revisions = {
        int(revision): [(kind, key, base64.b64decode(value)) for kind, key, value in events]
        for revision, events in record["revisions"].items()}
    changes = Changes(revisions, record["household"], {int(n): base64.b64decode(k) for n, k in record["keys"].items()})
    found, counts = [], collections.Counter()
    kinds = collections.defaultdict(list)
    for one in record["history"]:
        kinds["session" if one["op"] in ("start", "reset") else one["op"]].append(one)
    check_kind(changes, kinds["append"], apps, True, found, counts)
    for person in {one["person"] for one in kinds["rename"]}:
        own = [one for one in kinds["rename"] if one["person"] == person]
        check_kind(changes, own, lambda texts: {name(texts, person)}, False, found, counts)
        names = [name(texts, person) for _, _, texts in changes.all]
        order = [one for one, before in zip(names, [None, *names]) if one != before]
        found += [f"undone: {one} came back" for one, times in collections.Counter(order).items() if times > 1]
    check_sessions(changes, kinds["session"], found, counts)
    check_finals(changes, record["finals"], found)
    counts["changes"], counts["strangers' revisions"] = len(changes.all), changes.strange
    if changes.unproven:
        found.append(f"the texts after changes {changes.unproven[:9]} are not what their heads prove")
    numbers = [number for number, _, _ in changes.all]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        found.append("changes do not count by one")
    return found, counts


if __name__ == "__main__":
    wrong, counted = check(json.loads(open(sys.argv[1]).read()))
    print("\n".join(wrong) or "etcd's revisions explain every answer", dict(counted))
    sys.exit(1 if wrong else 0)
