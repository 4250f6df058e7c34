import pytest

import lan
from household import Browser, Server, Upstream


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: counts on seconds, or owns network namespaces; nothing runs beside it")


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
    """Signed in, at the machine itself."""
    return Browser(server).log_in()


@pytest.fixture
def sleeper(owner):
    """Signed in, on a device that is enrolled."""
    return owner.enroll()
