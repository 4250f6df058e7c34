import ArgumentParser
import Assets
import Foundation
import Moving
import Policy
import Store

/// `sleep-inducer import FILE`: shows what of AdGuard Home's or Pi-hole's file can be taken; with `--apply` it takes it.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Show what AdGuardHome.yaml or a Pi-hole archive brings; --apply takes it.",
        discussion: """
            FILE is AdGuard Home's AdGuardHome.yaml, or the .zip that Pi-hole 6 exports under Settings, Teleporter. \
            Nothing is changed there. Here, import only adds: what is here already keeps its owner and its rules. \
            The page under Settings, Moving in, lets you choose devices and owners one by one.
            """)

    @OptionGroup var place: DataPlace
    @Flag(help: "Take it. Without this flag nothing changes.")
    var apply = false
    @Option(
        help: "A new person who is an adult. Without it, everybody for whom something is blocked is a child.")
    var adult: [String] = []
    @Argument var file: String

    func run() async throws {
        let foreign = try await read()
        guard apply else { return print(try preview(foreign)) }
        print(try await carryOut(.moveIn(foreign, adults: adult), in: place))
    }

    /// Reads a file of another program, up to the size limit.
    private func read() async throws -> ForeignHousehold {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw Complaint("Cannot read \(file). Is the name right, and may this user read it?")
        }
        defer { try? handle.close() }
        do {
            return try await ForeignReader.result(
                try handle.read(upToCount: ForeignFile.maximum + 1) ?? Data()
            ).get()
        } catch let fault as ForeignFault {
            throw Complaint("\(file): \(fault)")
        } catch {
            throw Complaint("Cannot read \(file). Is it a file?")
        }
    }

    private func preview(_ foreign: ForeignHousehold) throws -> String {
        let household = try place.householdToRead().household
        let catalog = try ShippedCatalog.load(from: AssetLibrary())
        let choice = ImportPlan.Choice(allOf: foreign, adults: Set(adult))
        let plan = household.importPlan(of: foreign, choice: choice, catalog: catalog)
        var lines = ["\(plan.source.name)", "", "Taken: \(plan.taken)"]
        for device in plan.devices {
            let owner = device.owner == .nobody ? "nobody’s: never blocked" : household.name(of: device.owner)
            let here = device.known == nil ? "" : " (here already)"
            let addresses = (device.hardware + device.addresses).joined(separator: " ")
            lines.append("  \(device.name)\(here), \(addresses), \(owner)")
        }
        for person in plan.people {
            lines.append("  New: \(person.name), \(person.isChild ? "a child" : "an adult")")
        }
        let all = catalog.adding(household.ownApps)
        for rules in plan.rules {
            lines.append("  \(household.name(of: rules.owner)): \(rules.names(in: all)). \(rules.times)")
        }
        lines +=
            ["", "Not taken:"] + (plan.notTaken.isEmpty ? ["  Nothing."] : plan.notTaken.map { "  \($0)" })
        let end =
            plan.isEmpty
            ? "There is no device to take. Nothing was changed."
            : "Nothing was changed. Add --apply to take it, and --adult NAME for a new person who is no child."
        return (lines + ["", end]).joined(separator: "\n")
    }
}
