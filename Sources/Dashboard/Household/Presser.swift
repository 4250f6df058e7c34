import HTTPTypes
import Policy
import Store

/// Who pressed a button about another person's night: for the log, and for Undo.
struct Presser {
    /// Identifies one login, one token or one device; never leaves the server.
    let key: String
    /// `by Ada, on iPad`, as the log says it.
    let words: String

    init?(_ credential: Credential?, address: String, device: DeviceID?, in household: Household) {
        switch credential {
        case .login(let login, _): key = "login \(login.csrf)"
        case .bearer(let token): key = "token \(token.id)"
        case nil:
            // The bedside display of the device's own person.
            guard let device else { return nil }
            key = "device \(device.rawValue)"
        }
        words = Hand(Caller(credential: credential, address: address, device: device), in: household).words
    }
}

extension Desk {
    /// The asker, by their login, token or device; refused without any of these.
    func presser(_ asker: Asker, _ visit: Visit) throws -> Presser {
        let presser = Presser(
            visit.credential, address: asker.address, device: asker.device?.id, in: asker.household)
        guard let presser else { throw PageError(.unauthorized) }
        return presser
    }
}
