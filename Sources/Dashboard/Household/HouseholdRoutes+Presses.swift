import Foundation
import Hummingbird
import Policy
import Store

extension HouseholdRoutes {
    /// One transaction; the person's log says who pressed. "Bedtime now" that is pressed twice is one press, so that the
    /// second answer still offers Undo.
    func press(_ tap: OneTap, on person: PersonID, by presser: Presser) throws -> OneTapPress {
        try desk.command { household, log, now in
            if let first = presses.last(on: person), first.isRepeated(by: tap, of: presser.key, at: now),
                household[person: person]?.running(at: now)?.id == first.session
            {
                return first
            }
            let done = try household.press(
                tap, on: person, by: presser.key, unique: UUID(), usage: desk.feed.snapshot.usage, at: now)
            if let event = done.event {
                log.append(event, "Bedtime now, \(presser.words)")
            } else {
                log.note(tap, person, in: desk.wholeCatalog(household), at: now, presser.words)
            }
            // Within the transaction: a second press that came at the same time finds it.
            presses.keep([done.press])
            return done.press
        }
    }

    /// The same for everybody of a group who is awake. Pressed twice, it is one press too.
    func pressToBed(_ group: BedtimeGroup, by presser: Presser) throws -> [OneTapPress] {
        try desk.command { household, log, now in
            if household.people.filter(group.contains).allSatisfy({ $0.running(at: now) != nil }),
                let first = presses.latest(by: presser.key),
                first[0].isRepeated(by: .bedtime, of: presser.key, at: now)
            {
                return first
            }
            let done = try household.pressToBed(
                group, by: presser.key, unique: UUID(), session: UUID.init, at: now)
            for one in done { log.append(one.event, "\(group.words), \(presser.words)") }
            presses.keep(done.map(\.press))
            return done.map(\.press)
        }
    }

    /// Takes back what a press did, for one person or for all; says for whom. Refuses nil, and a press that is nobody's
    /// last any more.
    @discardableResult
    func takeBack(_ id: UUID?, for person: PersonID? = nil, by presser: Presser) throws -> [PersonID] {
        let known = id.map(presses.presses) ?? []
        let presses = known.filter { person == nil || $0.person == person }
        guard !presses.isEmpty else { throw Refusal.undoTooLate }
        let people = try desk.command { household, log, now in
            try household.takeBack(presses, by: presser.key, at: now).map { press, event in
                if let event {
                    log.append(event, "Bedtime now was taken back, \(presser.words)")
                } else {
                    log.note(
                        press.tap, press.person, in: desk.wholeCatalog(household), at: now, presser.words,
                        isTakenBack: true)
                }
                return press.person
            }
        }
        self.presses.forget(presses)
        return people
    }
}

extension [LogEntry] {
    /// What happened, and who pressed what.
    fileprivate mutating func append(_ event: SessionEvent, _ cause: String) {
        var entry = LogEntry(event)
        entry.detail += ". \(cause)"
        append(entry)
    }

    /// What was pressed, other than "Bedtime now".
    fileprivate mutating func note(
        _ tap: OneTap, _ person: PersonID, in catalog: Catalog, at now: Date, _ presser: String,
        isTakenBack: Bool = false
    ) {
        let end = isTakenBack ? " was taken back" : ""
        switch tap {
        case .bonus(let bonus):
            note(.bonusGiven, person, at: now, bonus.words(in: catalog) + (isTakenBack ? ", taken back" : ""))
        case .later: note(.ruleChanged, person, at: now, "Tonight: later\(end), \(presser)")
        case .skip: note(.ruleChanged, person, at: now, "Tonight: skip\(end), \(presser)")
        case .at(let time): note(.ruleChanged, person, at: now, "Tonight: \(time)\(end), \(presser)")
        case .wakeAt(let time): note(.ruleChanged, person, at: now, "Asleep until \(time)\(end), \(presser)")
        case .bedtime: break
        }
    }
}

extension Bonus {
    /// `15 more minutes of TikTok`, `15 more minutes of every limit`.
    func words(in catalog: Catalog) -> String {
        "\(minutes) more minutes of \(target.map { $0.name(in: catalog) } ?? "every limit")"
    }
}
