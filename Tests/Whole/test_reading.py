"""Plain words: what the golden pages say reads easily, and has none of the phrases that had to be read twice.

The measure is the Flesch-Kincaid grade: 0.39 x words per sentence + 11.8 x syllables per word - 15.59. Sentences are
texts of one block, of three words or more, that end in a full stop, a question mark or an exclamation mark. Headings,
labels and buttons without one are none, nor are tables. Names of apps, words with a digit, a dot inside or a slash, and
ways through menus ("Settings › Wi-Fi › DNS") are left out; "DNS" has three syllables. All states of a page count
together, each sentence once, and pages with fewer than 100 words count together as one.

Its limits: syllables are counted by spelling, so that a word may be one off; a page of many short sentences passes with
a hard one among them; and a low grade says nothing of whether a sentence is true or needed."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HARDEST, FEWEST_WORDS = 6.0, 100

# Phrases that had to be read twice, and what asks the reader to guess who is meant.
UNWANTED = ["whoever", "somebody who", "stands in", "what one does", "one that", "how things are", "cut at once",
            "loosening waits", "how firm", "reached for it", "keep it as it was", "times are those of"]

# Elements within a line of text (every other one begins a new block), and those whose text is no prose.
INLINE = {"a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "samp", "span", "strong", "svg", "time"}
SILENT = {"script", "style", "title", "table", "svg", "code", "kbd", "samp", "pre", "option", "textarea"}

# Where the spelling misleads the rule below.
SYLLABLES = {
    "anyone": 3, "area": 3, "being": 2, "business": 2, "chromium": 4, "create": 2, "created": 3, "creates": 2, "doing": 2,
    "earlier": 3, "easier": 3, "evening": 2, "every": 2, "everybody": 4, "everything": 3, "everywhere": 3, "going": 2,
    "household": 2, "idea": 3, "likely": 2, "management": 3, "manual": 3, "media": 3, "period": 3, "previous": 3, "quiet": 2,
    "safety": 2, "somebody": 3, "something": 2, "sometimes": 2, "trial": 2, "usually": 4, "video": 3}


class Text(HTMLParser):
    """The blocks of text that a page shows, in their order."""

    def __init__(self):
        super().__init__()
        self.blocks, self.line, self.silent = [], "", []

    def handle_starttag(self, tag, attributes):
        if tag in SILENT:
            self.silent.append(tag)
        if tag not in INLINE:
            self.end_block()

    def handle_endtag(self, tag):
        if tag in self.silent:
            del self.silent[self.silent.index(tag):]
        if tag not in INLINE:
            self.end_block()

    def handle_data(self, data):
        if not self.silent:
            self.line += data

    def end_block(self):
        if self.line.strip():
            self.blocks.append(" ".join(self.line.split()))
        self.line = ""


def blocks(html):
    text = Text()
    text.feed(html)
    text.end_block()
    return text.blocks


def app_names():
    catalog = [json.loads(file.read_text()) for file in sorted((ROOT / "Catalog").glob("*.json"))]
    names = [app["name"] for part in catalog if isinstance(part, dict) for app in part.get("apps", [])]
    names += ["Sleep Inducer", "Anti-Rot", "Discipline Dungeon"]
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))


APPS = app_names()


# From the capital that begins it to the next comma, colon or end: "Settings › Wi-Fi › DNS".
MENU_PATH = re.compile(r"[A-Z][^›.,:;]*›(?:[^›.,:;]*›)*[^›.,:;]*")


@cache
def sentences(block):
    """The block's sentences with an end. "a.m." ends none, nor does a dot within a domain name."""
    plain = re.sub(r"\b(a|p)\.m\.", r"\1m", APPS.sub("", MENU_PATH.sub("", block)))
    return [part.strip() for part in re.findall(r".+?[.?!…]+[”\"’)]*(?=\s|$)", plain) if len(words(part)) > 2]


def words(sentence):
    """Words without figures, names of hosts, addresses and paths."""
    return [word for word in re.findall(r"[^\s–—]+", re.sub(r"[“”\"()?!,;:…]|\.+(?=\s|$|[”\")])", " ", sentence))
            if re.search("[A-Za-z]", word) and not re.search(r"[\d./@_=<>]", word)]


def syllables(word):
    """By spelling: groups of vowels, without the silent ends -e, -es and -ed. Capitals are said letter by letter."""
    if word.isupper() and len(word) > 1:
        return sum(3 if letter == "W" else 1 for letter in word if letter.isalpha())
    if "-" in word.strip("-"):
        return sum(syllables(part) for part in word.strip("-").split("-") if part)
    word = re.sub(r"('|’)(s|re|ll|ve|d|t|m)?$", "", word.lower())
    word = re.sub("[^a-z]", "", word)
    if word in SYLLABLES:
        return SYLLABLES[word]
    groups = len(re.findall("[aeiouy]+", word))
    silent = (re.search("[^aeiouy]e$", word) and not re.search("[^aeiouy]le$", word)
              or re.search("[^aeiouytd]ed$", word)
              or re.search("[^aeiouyszxcg]es$", word) and not re.search("([^aeiouy]l|sh|ch)es$", word))
    return max(1, groups - bool(silent))


def grade(said):
    spoken = [words(sentence) for sentence in said]
    count = sum(map(len, spoken))
    return 0.39 * count / len(spoken) + 11.8 * sum(map(syllables, sum(spoken, []))) / count - 15.59


def states():
    """Per page the golden files of its states: each file's name begins with the name of its page's template."""
    templates = [file.stem for file in (ROOT / "Templates").glob("*.mustache") if "{{<layout}}" in file.read_text()]
    found = {}
    for file in sorted((ROOT / "Tests/PagesTests/Golden").glob("*.html")):
        known = [name for name in templates if f"{file.stem}-".startswith(f"{name}-")]
        found.setdefault(max(known, key=len, default=file.stem.split("-")[0]), []).append(blocks(file.read_text()))
    return found


STATES = states()


def pages():
    """Per page the sentences of all its states, each once."""
    found = {page: list(dict.fromkeys(sentence for state in of_page for block in state for sentence in sentences(block)))
             for page, of_page in STATES.items()}
    large = {page: said for page, said in found.items() if count_words(said) >= FEWEST_WORDS}
    small = [sentence for page, said in found.items() if page not in large for sentence in said]
    return large | {"the small pages": list(dict.fromkeys(small))}


def count_words(said):
    return sum(len(words(sentence)) for sentence in said)


@pytest.mark.parametrize("page, said", pages().items(), ids=lambda value: value if isinstance(value, str) else "")
def test_pages_read_easily(page, said):
    hardest = sorted(said, key=lambda sentence: grade([sentence]), reverse=True)[:8]
    assert grade(said) <= HARDEST, "\n".join(
        [f"grade {grade(said):.1f}"] + [f"{grade([sentence]):5.1f} {sentence}" for sentence in hardest])


@pytest.mark.parametrize("word, count", {"minutes": 2, "devices": 3, "tables": 2, "wanted": 2, "closed": 1, "asked": 1,
                                         "reaches": 2, "DNS": 3, "sign-in": 2, "phone’s": 1}.items())
def test_syllables_are_counted(word, count):
    assert syllables(word) == count


@pytest.mark.parametrize("block, said", {
    "Saved": [], "Noted.": [], "Open it (the file), please.": ["Open it (the file), please."],
    "At 7 a.m. it ends. Then it starts.": ["At 7 am it ends.", "Then it starts."],
    "Choose Settings › Wi-Fi › DNS, then save all of it.": [", then save all of it."]}.items())
def test_sentences_are_found(block, said):
    assert sentences(block) == said


def test_no_page_has_a_phrase_to_read_twice():
    found = {f"{page}: {phrase}" for page, of_page in STATES.items() for phrase in UNWANTED
             if any(re.search(rf"\b{phrase}\b", block, re.I) for state in of_page for block in state)}
    assert found == set()
