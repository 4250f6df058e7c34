import HTTPTypes
import Hummingbird
import Policy
import Store

/// The proof in a request that its sender may enter.
enum Credential: Sendable {
    /// A browser's login, and its cookie's value.
    case login(Login, token: String)
    /// A program with a bearer token.
    case bearer(APIToken)
}

extension Visit {
    var login: Login? {
        guard case .login(let login, _) = credential else { return nil }
        return login
    }

    /// The login's form token, with a mask of its own for each page.
    var formToken: String? { login.map { FormToken.masked($0.csrf) } }

    var loginToken: String? {
        guard case .login(_, let token) = credential else { return nil }
        return token
    }
}

extension Desk {
    /// Whether the gate was passed.
    var isSetUp: Bool { store.isSetUp }

    /// A bearer token counts only for the API, a cookie for everything in a browser.
    func credential(of request: Request, isSecure: Bool) -> Credential? {
        if let header = request.headers[.authorization] {
            guard header.lowercased().hasPrefix("bearer "), request.uri.path.takesTokens else { return nil }
            return store.token(matching: String(header.dropFirst(7))).map(Credential.bearer)
        }
        for token in LoginCookie.values(in: request, isSecure: isSecure) {
            if let login = store.login(token: token, at: clock.now()) { return .login(login, token: token) }
        }
        return nil
    }
}

extension String {
    fileprivate var takesTokens: Bool { hasPrefix("/api/") || self == "/metrics" || self == "/events" }
}
