"""What a page weighs on the wire: itself, its style and its script, each as a browser gets it."""

import http.client
import re
import zlib

from household import Browser
from test_look import PAGES, house  # noqa: F401 (a fixture)

MOST = 60 * 1024


def loaded(browser, path, method="GET", accepted="gzip, deflate, br"):
    """An answer as a browser gets it, and the bytes of its body on the wire."""
    connection = http.client.HTTPConnection("127.0.0.1", browser.server.http_port, timeout=20)
    cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.session.cookies)
    connection.request(method, path, headers={
        "Cookie": cookie, "Accept": "text/html, */*", **({"Accept-Encoding": accepted} if accepted else {})})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def packed(browser, path):
    """The text at an address, and how many bytes it has on the wire."""
    answer, body = loaded(browser, path)
    is_packed = answer.headers["Content-Encoding"] == "gzip"
    assert is_packed or len(body) <= 1024, f"{path} came as it is, {len(body)} bytes"
    return (zlib.decompress(body, 31) if is_packed else body).decode(), len(body)


def test_every_page_is_light(house):  # noqa: F811
    browser = Browser(house).log_in().enroll()
    weights, files = {}, {}
    for state in ("day", "night"):
        for name, path in {**PAGES, "login": "/login"}.items():
            text, weight = packed(browser, path)
            for file in re.findall(r'<(?:link rel="stylesheet"|script)[^>]* (?:href|src)="(/[^"]+)"', text):
                if file not in files:
                    files[file] = packed(browser, file)[1]
                weight += files[file]
            weights[name, state] = weight
        if state == "day":
            browser.start_session(480)
    heaviest = sorted(weights.items(), key=lambda item: -item[1])
    assert len(files) > 20, "style and script were found"
    assert [(name, weight) for name, weight in heaviest if weight > MOST] == []


def test_a_page_says_how_it_was_packed(house):  # noqa: F811
    browser = Browser(house).log_in().enroll()
    for path in ("/", "/usage", "/limits", "/no-such-page"):
        packed_answer, packed_body = loaded(browser, path)
        plain_answer, plain_body = loaded(browser, path, accepted=None)
        head, nothing = loaded(browser, path, "HEAD")
        assert len(zlib.decompress(packed_body, 31)) > 2 * len(packed_body), path
        assert plain_answer.headers["Content-Encoding"] is None, path
        assert loaded(browser, path, accepted="gzip;q=0")[0].headers["Content-Encoding"] is None, path
        assert nothing == b"" and head.headers["Content-Encoding"] == "gzip", path
        assert abs(int(head.headers["Content-Length"]) - len(packed_body)) < 200, path
        for answer, body in ((packed_answer, packed_body), (plain_answer, plain_body)):
            assert answer.headers["Vary"] == "Accept-Encoding", path
            assert int(answer.headers["Content-Length"]) == len(body), path


def test_a_page_that_was_packed_saves(house):  # noqa: F811
    """The token's text is another in each page; both pages of one login save."""
    browser = Browser(house).log_in()
    first, second = browser.csrf("/limits"), browser.csrf("/limits")
    assert first != second
    for token in (first, second):
        reply = browser.session.post(
            house.url + "/limits", data={"app": "tiktok", "minutes": "45", "csrf": token},
            allow_redirects=False, timeout=20)
        assert reply.status_code == 303, reply.text[:500]
    reply = browser.session.post(
        house.url + "/limits", data={"app": "tiktok", "minutes": "45", "csrf": "A" * 86}, timeout=20)
    assert reply.status_code == 403
