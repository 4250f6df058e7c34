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
        let findings = [rights, clock, data, upstream]
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
