import Hummingbird
import Policy
import Store

/// Checks passcodes: knows the clients that try, their waits after wrong ones, and the one thread that hashes.
struct PasscodeDesk: Sendable {
    enum Outcome {
        case right, wrong
        /// Too many were wrong: the passcode was not checked. The next try may come in so many seconds.
        case wait(Int)
    }

    let desk: Desk
    let network: NetworkFacts
    private let backOff = BackOff()
    private let thread = PasscodeThread()

    /// Tries a passcode against the household's.
    func attempt(_ passcode: String, _ request: Request, _ visit: Visit) async throws -> Outcome {
        try await attempt(request, visit) {
            guard let hash = desk.store.passcodeHash else { return false }
            return try await thread.matches(passcode, hash)
        }
    }

    /// Tries another secret that can be guessed.
    func attempt(
        _ request: Request, _ visit: Visit, isRight: () async throws -> Bool
    ) async throws -> Outcome {
        let trier = trier(request, visit)
        if let wait = backOff.admit(trier, at: desk.uptime()) { return .wait(wait) }
        guard try await isRight() else { return .wrong }
        backOff.succeeded(trier, at: desk.uptime())
        return .right
    }

    func hash(_ passcode: String) async throws -> String { try await thread.hash(passcode) }

    func trier(_ request: Request, _ visit: Visit) -> Trier {
        if let token = visit.loginToken { return .known(token) }
        if let id = KnownBrowser.id(in: request, isSecure: visit.isSecure, key: desk.store.secret) {
            return .known(id)
        }
        return Trier(network.holder(of: visit), at: visit.address)
    }
}
