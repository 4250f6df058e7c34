import Policy
import Store

/// Who pressed a button that is about somebody else's night: for the log, and for taking it back.
struct Presser {
    /// One login or one token; it never leaves the server.
    let key: String
    /// `by Ada, on iPad`, as the log says it.
    let words: String

    init?(_ credential: Credential?, device: Device?, address: String, in household: Household) {
        switch credential {
        case .login(let login, _):
            key = "login \(login.csrf)"
            let owner = device?.person.flatMap { household[person: $0]?.name }
            words =
                switch (owner, device?.name) {
                case (let owner?, let name?): "by \(owner), on \(name)"
                case (nil, let name?): "on \(name)"
                default: "from \(address)"
                }
        case .bearer(let token):
            key = "token \(token.id)"
            words = "by the program \(token.name)"
        case nil: return nil
        }
    }
}
