import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// Who asks for a page and whose rules it shows, with the household as of that instant.
struct Asker {
    let now: Date
    /// Settled to `now`, so that a page at the very end of a session already shows its end.
    let household: Household
    /// The person whose rules the page shows (`person=<id>`, else the asking device's person, else the first).
    let person: Person
    /// Whether the request named the person, so that links keep naming them.
    let namesPerson: Bool
    let device: Device?
    let address: String
    /// The login's form token, masked for this answer; nil without a login.
    let csrf: String?
    /// Whether a login or a token came with the request.
    let isTrusted: Bool
    /// The page's own path and query.
    let path: String

    /// Whether the page was opened from set-up (`from=setup` in its address, `back=setup` in its forms).
    let isFromSetup: Bool

    var isSignedIn: Bool { csrf != nil }
    var zone: TimeZone { household.foundationZone }
    /// Whether the asking device belongs to a person.
    var isEnrolled: Bool { device?.person != nil }
    /// The person's name, if the reader is somebody else: a device of nobody counts as the first person's.
    var otherName: String? {
        person.id == device?.person ?? household.members.first?.id ? nil : person.name
    }
    var isStrictRunning: Bool { person.running(at: now)?.strictness == .strict }
    var isSessionRunning: Bool { person.running(at: now) != nil }
    /// Whether they may read the person's rules: they have a login, or somebody with the passcode confirmed the device.
    var mayRead: Bool { isTrusted || device?.isConfirmed == true }
    /// The person's next bedtime, with tonight's change; nil while they sleep, or if the asker may not read it.
    var bedtime: Date? {
        isSessionRunning || !mayRead ? nil : person.nights(in: household.zone)?.nextNight(after: now)?.start
    }
}

extension Desk {
    /// The household as of now. Due changes are shown at once, and stored with the next change.
    func household(at now: Date) -> Household {
        var household = store.household
        _ = household.settle(at: now, usage: feed.snapshot.usage, newID: UUID.init)
        return household
    }

    /// Everything as of now, with the latest revision. The catalog is made again only if the own apps changed.
    func present(at now: Date) -> Snapshot {
        let (household, latest) = (household(at: now), feed.snapshot)
        return Snapshot(
            revision: latest.revision, instant: now, household: household, catalog: wholeCatalog(household),
            verdicts: household.evaluate(at: now, usage: latest.usage), usage: latest.usage, after: latest)
    }

    /// The shipped catalog with the household's own apps.
    func wholeCatalog(_ household: Household) -> Catalog {
        let latest = feed.snapshot
        let isSame = latest.household.ownApps == household.ownApps
        return isSame ? latest.catalog : catalog.adding(household.ownApps)
    }

    /// Finds out who asks. Without a login, only the asking device's own person may ask, and only after an adult with
    /// the passcode confirmed the device, because anybody can press "This is my device". A form's `person` overrides
    /// the address's.
    ///
    /// `evenUnconfirmed` is for pages that explain this, and for leaving, because the device enrolled itself.
    func asker(
        _ request: Request, _ visit: Visit, _ form: FormFields? = nil, evenUnconfirmed: Bool = false
    ) throws -> Asker {
        let now = clock.now()
        let household = household(at: now)
        let device = household.device(of: visit)
        let wanted = try PersonID(
            named: form?.first("person") ?? request.uri.queryParameters["person"].map(String.init))
        let own = device?.person.flatMap { household[person: $0] }
        if visit.credential == nil {
            guard let own, wanted == nil || wanted == own.id, evenUnconfirmed || device?.isConfirmed == true
            else { throw PageError.loginNeeded(request) }
        }
        guard let person = wanted == nil ? own ?? household.members.first : household[person: wanted!] else {
            throw PageError(.notFound, "There is no person with this number.")
        }
        return Asker(
            now: now, household: household, person: person, namesPerson: wanted != nil, device: device,
            address: visit.address, csrf: visit.formToken, isTrusted: visit.credential != nil,
            path: request.uri.description,
            isFromSetup: form?.first("back") == "setup" || request.uri.queryParameters["from"] == "setup")
    }
}

extension Household {
    var foundationZone: TimeZone { TimeZone(identifier: timeZone) ?? .gmt }
}

extension PersonID {
    /// `person=<id>` of an address or form; nil if there is none; throws 404 if it is not a number.
    init?(named text: String?) throws {
        guard let text, !text.isEmpty else { return nil }
        guard let number = FormReading.wholeNumber(text) else {
            throw PageError(.notFound, "There is no person with this number.")
        }
        self.init(rawValue: Int64(number))
    }
}

extension String {
    /// Percent-escaped for a value in a query.
    var queryEscaped: String {
        addingPercentEncoding(withAllowedCharacters: .queryValue) ?? ""
    }
}

extension CharacterSet {
    fileprivate static let queryValue = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")
}

extension Device {
    /// The `lastSeen` of a device that never asked a question.
    static let neverAsked = Date(timeIntervalSince1970: 0)
}
