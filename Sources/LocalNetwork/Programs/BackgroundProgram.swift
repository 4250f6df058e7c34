import Glibc

/// A program that goes on after the command that starts it has ended: for a machine without systemd. After a reboot nobody
/// starts it.
package struct BackgroundProgram: Sendable {
    /// Its process's number is kept there, and what it prints.
    private let folder: String
    /// The last one names a file in `folder`, by which it is known again.
    private let words: [String]

    package init(folder: String, _ words: [String]) {
        self.folder = folder
        self.words = words
    }

    /// Nil: it does not run.
    package var process: Int32? {
        guard let text = fileText("\(folder)/pid"), let number = Int32(text.prefix { $0.isNumber }),
            let line = fileText("/proc/\(number)/cmdline"),
            line.split(separator: "\0").last.map(String.init) == words.last
        else { return nil }
        return number
    }

    /// Starts it as the owner of its folder.
    package func start() throws {
        guard process == nil else { return }
        var owner = stat()
        let isOthers = geteuid() == 0 && stat(folder, &owner) == 0 && owner.st_uid != 0
        let user =
            isOthers
            ? ["/usr/bin/setpriv", "--reuid=\(owner.st_uid)", "--regid=\(owner.st_gid)", "--clear-groups"]
            : []
        let script = #"echo $$ > "$0/pid"; exec "$@" >> "$0/log" 2>&1"#
        _ = try ToolRun.output(
            of: "/usr/bin/setsid", ["--fork", "/bin/sh", "-c", script, folder] + user + words)
    }

    /// Ends it, and waits until it has.
    package func stop() {
        guard let process else { return }
        kill(process, SIGTERM)
        for turn in 0..<200 where self.process == process {
            if turn == 150 { kill(process, SIGKILL) }
            usleep(50_000)
        }
    }

    /// What it printed last.
    package var lastLine: String? {
        fileText("\(folder)/log")?.split(separator: "\n").last.map { String($0.prefix(300)) }
    }
}
