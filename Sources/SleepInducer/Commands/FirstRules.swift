import Dashboard
import Foundation
import Policy
import Store

/// Rules from the command line, used while no passcode is stored (design.md, "Contract").
enum FirstRules {
    /// A passcode from the command line also counts as the gate. Zone and new-device rule apply until set-up or
    /// settings change them.
    static func apply(_ options: ServeCommand, to store: HouseholdStore, at now: Date) async throws {
        guard !store.isSetUp else { return }
        if options.timeZone != nil || options.newDevices != nil {
            try store.change { household, log in
                let before = household
                if let zone = options.timeZone { household.timeZone = zone }
                if let rule = options.newDevices {
                    household.newDevicesBelongTo = rule == .me ? household.people.first?.id : nil
                }
                log.attribute(
                    from: 0, to: .machine, changes: household.ruleChanges(since: before), at: now)
            }
        }
        if let passcode = options.passcode {
            try store.setPasscodeHash(PasscodeHash(passcode).text)
        }
    }
}
