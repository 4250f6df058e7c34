"""A device that trusts the household's certificate gets the shield over HTTPS; all others get a TLS alert at once."""

import pytest
from playwright.sync_api import Error as playwright_error

from test_trust_shield import NAME, make, phone, playwright  # noqa: F401


def hosts(server, *names):
    own = f"MAP *.{NAME} 127.0.0.1, MAP {NAME} 127.0.0.1"
    return ", ".join([own, *(f"MAP {name}:443 127.0.0.1:{server.https_port}" for name in names)])


def test_the_shield_over_https(server, owner, phone):  # noqa: F811
    owner.enroll()
    phone.trust(make(owner))
    assert "trusts the shield" in phone.check(server)
    owner.start_session()

    page = phone.open(hosts(server, "www.tiktok.com", "www.paypal.com")).new_page()
    answer = page.goto("https://www.tiktok.com/@somebody")
    assert answer.status == 403 and page.get_by_role("heading", name="Sleep Mode Active").is_visible()
    assert answer.security_details()["issuer"].startswith("Sleep Inducer")
    page.wait_for_function("() => document.querySelector('[role=timer]').textContent.length > 0")
    # Its stream and its files use the same certificate, and nothing on it is insecure.
    assert page.evaluate("window.isSecureContext")
    with pytest.raises(playwright_error, match="ERR_SSL_UNRECOGNIZED_NAME_ALERT"):
        page.goto("https://www.paypal.com/")


def test_who_was_not_seen_to_trust_it_hears_an_alert(server, owner, phone):  # noqa: F811
    owner.enroll()
    make(owner)
    owner.start_session()
    page = phone.open(hosts(server, "www.tiktok.com")).new_page()
    with pytest.raises(playwright_error, match="ERR_SSL_UNRECOGNIZED_NAME_ALERT"):
        page.goto("https://www.tiktok.com/")


def test_what_the_owner_took_back_is_an_alert_again(server, owner, phone):  # noqa: F811
    owner.enroll()
    phone.trust(make(owner))
    phone.check(server)
    make(owner, again=True)
    owner.start_session()
    page = phone.open(hosts(server, "www.tiktok.com")).new_page()
    with pytest.raises(playwright_error, match="ERR_SSL_UNRECOGNIZED_NAME_ALERT"):
        page.goto("https://www.tiktok.com/")
