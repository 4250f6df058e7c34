import Enforcement
import Foundation
import LocalNetwork
import QR
import Store

/// The first lines on the terminal: the address of the pages, and how to log in.
struct Announcement {
    let lines: [String]

    init(_ ground: Ground, listening: Listening) throws {
        let ports = ground.ports
        let address = listening.shown
        let server = Self.server(at: address, port: ports.http)
        var lines: [String] = []
        if ports.isTrial {
            lines.append("Trial: phones cannot use this until you run sudo make install.")
        }
        lines.append("Sleep Inducer \(Release.version)")
        lines.append("  Pages   \(server)/")
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
            let setup = "\(server)/setup?code=\(code)"
            lines.append("  Set-up  \(setup)")
            lines.append("          The one-time code is \(code)")
            lines += Self.picture(of: setup, on: .standardOutput)
        }
        if Privileges.isRoot {
            lines.append(
                "  Note    It runs as root, because only root can read its data. sudo make install fixes that."
            )
        }
        if Account.current == Rights.shared {
            lines.append(
                "  Note    It runs as \(Rights.shared), whom other programs share: they can read its data. sudo make install makes a user of its own."
            )
        }
        if let advice = listening.advice { lines.append("  Note    \(advice)") }
        lines += ground.condition.refused.map { "  Note    \($0)" }
        if let notice = ground.store.opening.notice { lines.append("  Note    \(notice)") }
        self.lines = lines
    }

    /// The address of the pages, for example `http://192.168.1.5` or `http://[fd00::1]:8080`.
    static func server(at address: String, port: Int) -> String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "http://\(host)" + (port == 80 ? "" : ":\(port)")
    }

    /// A QR code for a phone's camera, if a person sees the lines: in a terminal or in the journal, not in a file.
    static func picture(of text: String, on output: FileHandle) -> [String] {
        let isTerminal = isatty(output.fileDescriptor) == 1
        guard isTerminal || Journal.isOutput(output.fileDescriptor), let code = try? QRCode(text) else {
            return []
        }
        return [""] + code.terminalLines(colours: isTerminal) + [""]
    }

    /// Written at once, into a pipe too.
    func print() throws {
        FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}
