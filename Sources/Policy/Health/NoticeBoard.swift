package import Foundation

/// The known problems, since when they exist, and which of them the owner hid for a day.
package struct NoticeBoard: Hashable, Sendable {
    package struct Notice: Hashable, Sendable, Identifiable {
        package var finding: Finding
        package let since: Date
        /// The dashboard hides it until then.
        package var awayUntil: Date?
        package var id: String { finding.id }

        package init(_ finding: Finding, since: Date, awayUntil: Date? = nil) {
            self.finding = finding
            self.since = since
            self.awayUntil = awayUntil
        }
    }

    /// How long a hidden notice stays hidden, in seconds.
    package static let away: TimeInterval = 86_400

    /// In the order of the list.
    package private(set) var notices: [Notice]
    package var place: KnownPlace
    /// What was checked since the start.
    package private(set) var judged: Set<Finding.Kind> = []

    package init(notices: [Notice] = [], place: KnownPlace = KnownPlace()) {
        self.notices = notices
        self.place = place
    }

    /// Takes new findings: raises new ones, clears those that are gone, and keeps what was not judged. Returns the
    /// events for webhooks.
    package mutating func take(_ household: Household, _ facts: HouseFacts) -> [WebhookEvent] {
        let (found, now) = (household.findings(facts), facts.now)
        let kinds = facts.judged
        judged.formUnion(kinds)
        let known = Dictionary(notices.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let kept = notices.filter { !kinds.contains($0.finding.kind) && household.knows($0.finding) }
        let raised = found.map { finding in
            Notice(finding, since: known[finding.id]?.since ?? now, awayUntil: known[finding.id]?.awayUntil)
        }
        let old = notices
        notices = Finding.Kind.allCases.flatMap { kind in (kept + raised).filter { $0.finding.kind == kind } }
        let here = Set(notices.map(\.id))
        // The household itself tells of a way out (`webhookEvents`), once for all machines.
        let isOwn = { (finding: Finding) in finding.kind != .wayOut }
        return found.filter { known[$0.id] == nil && isOwn($0) }.map {
            household.event(.noticeRaised, $0, at: now)
        }
            + old.filter { !here.contains($0.id) && isOwn($0.finding) }.map {
                household.event(.noticeCleared, $0.finding, at: now)
            }
    }

    /// Throws `unknownNotice`.
    package mutating func putAway(_ id: Finding.ID, at now: Date) throws(Refusal) {
        guard let place = notices.firstIndex(where: { $0.id == id }) else { throw .unknownNotice }
        notices[place].awayUntil = now.addingTimeInterval(Self.away)
    }

    /// What the dashboard shows.
    package func shown(at now: Date) -> [Notice] { notices.filter { !$0.isAway(at: now) } }

    package func without(_ kind: Finding.Kind) -> NoticeBoard {
        NoticeBoard(notices: notices.filter { $0.finding.kind != kind }, place: place)
    }

    package var lines: [HealthLine] { HealthLine.lines(notices.map(\.finding), judged: judged) }
}

extension NoticeBoard.Notice {
    /// A clock that was set back hides nothing for longer than a day.
    package func isAway(at now: Date) -> Bool {
        awayUntil.map { (0...NoticeBoard.away).contains($0.timeIntervalSince(now)) && $0 > now } ?? false
    }
}

extension Household {
    fileprivate func knows(_ finding: Finding) -> Bool {
        finding.device.map { self[device: $0]?.isSomebodys ?? false } ?? true
    }

    /// A notice about a device belongs to its person too; all others belong to the household.
    func event(
        _ kind: WebhookEvent.Kind, _ finding: Finding, at now: Date
    ) -> WebhookEvent {
        let person = finding.device.flatMap { self[device: $0]?.person }.flatMap { self[person: $0] }
        let text = kind == .noticeCleared ? "No longer: \(finding.sentence)" : finding.sentence
        return WebhookEvent(
            kind: kind, person: person?.id, name: person?.name, instant: now,
            details: ["notice": .text(finding.id), "text": .text(text)])
    }
}
