import Enforcement
import Foundation
import LocalNetwork
import Sockets
import Store

/// The first lines on the terminal: where it is, and how to get in.
struct Announcement {
    let lines: [String]

    init(_ ground: Ground, listening: Listening) throws {
        let ports = ground.ports
        let address = listening.shown
        let host = address.contains(":") ? "[\(address)]" : address
        let port = ports.http == 80 ? "" : ":\(ports.http)"
        var lines: [String] = []
        if ports.isTrial {
            lines.append("Trial: phones cannot use this until you run sudo make install.")
        }
        lines.append("Sleep Inducer \(Release.version)")
        lines.append("  Pages   http://\(host)\(port)/")
        if let dns = ports.dns {
            let dot = ports.dot.map { ", over TLS port \($0)" } ?? ""
            lines.append("  DNS     \(address) port \(dns)\(dot)")
        } else {
            lines.append("  DNS     off")
        }
        if !ground.options.gateway.isEmpty {
            lines.append("  Gateway \(ground.options.gateway.joined(separator: ", "))")
        }
        if !ground.store.isSetUp {
            let code = try ground.store.makeSetupCode()
            lines.append("  Set-up  http://\(host)\(port)/setup?code=\(code)")
            lines.append("          The one-time code is \(code)")
        }
        if Privileges.isRoot {
            lines.append(
                "  Note    It runs as root, because only root can read its data. sudo make install fixes that."
            )
        }
        if let advice = listening.advice { lines.append("  Note    \(advice)") }
        lines += ground.condition.refused.map { "  Note    \($0)" }
        if let notice = ground.store.opening.notice { lines.append("  Note    \(notice)") }
        self.lines = lines
    }

    /// Written at once, also into a pipe.
    func print() throws {
        FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}
