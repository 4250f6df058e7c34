import Foundation
package import Pages
package import Policy

/// "Ask for 15 more minutes", as the owner reads and answers it: POST `/limits/requests/{id}`
/// `answer=grant|decline`, and `from=home|limits|household` for the page to go back to.
package struct RequestRow: Sendable {
    let id: String
    /// `Ada`
    let who: String
    /// `TikTok`
    let what: String
    /// `21:10`
    let askedAt: String

    /// The open ones, oldest first; of one person, or of everybody.
    package static func open(
        in household: Household, of person: PersonID? = nil, catalog: Catalog, clock: ClockFace
    ) -> [RequestRow] {
        household.people.filter { person == nil || $0.id == person }
            .flatMap { asking in
                asking.limits.requests.filter { $0.answer == .open }.map { (asking, $0) }
            }
            .sorted { $0.1.askedAt < $1.1.askedAt }
            .map { asking, request in
                RequestRow(
                    id: request.id.uuidString, who: asking.name, what: request.target.name(in: catalog),
                    askedAt: clock.time(request.askedAt))
            }
    }
}
