import Dashboard
import Foundation
import Policy
import Store

/// What the command line says while nothing is stored (design.md, "Contract").
enum FirstRules {
    /// A passcode given so also counts as the gate; zone and new-device rule hold until set-up or settings say more.
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
            if let objection = Passcode.objection(to: passcode) {
                throw Complaint("The passcode: \(objection)")
            }
            try store.setPasscodeHash(PasscodeHash(passcode).text)
        }
    }
}
