package import Foundation

/// What a person asks an adult with the passcode for, other than more minutes of a limit (`TimeRequest`).
package struct Wish: Hashable, Codable, Sendable, Identifiable {
    package enum What: Hashable, Codable, Sendable {
        /// An app that stays open in sessions that start from then on.
        case app(String)
        /// A night's bedtime 30 minutes later.
        case later(CivilDate)
        /// No bedtime in one night.
        case skip(CivilDate)
    }

    /// How long a question about an app stays open, and how long its answer is told, in seconds.
    package static let lifetime: TimeInterval = 86_400
    /// How many wishes one person can have at a time, answered ones included.
    package static let most = 6

    package let id: UUID
    package var what: What
    /// Why, in the asking person's own words; one line of at most `CleanName.maximumReason` characters.
    @Defaulted package var reason: String?
    /// The device on which it was asked.
    package var device: DeviceID?
    package var askedAt: Date
    package var answer: TimeRequest.Answer
    package var answeredAt: Date?

    package init(
        id: UUID, what: What, reason: String? = nil, device: DeviceID?, askedAt: Date,
        answer: TimeRequest.Answer = .open, answeredAt: Date? = nil
    ) {
        self.id = id
        self.what = what
        self.reason = reason
        self.device = device
        self.askedAt = askedAt
        self.answer = answer
        self.answeredAt = answeredAt
    }
}

extension Wish.What {
    /// The night that it concerns.
    package var night: CivilDate? {
        switch self {
        case .app: nil
        case .later(let night), .skip(let night): night
        }
    }

    /// Whether the two exclude each other: a person has one open question about tonight and one about apps.
    fileprivate func isOfKind(of other: Self) -> Bool { (night == nil) == (other.night == nil) }
}

/// What can be asked for, before its night is known.
package enum WishForm: Hashable, Sendable {
    case app(String)
    case later, skip
}

extension Household {
    /// "Can I have …?" Returns an open question of the same kind again; a declined one cannot be asked twice.
    @discardableResult
    package mutating func ask(
        _ id: PersonID, for form: WishForm, reason: String? = nil, device: DeviceID?, wish: UUID,
        catalog: Catalog, at now: Date
    ) throws(Refusal) -> Wish {
        let index = try index(of: id)
        let reason = try CleanName.checkedReason(reason)
        let what = try what(form, of: people[index], catalog: catalog, at: now)
        let wishes = people[index].wishes(at: now)
        if let open = wishes.first(where: { $0.answer == .open && $0.what.isOfKind(of: what) }) {
            guard open.what == what else { throw .wishOpen }
            return open
        }
        guard !wishes.contains(where: { $0.answer == .declined && $0.what == what }) else {
            throw .requestAnswered
        }
        guard wishes.count < Wish.most else { throw .tooManyWishes }
        let asked = Wish(id: wish, what: what, reason: reason, device: device, askedAt: now)
        people[index].wishes.append(asked)
        return asked
    }

    private func what(
        _ form: WishForm, of person: Person, catalog: Catalog, at now: Date
    ) throws(Refusal) -> Wish.What {
        switch form {
        case .app(let app):
            let all = catalog.adding(ownApps)
            guard let known = all.app(id: app) else { throw .unknownIDs([app]) }
            let isAllowed =
                person.allowed.apps.contains(app) || person.allowed.categories.contains(known.category)
            guard !isAllowed else { throw .appAllowed }
            return .app(app)
        case .later, .skip:
            guard let night = try person.nightToChange(at: now, in: zone),
                zone.isTonight(night.start, from: now)
            else { throw .noNightTonight }
            let change = person.tonight.flatMap { $0.night == night.date ? $0 : nil }
            guard change?.kind != .skip else { throw .noNightTonight }
            guard form == .later else { return .skip(night.date) }
            guard change.canBeLater else { throw .laterUsedUp }
            return .later(night.date)
        }
    }

    /// Answers a wish once. A grant runs the same command as the owner's own button, with its refusals.
    package mutating func answerWish(
        _ id: PersonID, wish: UUID, grant: Bool, catalog: Catalog, at now: Date
    ) throws(Refusal) {
        let index = try index(of: id)
        guard people[index].wishes(at: now).contains(where: { $0.id == wish }),
            let place = people[index].wishes.firstIndex(where: { $0.id == wish })
        else { throw .unknownRequest }
        let asked = people[index].wishes[place]
        guard asked.answer == .open else { throw .requestAnswered }
        if grant {
            switch asked.what {
            case .app(let app): try allowFromNextSession(id, app: app, catalog: catalog)
            case .later: try changeTonight(id, .later, at: now)
            case .skip: try changeTonight(id, .skip, at: now)
            }
        }
        people[index].wishes[place].answer = grant ? .granted : .declined
        people[index].wishes[place].answeredAt = now
    }
}

extension Person {
    /// Removes questions about nights that nobody can answer any more, and answers that were told.
    mutating func settleWishes(at now: Date, in zone: CivilZone) {
        guard !wishes.isEmpty else { return }
        let nights = nights(in: zone)
        wishes.removeAll { wish in
            guard let date = wish.what.night else { return false }
            guard let night = nights?.planned(on: date), now < night.end else { return true }
            let begins = nights?.night(on: date)?.start ?? night.start
            return wish.answer == .open && (begins <= now || nights?.isDone(date) == true)
        }
    }

    /// When the next open question about a night ends: at its bedtime.
    func wishesChange(after now: Date, in zone: CivilZone) -> Date? {
        let nights = nights(in: zone)
        return wishes.filter { $0.answer == .open }
            .compactMap { $0.what.night.map { nights?.night(on: $0)?.start } ?? $0.askedAt + Wish.lifetime }
            .filter { $0 > now }.min()
    }
}
