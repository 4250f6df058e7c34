import Policy
import Store

/// Who pressed a button that is about somebody else's night: for the log, and for taking it back.
struct Presser {
    /// One login or one token; it never leaves the server.
    let key: String
    /// `by Ada, on iPad`, as the log says it.
    let words: String

    init?(_ credential: Credential?, address: String, device: DeviceID?, in household: Household) {
        switch credential {
        case .login(let login, _): key = "login \(login.csrf)"
        case .bearer(let token): key = "token \(token.id)"
        case nil: return nil
        }
        words = Hand(Caller(credential: credential, address: address, device: device), in: household).words
    }
}
