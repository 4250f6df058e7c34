import Enforcement
import Foundation
import LocalNetwork
import Sockets
import Store

/// The first lines on the terminal: where it is, and how to get in.
struct Announcement {
    let lines: [String]

    init(_ house: House, listening: Listening) throws {
        let ports = house.ports
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
        if !house.options.gateway.isEmpty {
            lines.append("  Gateway \(house.options.gateway.joined(separator: ", "))")
        }
        if !house.store.isSetUp {
            let code = try house.store.makeSetupCode()
            lines.append("  Set-up  http://\(host)\(port)/setup?code=\(code)")
            lines.append("          The one-time code is \(code)")
        }
        if Privileges.isRoot {
            lines.append(
                "  Note    It runs as root, because its data is where only root may look. sudo make install mends that."
            )
        }
        if let advice = listening.advice { lines.append("  Note    \(advice)") }
        lines += house.condition.refused.map { "  Note    \($0)" }
        if let notice = house.store.opening.notice { lines.append("  Note    \(notice)") }
        self.lines = lines
    }

    /// Written at once, also into a pipe.
    func print() throws {
        FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}
