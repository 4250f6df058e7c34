import Pages
package import Policy

/// A request about an app or tonight on its own page: GET and POST `/requests/{id}` `answer=grant|decline`.
package struct WishPage: Page {
    package static let template = "wish"

    package let title = "A request"
    let row: RequestRow
    let device: String?
    let isOpen: Bool
    let isGranted: Bool
    let isDeclined: Bool
    /// What granting it does, in a sentence.
    let effect: String

    package init(_ wish: Wish, person: Person, household: Household, catalog: Catalog) {
        let clock = ClockFace(zone: household.foundationZone)
        row = RequestRow(wish, of: person, catalog: catalog, clock: clock)
        device = wish.device.flatMap { household[device: $0]?.name }
        isOpen = wish.answer == .open
        isGranted = wish.answer == .granted
        isDeclined = wish.answer == .declined
        effect =
            switch wish.what {
            case .app: "The app stays open from the next session on. A running session does not change."
            case .later: "Tonight starts \(TonightChange.step) minutes later, and ends as planned."
            case .skip: "No session begins tonight. Tomorrow stays as planned."
            }
    }
}
