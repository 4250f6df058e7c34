import Foundation

/// systemd-resolved's own DNS server on port 53, and how it is switched off (`doctor --fix resolved`).
///
/// By default it listens on 127.0.0.53 and 127.0.0.54 only, which this server does not use. It is in the way if its settings
/// name more addresses (`DNSStubListenerExtra=`), or if a container publishes port 53 on every address.
package struct ResolvedStub: Sendable {
    /// Why it could not be switched off. Then everything is as it was.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// What the kernel calls it.
    package static let program = "systemd-resolve"
    package static let dropIn = "/etc/systemd/resolved.conf.d/sleep-inducer.conf"
    /// The empty value takes away what other files add.
    static let setting =
        "# By sleep-inducer doctor --fix resolved\n[Resolve]\nDNSStubListener=no\nDNSStubListenerExtra=\n"
    private static let settings = "/etc/resolv.conf"
    private static let kept = "/etc/resolv.conf.before-sleep-inducer"
    private static let folder = "/run/systemd/resolve"
    /// The servers that it asks itself.
    private static let trueUpstreams = "\(folder)/resolv.conf"

    private let root: String
    private let restart: @Sendable () throws -> Void

    /// - Parameters:
    ///   - root: what stands before every path: nothing, or a folder for tests.
    ///   - restart: restarts systemd-resolved.
    package init(
        root: String = "", restart: @escaping @Sendable () throws -> Void = ResolvedStub.restartService
    ) {
        self.root = root
        self.restart = restart
    }

    package static func restartService() throws {
        _ = try ToolRun.output(of: "/usr/bin/systemctl", ["restart", "systemd-resolved.service"])
    }

    /// Whether it runs here.
    package var isHere: Bool { FileManager.default.fileExists(atPath: root + Self.trueUpstreams) }

    /// Switches it off. This machine's programs then ask the servers that it asked.
    /// - Returns: each step in a sentence; empty if all of it was done before.
    package func switchOff() throws(Fault) -> [String] {
        guard isHere else {
            throw Fault(
                description: "systemd-resolved does not run on this machine. There is nothing to fix.")
        }
        let upstreams = text(Self.trueUpstreams).map { ResolverSettings(text: $0).resolvers } ?? []
        guard !upstreams.isEmpty else {
            throw Fault(
                description:
                    "systemd-resolved knows no DNS server now, so without it this machine would find no names. "
                    + "Connect it to the network, then try again. Nothing was changed.")
        }
        let isSet = text(Self.dropIn) == Self.setting
        let former = leadsToStub ? formerSettings : nil
        var steps: [String] = []
        do {
            if !isSet {
                try writeDropIn()
                steps.append("Wrote \(Self.dropIn): systemd-resolved listens on port 53 no more.")
            }
            if former != nil {
                try lead(Self.settings, to: "..\(Self.trueUpstreams)")
                steps.append(
                    "\(Self.settings) leads to \(Self.trueUpstreams) now, so this machine asks \(upstreams.joined(separator: ", ")) itself."
                )
            }
            guard !steps.isEmpty else { return [] }
            try restart()
            steps.append("Restarted systemd-resolved.")
        } catch {
            if !isSet { try? FileManager.default.removeItem(atPath: root + Self.dropIn) }
            if let former { restore(former) }
            try? restart()
            throw Fault(
                description: "It could not be switched off: \(Self.reason(error)) Everything is as it was.")
        }
        return steps + [Self.undoing(former)]
    }

    /// The commands that take it back, for a person to copy.
    private static func undoing(_ former: Former?) -> String {
        let back =
            switch former {
            case .link(let target): ["sudo ln -sf \(target) \(settings)"]
            case .file: ["sudo mv \(kept) \(settings)"]
            case nil: [String]()
            }
        let steps = ["sudo rm \(dropIn)"] + back + ["sudo systemctl restart systemd-resolved"]
        return "To undo it: " + steps.joined(separator: " && ")
    }

    // MARK: - Files

    private enum Former {
        case link(String)
        case file
    }

    private var formerSettings: Former {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: root + Self.settings)
        return link.map { .link($0) } ?? .file
    }

    /// Whether this machine's programs ask the stub.
    private var leadsToStub: Bool {
        if case .link(let target) = formerSettings, target.hasSuffix("/stub-resolv.conf") { return true }
        let resolvers = text(Self.settings).map { ResolverSettings(text: $0).resolvers } ?? []
        return resolvers.contains { ["127.0.0.53", "127.0.0.54"].contains($0) }
    }

    private func writeDropIn() throws {
        let path = root + Self.dropIn
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(Self.setting.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        // Its user is another than root, and must read it.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }

    /// Puts a link in the place of a file, which is kept, or of another link.
    private func lead(_ path: String, to target: String) throws {
        if case .file = formerSettings {
            try? FileManager.default.removeItem(atPath: root + Self.kept)
            try FileManager.default.moveItem(atPath: root + path, toPath: root + Self.kept)
        } else {
            try FileManager.default.removeItem(atPath: root + path)
        }
        try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: target)
    }

    private func restore(_ former: Former) {
        let files = FileManager.default
        switch former {
        case .link(let target):
            try? files.removeItem(atPath: root + Self.settings)
            try? files.createSymbolicLink(atPath: root + Self.settings, withDestinationPath: target)
        case .file:
            guard files.fileExists(atPath: root + Self.kept) else { return }
            try? files.removeItem(atPath: root + Self.settings)
            try? files.moveItem(atPath: root + Self.kept, toPath: root + Self.settings)
        }
    }

    private func text(_ path: String) -> String? { fileText(root + path) }

    private static func reason(_ error: any Error) -> String {
        if let failure = error as? ToolRun.Failure { return "\(failure)" }
        guard let cause = (error as? CocoaError)?.underlying as? POSIXError else { return "\(error)" }
        return "\(String(cString: strerror(cause.code.rawValue)))."
    }
}
