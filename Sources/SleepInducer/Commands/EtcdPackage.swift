import Glibc
import LocalNetwork

/// Debian's etcd-server: a household of one machine does not need it.
enum EtcdPackage {
    private static let name = "etcd-server"

    /// Does nothing where there is an etcd, or no way to install one.
    static func install() throws {
        guard InstalledProgram.path(of: "etcd") == nil, geteuid() == 0,
            let apt = InstalledProgram.path(of: "apt-get")
        else {
            return
        }
        print("Installing \(name) …")
        do {
            _ = try ToolRun.output(
                of: "/usr/bin/env",
                [
                    "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", apt, "install",
                    "--yes",
                    "--quiet", "--no-install-recommends", name,
                ], patience: 600_000)
        } catch {
            throw Complaint("\(name) could not be installed (\(error)). Try: sudo apt-get install \(name)")
        }
        // Debian starts one at once, which nobody here asked for. A word of its unit's command:
        try? SystemUnit("etcd", running: "$DAEMON_ARGS")?.disable()
    }
}
