package import Foundation
package import Pages
package import Policy

/// An open request with the buttons that answer it: POST to `action` with `answer=grant|decline`, and
/// `from=home|limits|household` for the page to return to.
package struct RequestRow: Sendable {
    /// `/limits/requests/{id}`, or `/requests/{id}` for an app or tonight.
    let action: String
    /// `Ada`
    let who: String
    /// `asks for 15 more minutes of`, `asks to skip tonight`.
    let asks: String
    /// `TikTok`; nil if it is not about an app.
    let what: String?
    /// ` open at night`, after the app's name.
    let after: String
    /// `21:10`
    let askedAt: String
    /// `Give 15 minutes`
    let grant: String
    /// `Not tonight`
    let decline: String

    /// The pages to which an answer can lead back, by `from`.
    static let origins = ["home": "/", "limits": "/limits", "household": "/household"]

    init(_ request: TimeRequest, of asking: Person, catalog: Catalog, clock: ClockFace) {
        action = "/limits/requests/\(request.id.uuidString)"
        who = asking.name
        asks = "asks for \(TimeRequest.minutes) more minutes of"
        what = request.target.name(in: catalog)
        after = ""
        askedAt = clock.time(request.askedAt)
        grant = "Give \(TimeRequest.minutes) minutes"
        decline = "Not tonight"
    }

    init(_ wish: Wish, of asking: Person, catalog: Catalog, clock: ClockFace) {
        action = "/requests/\(wish.id.uuidString)"
        who = asking.name
        askedAt = clock.time(wish.askedAt)
        switch wish.what {
        case .app(let id):
            (asks, what, after) = ("asks to have", catalog.app(id: id)?.name ?? id, " open at night")
            (grant, decline) = ("Allow it", "Not now")
        case .later:
            (asks, what, after) = ("asks for \(wish.what.words(in: catalog))", nil, "")
            (grant, decline) = ("\(TonightChange.step) minutes later", "Keep tonight as it is")
        case .skip:
            (asks, what, after) = ("asks to skip tonight", nil, "")
            (grant, decline) = ("Skip tonight", "Keep tonight as it is")
        }
    }

    /// Open requests, oldest first, of one person or of everybody.
    package static func open(
        in household: Household, of person: PersonID? = nil, catalog: Catalog, clock: ClockFace, now: Date
    ) -> [RequestRow] {
        let asking = household.people.filter { person == nil || $0.id == person }
        let minutes = asking.flatMap { person in
            person.requests(at: now, in: household.zone).filter { $0.answer == .open }.map {
                ($0.askedAt, RequestRow($0, of: person, catalog: catalog, clock: clock))
            }
        }
        let wishes = asking.flatMap { person in
            person.wishes(at: now).filter { $0.answer == .open }.map {
                ($0.askedAt, RequestRow($0, of: person, catalog: catalog, clock: clock))
            }
        }
        return (minutes + wishes).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
