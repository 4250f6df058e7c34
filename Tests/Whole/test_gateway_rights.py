"""Gateway mode and its machine: rights, flags, other people's firewalls."""

import subprocess

from gateway_lan import GATEWAY, at, home
from household import BINARY, eventually
from lan import begin


def test_the_server_keeps_only_the_rights_that_it_needs(home):
    status = dict(line.split(":\t", 1) for line in open(f"/proc/{home.server.pid}/status") if ":\t" in line)
    assert "0" not in status["Uid"].split(), "it is root no more"
    bind, network = 1 << 10, 1 << 12
    assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == bind | network
    assert int(status["CapAmb"], 16) == network
    assert "sleep_inducer" in home.tables()


def test_what_is_wrong_with_the_flag_is_one_line(home):
    def refused(*words):
        run = at(GATEWAY, BINARY, "serve", "--data", str(home.folder / "none"), *words)
        assert run.returncode != 0 and "Traceback" not in run.stderr
        return run.stderr.strip()

    assert refused("--gateway", "nope0") == "Error: There is no interface nope0 on this machine."
    assert "--dns-port off" in refused("--gateway", "br0", "--dns-port", "off")
    # A user without rights, and root in a container without this right.
    for words in (["--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--bounding-set=-all"],
                  ["--bounding-set=-net_admin"]):
        run = subprocess.run(["setpriv", *words, BINARY, "serve", "--data", "/tmp/none", "--gateway", "lo"],
                             capture_output=True, text=True, timeout=30)
        assert run.returncode != 0 and run.stderr.startswith("Error: A gateway needs the right CAP_NET_ADMIN")
        assert run.stderr.count("\n") == 1


def test_doctor_and_health_say_what_is_missing(home):
    def doctor(*words):
        return at(GATEWAY, BINARY, "doctor", "--data", str(home.folder / "data"), *words).stdout

    assert "ok   This machine can be a gateway for br0." in doctor("--gateway", "br0")
    assert "ok   The gateway's rules are active." in doctor()
    assert "look There is no interface nope0 on this machine." in doctor("--gateway", "nope0")
    at(GATEWAY, "sysctl", "-qw", "net.ipv4.ip_forward=0", "net.ipv6.conf.all.forwarding=0")
    assert "look This machine does not forward packets: net.ipv4.ip_forward is 0." in doctor("--gateway", "br0")


def test_a_gateway_whose_pages_cannot_be_opened_leaves_no_rules_behind(home):
    home.server.terminate()
    home.server.wait(10)
    eventually(lambda: "sleep_inducer" not in home.tables(), 5)
    holder = begin(GATEWAY, "python3", "-c", "import socket, time\n"
                   "doors = [socket.create_server(('::', port), family=socket.AF_INET6, dualstack_ipv6=True)"
                   " for port in (80, 443)]\ntime.sleep(60)")
    try:
        eventually(lambda: at(GATEWAY, "ss", "-Hltn", "sport = :443").stdout, 10)
        run = at(GATEWAY, BINARY, "serve", "--data", str(home.folder / "data"), "--gateway", "br0", "--upstream",
                 "198.51.100.2", "--passcode", "moonlight-42", "--time-zone", "Europe/Berlin")
        assert run.returncode != 0 and "80" in run.stderr, run.stderr
        assert "sleep_inducer" not in home.tables(), "nobody would answer what they lead here"
    finally:
        holder.kill()
        holder.wait()


def test_a_firewall_that_flushes_everything_is_noticed(home):
    home.enrol()
    at(GATEWAY, "nft", "delete", "table", "inet", "sleep_inducer")
    eventually(lambda: "enrolled" in home.rules(), 15)
