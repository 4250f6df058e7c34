import ArgumentParser
import Enforcement
import Foundation
import LocalNetwork
import Policy
import Store

/// `sleep-inducer doctor`: looks for trouble that would disturb a night.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Check this machine and the household's data. The exit code is not 0 if something is wrong.",
        discussion: "A running server answers for itself. The page /health shows the same.")

    @OptionGroup var place: DataPlace
    @Option(
        help: ArgumentHelp(
            "Also check if this machine can be a gateway on this interface. Repeat for more.",
            valueName: "iface"))
    var gateway: [String] = []
    @Option(
        help: ArgumentHelp(
            "Repair: resolved switches off systemd-resolved's own DNS server on port 53. It says each step, and how to undo it.",
            valueName: "what"))
    var fix: Remedy?
    @Flag(help: "Print the list as JSON.")
    var json = false

    enum Remedy: String, ExpressibleByArgument, CaseIterable { case resolved }

    func run() throws {
        if fix == .resolved { return try fixResolved() }
        let own = [rights, port(53), port(80), data] + (gateway.isEmpty ? [] : [passage])
        let lines = own.map(\.line) + (try served() ?? alone)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            print(String(decoding: try encoder.encode(lines), as: UTF8.self))
        } else {
            for line in lines { print("\(line.isGood ? "ok  " : "look") \(line.text)") }
        }
        if lines.contains(where: { !$0.isGood }) { throw ExitCode.failure }
    }

    private func fixResolved() throws {
        guard Privileges.isRoot else {
            throw Complaint("Only root can change systemd-resolved: sudo sleep-inducer doctor --fix resolved")
        }
        do {
            let steps = try ResolvedStub().switchOff()
            let none = ["systemd-resolved's DNS server on port 53 was switched off before."]
            print((steps.isEmpty ? none : steps).joined(separator: "\n"))
        } catch {
            throw Complaint("\(error)")
        }
        let left = PortHolder.current(port: 53, transport: .udp).first { $0.program == ResolvedStub.program }
        if let left {
            throw Complaint(
                "systemd-resolved still listens on \(left.address). Look for DNSStubListenerExtra= in the later files of "
                    + "/etc/systemd/resolved.conf.d.")
        }
    }

    /// The running server's findings; nil: none runs.
    private func served() throws -> [HealthLine]? {
        switch try ControlClient(directory: place.directory).ask(.health) {
        case .health(let lines): lines
        case .refused(let reason): throw Complaint(reason)
        case .done, .file, nil: nil
        }
    }

    /// The findings that need no server.
    private var alone: [HealthLine] {
        var facts = MachineFacts.of(.current, directory: place.directory, at: MachineClock.instant())
        let store = try? place.householdToRead()
        let household = store?.household
        facts.damage = store.map { [$0.damage(at: facts.now)].compactMap { $0 } }
        // Without a household there is nothing to back up yet.
        let judged = household == nil ? facts.judged.subtracting([.backup]) : facts.judged
        let findings = (household ?? Household(timeZone: "UTC", people: [])).findings(facts)
        return HealthLine.lines(findings.filter { judged.contains($0.kind) }, judged: judged)
            + [upstream.line]
    }

    /// A finding of this command itself.
    private struct Sight {
        var id: String
        var isGood: Bool
        var text: String
        var line: HealthLine { HealthLine(id: id, isGood: isGood, text: text) }
    }

    private var rights: Sight {
        Machine.current.mayOpenLowPorts
            ? Sight(id: "rights", isGood: true, text: "This user can open ports 53 and 80.")
            : Sight(
                id: "rights", isGood: false,
                text: "This user cannot open ports 53 and 80. "
                    + (Container.isAround
                        ? "Start the container with --cap-add NET_BIND_SERVICE, without no-new-privileges."
                        : "Run sudo make install."))
    }

    /// Whether this machine can be a gateway that filters a home's packets.
    private var passage: Sight {
        let obstacle = PacketFilter.obstacle(to: gateway) ?? PacketFilter.idleness
        return Sight(
            id: "passage", isGood: obstacle == nil,
            text: obstacle ?? "This machine can be a gateway for \(gateway.joined(separator: " and ")).")
    }

    /// Whether another program has a port that the household's devices need.
    private func port(_ port: Int) -> Sight {
        let addresses = Machine.current.addresses().map(\.address)
        let holders = PortHolder.Transport.allCases.filter { port == 53 || $0 == .tcp }
            .flatMap { PortHolder.current(port: port, transport: $0) }
            .filter { $0.isInTheWay(of: addresses) }
        guard let holder = holders.first(where: { $0.program != Self.ownName }) ?? holders.first else {
            return Sight(id: "port-\(port)", isGood: true, text: "Port \(port) is free.")
        }
        let process = holder.processID.map { " (process \($0))" } ?? ""
        guard holder.program != Self.ownName else {
            return Sight(
                id: "port-\(port)", isGood: true, text: "Port \(port) is served by Sleep Inducer\(process).")
        }
        return Sight(
            id: "port-\(port)", isGood: false,
            text: "\(holder.program ?? "Another program")\(process) uses port \(port) on \(holder.place). "
                + (holder.program == ResolvedStub.program
                    ? "Run sudo sleep-inducer doctor --fix resolved."
                    : "Stop it, or move it to another port."))
    }

    private static let ownName = "sleep-inducer"

    private var data: Sight {
        do {
            let store = try place.householdToRead()
            let count = store.household.devices.count { $0.isSomebodys }
            let enrolled = count == 1 ? "1 device is" : "\(count) devices are"
            return Sight(
                id: "data", isGood: true,
                text: "The household in \(place.directory) can be read; \(enrolled) enrolled.")
        } catch {
            return Sight(
                id: "data", isGood: false,
                text: "The household in \(place.directory) cannot be read: \(error)")
        }
    }

    private var upstream: Sight {
        let own = Machine.current.resolution().resolvers
        let resolvers = own.isEmpty ? [ChosenUpstreams.fallback] : own
        return Sight(
            id: "upstream", isGood: true,
            text: "Allowed names go to \(resolvers.joined(separator: ", ")).")
    }
}
