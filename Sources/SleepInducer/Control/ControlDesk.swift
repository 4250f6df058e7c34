import Assets
import Dashboard
import Foundation
import Policy
import Store

/// Carries out the requests of commands, in the server or in the command itself.
struct ControlDesk: Sendable {
    let store: HouseholdStore
    let directory: String
    /// What time it is; for a running server not always what the machine's clock says.
    var now: @Sendable () -> Date = MachineClock.instant

    func answer(_ request: ControlRequest) async -> ControlReply {
        do {
            switch request {
            case .token(let name):
                return .done(try store.createToken(name: name, at: now()))
            case .passcode(let passcode):
                try store.setPasscodeHash(PasscodeHash(passcode).text)
                return .done("The new passcode is set. Every browser must log in again.")
            case .backup:
                // The command may run in another directory than the server.
                let path = URL(fileURLWithPath: directory).path + "/asked-for.backup"
                try? FileManager.default.removeItem(atPath: path)
                try store.backup(to: path)
                return .file(path)
            case .moveIn(let foreign, let adults): return try moveIn(foreign, Set(adults))
            case .health, .healthy, .invite, .lead: return .refused("No server is running.")
            }
        } catch let refusal as Refusal {
            return .refused(refusal.message)
        } catch {
            return .refused("\(error)")
        }
    }

    /// Takes over a foreign household; answers with a sentence that says what it took.
    private func moveIn(_ foreign: ForeignHousehold, _ adults: Set<String>) throws -> ControlReply {
        let catalog = try ShippedCatalog.load(from: AssetLibrary())
        let choice = ImportPlan.Choice(allOf: foreign, adults: adults)
        let expected = store.household.importPlan(of: foreign, choice: choice, catalog: catalog)
        if let unknown = adults.subtracting(expected.people.map(\.name)).sorted().first {
            return .refused("\(unknown) is nobody whom this file brings. Nothing was changed.")
        }
        let numbers = try store.newNumbers(for: expected)
        let now = now()
        let plan = try store.change { household, log in
            let before = household
            let plan = household.importPlan(of: foreign, choice: choice, catalog: catalog)
            try household.take(plan, catalog: catalog, numbers: numbers, newID: UUID.init, at: now)
            log.append(
                LogEntry(
                    .ruleChanged, person: nil, at: now, detail: "Moved in from \(foreign.source.name)"))
            log.attribute(from: 0, to: .machine, changes: household.ruleChanges(since: before), at: now)
            return plan
        }
        let children = plan.people.filter(\.isChild).map(\.name)
        let said =
            children.isEmpty
            ? ""
            : " \(children.joined(separator: ", ")): taken as \(children.count == 1 ? "a child" : "children")."
        return .done("Taken: \(plan.taken).\(said) Look at them under Devices, and choose bedtimes.")
    }
}
