import pytest

import lan
from cluster import Etcd, Nodes
from device_lan import home_with_router
from household import Browser, Server, Upstream

# The longest files, and files that mostly wait. They begin first, so that no worker is left with them at the end.
LONGEST = [f"test_{name}.py" for name in (
    "family_week", "usage", "look", "fairness", "verified", "floods", "kills", "walks", "goodbye", "focus_look",
    "focus_pages", "check", "household", "anti_rot_look", "trust_shield", "shield_actions", "api", "relay",
    "encrypted_dns", "devices_look", "forwarder", "gateway", "webhooks", "live", "restart")]


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: takes a minute or so, mostly of real time; quicker tests hold the same rules")
    config.addinivalue_line("markers", "alone: holds the server to a second or two; nothing runs beside it")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


def pytest_sessionstart():
    lan.clear_away()


@pytest.fixture
def upstream():
    upstream = Upstream()
    yield upstream
    upstream.close()


@pytest.fixture
def server(tmp_path, upstream):
    server = Server(tmp_path / "data", upstream)
    yield server
    server.stop()


@pytest.fixture
def owner(server):
    """A browser at the machine itself, signed in."""
    return Browser(server).log_in()


@pytest.fixture
def sleeper(owner):
    """A browser on an enrolled device, signed in."""
    return owner.enroll()


@pytest.fixture
def etcd(tmp_path):
    etcd = Etcd(tmp_path, members=1)
    yield etcd
    etcd.close()


@pytest.fixture
def nodes(tmp_path, upstream, etcd):
    """Two machines of one household."""
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    yield nodes
    nodes.close()


@pytest.fixture
def home(tmp_path):
    """A server, a router that knows names, a phone and a doorbell, each on its own machine."""
    with home_with_router(tmp_path) as house:
        yield house


@pytest.fixture(scope="module")
def open_house(tmp_path_factory):
    """A server, and a browser signed in on an enrolled device, for all tests of a file that leave nothing behind."""
    upstream = Upstream()
    server = Server(tmp_path_factory.mktemp("open") / "data", upstream)
    yield server, Browser(server).log_in().enroll()
    server.stop()
    upstream.close()
