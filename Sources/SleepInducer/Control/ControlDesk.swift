import Dashboard
import Foundation
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
            case .health: return .refused("No server is running.")
            }
        } catch {
            return .refused("\(error)")
        }
    }
}
