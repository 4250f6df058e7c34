import ArgumentParser
import Foundation
import LocalNetwork
import Policy
import Store

/// `sleep-inducer doctor`: what would keep a night from being quiet.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine and the household's data; non-zero if something is wrong.")

    @OptionGroup var place: DataPlace

    func run() throws {
        let findings = [rights, port(53), port(80), clock, data, upstream]
        for finding in findings { print("\(finding.isGood ? "ok  " : "look") \(finding.text)") }
        if findings.contains(where: { !$0.isGood }) { throw ExitCode.failure }
    }

    private struct Finding {
        var isGood: Bool
        var text: String
    }

    private var rights: Finding {
        Machine.current.mayOpenLowPorts
            ? Finding(isGood: true, text: "Ports 53 and 80 may be opened.")
            : Finding(isGood: false, text: "Ports 53 and 80 need rights: sudo make install.")
    }

    /// Whether another program has a port that the household's devices need.
    private func port(_ port: Int) -> Finding {
        let addresses = Machine.current.addresses().map(\.address)
        let holders = PortHolder.Transport.allCases.filter { port == 53 || $0 == .tcp }
            .flatMap { PortHolder.current(port: port, transport: $0) }
            .filter { $0.isInTheWay(of: addresses) }
        guard let holder = holders.first(where: { $0.program != Self.ownName }) ?? holders.first else {
            return Finding(isGood: true, text: "Port \(port) is free.")
        }
        let process = holder.processID.map { " (process \($0))" } ?? ""
        guard holder.program != Self.ownName else {
            return Finding(isGood: true, text: "Port \(port) is served by Sleep Inducer\(process).")
        }
        return Finding(
            isGood: false,
            text: "Port \(port) is taken by \(holder.program ?? "another program")\(process): "
                + "stop it, or move it to another port.")
    }

    private static let ownName = "sleep-inducer"

    private var clock: Finding {
        Machine.current.isClockSynchronised()
            ? Finding(isGood: true, text: "The clock is synchronised.")
            : Finding(
                isGood: false,
                text:
                    "The clock is not synchronised: bedtimes would be wrong. Switch time synchronisation on.")
    }

    private var data: Finding {
        do {
            let store = try place.householdToRead()
            let count = store.household.devices.count { $0.person != nil }
            let enrolled = count == 1 ? "1 device is" : "\(count) devices are"
            return Finding(
                isGood: true,
                text: "The household in \(place.directory) can be read; \(enrolled) enrolled.")
        } catch {
            return Finding(
                isGood: false, text: "The household in \(place.directory) cannot be read: \(error)")
        }
    }

    private var upstream: Finding {
        let resolvers = Machine.current.resolvers
        return Finding(
            isGood: true,
            text:
                "Allowed names go to \(resolvers.isEmpty ? Upstreams.fallback : resolvers.joined(separator: ", "))."
        )
    }
}
