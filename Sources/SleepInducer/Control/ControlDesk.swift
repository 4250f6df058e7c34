import Assets
import Dashboard
import Foundation
import Policy
import Store

/// Carries out the requests of commands, in the server or in the command itself.
struct ControlDesk: Sendable {
    let store: HouseholdStore
    let directory: String

    func answer(_ request: ControlRequest) async -> ControlReply {
        do {
            switch request {
            case .token(let name):
                return .done(try store.createToken(name: name, at: MachineClock.instant()))
            case .passcode(let passcode):
                try store.setPasscodeHash(PasscodeHash(passcode).text)
                return .done("The new passcode is set. Every browser must log in again.")
            case .backup:
                // The command may run in another directory than the server.
                let path = URL(fileURLWithPath: directory).path + "/asked-for.backup"
                try? FileManager.default.removeItem(atPath: path)
                try store.backup(to: path)
                return .file(path)
            case .moveIn(let foreign): return .done(try moveIn(foreign))
            case .health, .healthy: return .refused("No server is running.")
            }
        } catch let refusal as Refusal {
            return .refused(refusal.message)
        } catch {
            return .refused("\(error)")
        }
    }

    /// Takes over a foreign household; returns a sentence that says what it took.
    private func moveIn(_ foreign: ForeignHousehold) throws -> String {
        let catalog = try ShippedCatalog.load(from: AssetLibrary())
        let numbers = try store.newNumbers(
            for: store.household.importPlan(of: foreign, catalog: catalog))
        let now = MachineClock.instant()
        let plan = try store.change { household, log in
            let before = household
            let plan = household.importPlan(of: foreign, catalog: catalog)
            try household.take(plan, catalog: catalog, numbers: numbers, newID: UUID.init, at: now)
            log.append(
                LogEntry(
                    .ruleChanged, person: nil, at: now, detail: "Moved in from \(foreign.source.name)"))
            log.attribute(from: 0, to: .machine, changes: household.ruleChanges(since: before), at: now)
            return plan
        }
        return "Taken: \(plan.taken). Look at them under Devices, and choose bedtimes."
    }
}
