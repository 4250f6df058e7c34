import Testing

@testable import LocalNetwork

@Suite struct SystemdJobTests {
    @Test("The unit is the last service in the path; a process outside of services has none")
    func unit() {
        let name = "sleep-inducer.service"
        #expect(SystemdJob.unit(cgroup: "0::/system.slice/\(name)\n") == name)
        #expect(SystemdJob.unit(cgroup: "0::/system.slice/\(name)/payload\n") == name)
        #expect(SystemdJob.unit(cgroup: "12:pids:/a.service\n1:name=systemd:/system.slice/\(name)\n") == name)
        for text in ["", "0::/", "0::/user.slice/session-1.scope\n", "nonsense"] {
            #expect(SystemdJob.unit(cgroup: text) == nil)
        }
    }

    @Test("A restart differs from a stop, and from jobs of other units")
    func jobs() {
        func isRestart(_ jobs: String) -> Bool { SystemdJob.isRestart(of: "a.service", jobs: jobs) }
        #expect(isRestart("7 b.service stop running\n81 a.service restart running\n"))
        #expect(isRestart("81 a.service start waiting\n"))
        #expect(!isRestart("81 a.service stop running\n82 b.service restart waiting\n"))
        #expect(!isRestart("") && !isRestart("No jobs running.\n") && !isRestart("81 a.service\n"))
    }

    @Test func whoWasNotStartedBySystemdIsNotRestarted() {
        if SystemdNotice.environment("NOTIFY_SOCKET") == nil { #expect(!SystemdJob.isRestart) }
    }
}
