"""The pages with four weeks of usage: every size, one app, another day, the widget and the display."""

import datetime
import sqlite3
import zoneinfo

from household import Browser, Server
from test_look import SIZES, Visitor, chromium  # noqa: F401 (fixture)

APPS = ["tiktok", "youtube", "whatsapp"]


def fill(server):
    """Writes four weeks of use into the server's database."""
    now = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin"))
    with sqlite3.connect(server.data / "sleep-inducer.sqlite") as database:
        for number, app in enumerate(APPS, 1):
            database.execute("INSERT INTO usage_app VALUES (?, ?)", (number, app))
        for ago in range(28):
            day = (now - datetime.timedelta(days=ago)).strftime("%Y%m%d")
            for number in range(4):
                database.execute("INSERT INTO usage_day VALUES (1, ?, ?, 0, ?)", (day, number, 90 - 20 * number + ago))
            midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) - datetime.timedelta(days=ago)
            for number, minutes in enumerate([range(0, 18), range(12, 24), range(19, 35)], 1):
                hour = int(midnight.timestamp()) // 3600 + 1
                database.execute("INSERT INTO usage_hour VALUES (1, ?, ?, 1, 0, ?)",
                                 (hour, number, sum(1 << minute for minute in minutes)))
            database.execute("INSERT INTO usage_attempt VALUES (1, ?, 1, 7)", (day,))


def test_four_weeks_of_use(chromium, tmp_path):  # noqa: F811
    server = Server(tmp_path / "data", None)
    try:
        server.stop()
        fill(server)
        server.start()
        owner = Browser(server).log_in().enroll()
        owner.post("/settings/clock", {"clock": "24"})
        owner.post("/limits", {"app": "tiktok", "minutes": "30"})
        visitor = Visitor(chromium, server, SIZES)
        visitor.log_in()
        for name, path in {"usage": "/usage", "usage-app": "/usage?app=tiktok", "widget": "/widget",
                           "kiosk-limits": "/kiosk?limits=on"}.items():
            visitor.look(f"full-{name}", path)
        visitor.page.goto(server.url + "/usage")
        for _ in visitor.at_each_size():
            assert visitor.page.get_by_text("7 blocked attempts").first.is_visible()
            # Three apps one after the other on one device: headline and chart show the same sum.
            assert visitor.page.get_by_text("35m", exact=True).first.is_visible()
        assert ": 35m. Most between 01:00 and 02:00." in visitor.page.content()
        visitor.press(visitor.page.get_by_role("link", name="Day before"))
        assert visitor.page.get_by_role("heading", level=2).first.inner_text() != ""
        assert visitor.page.locator("svg.bars").count() == 2
        visitor.close()
    finally:
        server.stop()
