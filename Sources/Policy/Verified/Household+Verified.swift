package import Foundation

extension Household {
    /// "Save selection locally": apps, categories and domains, stored apart from other choices.
    package mutating func saveProductive(
        _ id: PersonID, _ selection: AppSelection, catalog: Catalog
    ) throws(Refusal) {
        let index = try index(of: id)
        people[index].verified.productive = try catalog.adding(ownApps).checked(selection)
    }

    /// Sets the zone whose days count; nil: the household's, even when that changes.
    package mutating func setVerifiedTimeZone(_ id: PersonID, to zone: String?) throws(Refusal) {
        let index = try index(of: id)
        if let zone, CivilZone(zone) == nil { throw .unknownZone }
        people[index].verified.timeZone = zone
    }

    /// Sets where uploads go; nil: to this server.
    package mutating func setVerifiedServer(_ id: PersonID, to server: VerifiedServer?) throws(Refusal) {
        people[try index(of: id)].verified.server = server
    }

    /// Requests yesterday's minutes, by today's date in the current zone. The enforcement loop
    /// answers.
    @discardableResult
    package mutating func stageComputation(
        _ id: PersonID, at now: Date
    ) throws(Refusal) -> ScreenTimeComputationRequest {
        let index = try index(of: id)
        guard people[index].verified.productive?.isEmpty == false else { throw .nothingProductive }
        let zone = people[index].verified.zone(in: self)
        let request = ScreenTimeComputationRequest(date: zone.yesterday(at: now), timezone: zone.identifier)
        people[index].verified.request = request
        people[index].verified.stagedAt = now
        return request
    }

    /// Whether a request waits, or a result must be computed again.
    package var awaitsVerifiedMinutes: Bool {
        people.contains { $0.verified.stagedAt != nil || isOutdated($0) }
    }

    private func isOutdated(_ person: Person) -> Bool {
        person.verified.isOutdated(in: person.verified.zone(in: self))
    }

    /// A computation's first step. Before it, results for another zone's day are requested again.
    package mutating func beginComputation(at now: Date) {
        for person in people where person.verified.stagedAt == nil && isOutdated(person) {
            _ = try? stageComputation(person.id, at: now)
        }
        for index in people.indices where people[index].verified.stagedAt != nil {
            people[index].verified.invokedAt = now
        }
    }

    /// Answers every waiting request.
    package mutating func compute(from ledger: UsageLedger, catalog: Catalog, at now: Date) {
        for index in people.indices where people[index].verified.stagedAt != nil {
            let person = people[index]
            people[index].verified.stagedAt = nil
            people[index].verified.completedAt = now
            guard let request = person.verified.request,
                let minutes = ledger.verifiedMinutes(
                    of: person.id, person.verified.productive ?? AppSelection(), request, in: catalog)
            else { continue }
            people[index].verified.snapshot = ScreenTimeSnapshot(
                date: request.date, timezone: request.timezone,
                verifiedMinutes: min(minutes, VerifiedMinutes.range.upperBound), computedAt: now)
        }
    }

    /// What "Upload yesterday" sends: only a result for the day that is yesterday now in the current zone. A page can
    /// stay open over midnight and over a change of zone.
    package func verifiedUpload(of id: PersonID, at now: Date) throws(Refusal) -> VerifiedUpload {
        let verified = people[try index(of: id)].verified
        guard let snapshot = verified.snapshot else { throw .nothingComputed }
        let zone = verified.zone(in: self)
        let yesterday = zone.yesterday(at: now)
        guard snapshot.date == yesterday else { throw .computedForAnotherDay(snapshot.date, yesterday) }
        guard let minutes = verified.minutes(at: now, in: zone) else { throw .nothingComputed }
        return VerifiedUpload(minutes, verified.productive ?? AppSelection())
    }

    /// What "Sync selection + timezone to backend" sends: what is saved, not what is ticked.
    package func verifiedConnection(of id: PersonID) throws(Refusal) -> VerifiedConnection {
        let verified = people[try index(of: id)].verified
        guard let productive = verified.productive, !productive.isEmpty else { throw .nothingProductive }
        return try VerifiedConnection(
            enabled: true, timezone: verified.zone(in: self).identifier, selection: WireSelection(productive))
    }

    package mutating func noteUpload(_ id: PersonID, _ result: UploadResult) throws(Refusal) {
        people[try index(of: id)].verified.upload = result
    }

    package mutating func noteSync(_ id: PersonID, _ result: SyncResult) throws(Refusal) {
        people[try index(of: id)].verified.sync = result
    }
}
