import Glibc

/// A unit of systemd's on this machine, such as the server's own.
package struct SystemUnit: Sendable {
    let name: String
    private let systemctl: String

    /// - Parameter word: a word of the command that the unit must run, so that it is not another household's unit.
    /// - Returns: nil where systemd does not run, or has no such unit.
    package init?(_ name: String, running word: String) {
        guard let systemctl = InstalledProgram.path(of: "systemctl"),
            let shown = try? ToolRun.output(
                of: systemctl, ["show", "--property=ExecStart", "--value", "\(name).service"]),
            String(decoding: shown, as: UTF8.self).split(whereSeparator: \.isWhitespace)
                .contains(where: { $0 == word })
        else { return nil }
        self.name = name
        self.systemctl = systemctl
    }

    package var isActive: Bool { (try? run("is-active", "--quiet")) != nil }
    package func start() throws { try run("start") }
    package func stop() throws { try run("stop") }
    /// Starts it now and at each boot.
    package func enable() throws { try run("enable", "--quiet", "--now") }
    package func disable() throws { try run("disable", "--quiet", "--now") }

    /// Asks its process to end, and waits until it has: for a user who may not ask systemd, and whose process it is.
    package func end() {
        for turn in 0..<200 {
            guard let process else { return }
            if turn % 100 == 0 { kill(process, turn == 0 ? SIGTERM : SIGKILL) }
            usleep(50_000)
        }
    }

    /// Nil: it does not run.
    private var process: Int32? {
        let shown = try? ToolRun.output(
            of: systemctl, ["show", "--property=MainPID", "--value", "\(name).service"])
        let number = shown.flatMap { Int32(String(decoding: $0, as: UTF8.self).prefix { $0.isNumber }) }
        return number == 0 ? nil : number
    }

    private func run(_ words: String...) throws {
        _ = try ToolRun.output(of: systemctl, words + ["\(name).service"], patience: 60_000)
    }
}
