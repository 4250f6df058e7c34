import Directory
import Hummingbird
import Policy
import Store

/// Checks passcodes: knows the clients that try, and their waits after wrong ones. One passcode is hashed at a time, so
/// that memory stays bounded; holders take turns.
struct PasscodeDesk: Sendable {
    enum Outcome {
        case right, wrong
        /// Too many were wrong: the passcode was not checked. The next try may come in so many seconds.
        case wait(Int)
    }

    let desk: Desk
    let network: NetworkFacts
    private let backOff = BackOff()

    /// Tries a passcode against the household's.
    func attempt(_ passcode: String, _ request: Request, _ visit: Visit) async throws -> Outcome {
        try await attempt(request, visit) {
            guard let hash = desk.store.passcodeHash else { return false }
            return try await hashing(for: network.holder(of: visit)) {
                try PasscodeHash(text: hash).matches(passcode)
            }
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

    func hash(_ passcode: String) async throws -> String {
        try await hashing(for: Holder(nil)) { try PasscodeHash(passcode).text }
    }

    private func hashing<Value: Sendable>(
        for holder: Holder, _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(Lanes.passcodes.lane(of: holder)) { try work() }
    }

    func trier(_ request: Request, _ visit: Visit) -> Trier {
        if let token = visit.loginToken { return .known(token) }
        if let id = KnownBrowser.id(in: request, isSecure: visit.isSecure, key: desk.store.secret) {
            return .known(id)
        }
        return Trier(network.holder(of: visit), at: visit.address)
    }
}
