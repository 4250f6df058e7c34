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

    package func stop() throws {
        guard let unit else { return program.stop() }
        // It runs as the server's user.
        if Privileges.isRoot { try unit.disable() } else { unit.end() }
    }

    /// Stops it, and erases its data, keys and settings.
    package func remove() throws {
        // Without settings systemd does not start it again.
        unlink(configuration)
        try stop()
        guard access(folder, F_OK) == 0 else { return }
        do { try FileManager.default.removeItem(atPath: folder) } catch {
            throw ClusterFault.unwritable(path: folder)
        }
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
