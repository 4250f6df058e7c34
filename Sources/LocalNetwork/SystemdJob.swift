/// What systemd is about to do with this process's unit.
package enum SystemdJob {
    private static let tool = "/usr/bin/systemctl"

    /// Whether systemd will start it again after this end, because of a restart or an upgrade. False also if systemd
    /// did not start it or does not answer over D-Bus.
    package static var isRestart: Bool {
        guard SystemdNotice.environment("NOTIFY_SOCKET") != nil,
            let unit = unit(cgroup: fileText("/proc/self/cgroup") ?? ""),
            let jobs = try? ToolRun.output(
                of: tool, ["list-jobs", "--plain", "--no-legend", "--full", "--no-pager"], patience: 2000)
        else { return false }
        return isRestart(of: unit, jobs: String(decoding: jobs, as: UTF8.self))
    }

    /// The unit in `/proc/self/cgroup`, such as `0::/system.slice/sleep-inducer.service`.
    static func unit(cgroup: String) -> String? {
        let line = cgroup.split(separator: "\n").first {
            $0.hasPrefix("0::/") || $0.contains(":name=systemd:/")
        }
        return line?.split(separator: "/").last { $0.hasSuffix(".service") }.map(String.init)
    }

    /// - Parameter jobs: one line for each job: number, unit, kind and state.
    static func isRestart(of unit: String, jobs: String) -> Bool {
        jobs.split(separator: "\n").map(words).contains { job in
            job.count >= 3 && job[1] == unit && ["restart", "try-restart", "start"].contains(job[2])
        }
    }
}
