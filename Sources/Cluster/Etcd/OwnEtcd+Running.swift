import Foundation
import Glibc
import LocalNetwork

/// Starts, stops and erases it on this machine.
extension OwnEtcd {
    /// Nil where systemd does not run, or its unit is for another household's data.
    private var unit: SystemUnit? { SystemUnit(Self.unit, running: configuration) }

    private var program: BackgroundProgram {
        // etcd wants to be told that it may run on this kind of processor; elsewhere this says nothing.
        BackgroundProgram(
            folder: folder,
            [
                "/usr/bin/env", "ETCD_UNSUPPORTED_ARCH=arm64", InstalledProgram.path(of: "etcd") ?? "etcd",
                "--config-file", configuration,
            ])
    }

    /// Starts it, and lets each boot start it. `waitUntilLed` says whether it came to life.
    ///
    /// Only root may ask systemd. For the server it starts etcd as soon as there are settings (`sleep-inducer-etcd.path`).
    func start() throws {
        guard let unit else { return try program.start() }
        if Privileges.isRoot { try unit.enable() }
    }

    /// Stops it, and erases its data, keys and settings.
    package func remove() throws { try remove(keeping: []) }

    /// Stops it, and erases all but what each machine of the household has, with or without a part in it.
    func removePart() throws { try remove(keeping: [EtcdSecrets.name]) }

    private func remove(keeping names: Set<String>) throws {
        // First: while there are settings, systemd starts it again.
        unlink(configuration)
        try stop()
        do {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            where !names.contains("\(Self.folderName)/\(name)") {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
        } catch { throw ClusterFault.unwritable(path: folder) }
        if names.isEmpty { rmdir(folder) }
    }

    private func stop() throws {
        guard let unit else { return program.stop() }
        // It runs as the server's user.
        if Privileges.isRoot { try unit.disable() } else { unit.end() }
    }

    /// Waits until this machine's member serves, and knows a leader.
    func waitUntilLed(_ access: EtcdAccess, seconds: Int = 30) throws {
        var fault = EtcdFault.unreachable
        let limit = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < limit {
            do throws(EtcdFault) {
                let client = try EtcdClient(access)
                defer { client.close() }
                if try client.member().isLed { return }
                fault = .noLeader
            } catch { fault = error }
            usleep(200_000)
        }
        let words = program.lastLine.map { " Its last words: \($0)" } ?? " See: journalctl -u \(Self.unit)"
        throw ClusterFault.other("etcd was started on this machine, but \(fault).\(words)")
    }
}
