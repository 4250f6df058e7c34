package import Foundation
import Pages
package import Policy
package import Store

/// Discipline Dungeon's first tab: where minutes are sent, whether they are measured, in which zone, and what happened
/// last.
///
/// POST `/verified/credentials` with `baseURL`, `accessToken` (empty: the saved one stays), `/verified/access`,
/// `/verified/time-zone` with `timeZone` (empty: the household's), `/verified/forget` (the token).
package struct VerifiedSetupPage: Page {
    package static let template = "verified-setup"

    /// The lines of the original app's debugging tips.
    struct Diagnostics {
        let snapshot: String
        let request: String
        let invoked: String
        let completed: String
    }

    struct Received {
        let title: String
        let note: String
    }

    package let title = "Verified Minutes"
    let tab = VerifiedTab.setup
    /// `this server`
    let destination: String
    /// Whether the form for another server is open: something in it was refused.
    let isOpen: Bool
    let baseURL: String
    /// Whether a token is stored for that address; it is never shown.
    let hasToken: Bool
    /// Whether the connection is unencrypted, so that others on the way can read it.
    let isPlain: Bool
    let zones: [Choice]
    /// Whether the person's use is measured.
    let isMeasured: Bool
    let address: String
    let diagnostics: Diagnostics?
    let received: [Received]
    let hasReceived: Bool
    /// By field name: `baseURL`, `accessToken`, `timeZone`.
    package let errors: [String: String]

    /// What the page needs beside the person.
    package struct Facts: Sendable {
        package var hasToken = false
        /// Whether the person has a device here.
        package var isMeasured = true
        /// This server's own address, for other programs.
        package var address = ""
        /// Whether the viewer may see the minutes (`Asker.seesUsage`).
        package var seesFigures = true
        package var uploads: [ReceivedUpload] = []
        package var connection: ReceivedConnection?
        /// By id.
        package var tokenNames: [APIToken.ID: String] = [:]

        package init() {}
    }

    /// - Parameter typed: a refused address.
    package init(
        person: Person, household: Household, zones: [String], facts: Facts, zone: TimeZone,
        typed: String? = nil, errors: [String: String] = [:]
    ) {
        let verified = person.verified
        destination = verified.destination
        isOpen = errors["baseURL"] != nil || errors["accessToken"] != nil
        baseURL = typed ?? verified.server?.base ?? ""
        hasToken = facts.hasToken
        isPlain = verified.server?.base.lowercased().hasPrefix("http:") ?? false
        let label = household.timeZone.replacing("_", with: " ")
        self.zones =
            [Choice("", "This home's (\(label))", isSelected: verified.timeZone == nil)]
            + Choice.zones(zones, selected: verified.timeZone ?? "")
        isMeasured = facts.isMeasured
        address = facts.address
        let clock = ClockFace(zone: zone)
        diagnostics = facts.seesFigures ? Diagnostics(verified, clock) : nil
        received = facts.seesFigures ? Self.received(facts, clock) : []
        hasReceived = !received.isEmpty
        self.errors = errors
    }

    private static func received(_ facts: Facts, _ clock: ClockFace) -> [Received] {
        func name(_ token: APIToken.ID?) -> String {
            token.map { facts.tokenNames[$0] ?? "A token that was revoked" } ?? "This server"
        }
        let uploads = facts.uploads.map {
            Received(
                title: "\($0.date): \($0.minutes) minutes",
                note: "\(name($0.token)), \(clock.stamp($0.receivedAt))")
        }
        let connection = facts.connection.map { connection in
            let counts = connection.selection.map {
                "\($0.applicationTokenCount) apps, \($0.categoryTokenCount) categories, \($0.webDomainTokenCount) domains"
            }
            return Received(
                title:
                    "\(name(connection.token)): \(connection.isEnabled ? "on" : "off"), \(connection.timezone)",
                note: [counts, clock.stamp(connection.receivedAt)].compactMap { $0 }.joined(separator: " · "))
        }
        return (connection.map { [$0] } ?? []) + uploads
    }
}

extension VerifiedSetupPage.Diagnostics {
    /// The words of the debugging tips; missing values are 0 or nil.
    init(_ verified: VerifiedMinutes, _ clock: ClockFace) {
        snapshot =
            "Snapshot: \(verified.snapshot?.verifiedMinutes ?? 0) minutes on \(verified.snapshot?.date.description ?? "nil")"
        request =
            "Request: \(verified.request?.date.description ?? "nil") in \(verified.request?.timezone ?? "nil")"
        invoked = "Last invoked: \(verified.invokedAt.map(clock.stamp) ?? "never")"
        completed = "Last completed: \(verified.completedAt.map(clock.stamp) ?? "never")"
    }
}

extension ClockFace {
    /// `2026-11-21 07:05:09`, for diagnostics.
    func stamp(_ instant: Date) -> String {
        let second = zone.secondOfDay(of: instant)
        let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(zone.date(of: instant)) \(parts.joined(separator: ":"))"
    }
}
