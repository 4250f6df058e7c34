import Foundation
import Pages
import Policy

extension DevicesPage {
    /// Whose times hold on a device of the family, and whose minutes count.
    struct FamilyRow {
        /// `It is blocked while any child sleeps, and outside any child’s allowed windows.`
        let words: String
        let times: [Choice]
        let minutes: [Choice]
        /// The person who stands for its own times; their schedule is set like anybody’s.
        let ownTimes: Int64?

        init(_ use: FamilyUse, in household: Household) {
            words = household.words(for: use)
            times = FamilyChoice.times(for: use, in: household)
            minutes =
                [Choice("", "Nobody", isSelected: use.minutesOf == nil)]
                + household.people.map {
                    Choice(String($0.id.rawValue), $0.name, isSelected: $0.id == use.minutesOf)
                }
            let followed = use.followed.flatMap { household[person: $0] }
            ownTimes = followed.flatMap { $0.role == .shared ? $0.id.rawValue : nil }
        }
    }
}

extension FamilyUse {
    /// The one person whose times hold.
    fileprivate var followed: PersonID? { if case .person(let person) = times { person } else { nil } }
}

extension Household {
    /// Whose times hold, and whose minutes count.
    fileprivate func words(for use: FamilyUse) -> String {
        guard use.times != .never else { return times(of: use) }
        let whose = use.minutesOf.flatMap { self[person: $0]?.name }
        let minutes =
            whose.map { "Its minutes count for \($0), and \($0)’s limits hold on it." }
            ?? "Its minutes count for nobody."
        let gone = use.isFallback ? "Whom it followed is gone, so it follows every child. " : ""
        let isChildless = [.anyChild, .allChildren].contains(use.times) && !hasChild
        return "\(gone)\(times(of: use))\(isChildless ? " Choose others here." : "") \(minutes)"
    }

    /// `It follows Mia’s times.`: whose nights and windows hold on a device of the family.
    func times(of use: FamilyUse) -> String {
        switch use.times {
        case .never: "Nothing blocks it."
        case .anyChild where hasChild:
            "It is blocked while any child sleeps, and outside any child’s allowed windows."
        case .allChildren where hasChild: "It is blocked while all children sleep.\(sleepless)"
        case .anyChild: "There is no child here, so everybody’s nights and windows hold."
        case .allChildren:
            "There is no child here, so it is blocked while everybody sleeps."
        case .person(let id):
            self[person: id].map {
                guard $0.role == .shared else { return "It follows \($0.name)’s times." }
                let hasTimes = $0.schedule?.isEnabled == true || $0.antiRot.isConfigured
                return "It has the times of “\($0.name)”." + (hasTimes ? "" : " None are set yet.")
            } ?? ""
        }
    }

    /// ` Ben has no bedtime, so no night blocks it.`: all children never sleep at once by themselves then.
    private var sleepless: String {
        people.first { $0.role == .child && $0.schedule?.isEnabled != true }
            .map { " \($0.name) has no bedtime, so no night blocks it." } ?? ""
    }

    /// What a device of the family does before somebody chose: it rests with the children, where there are any.
    var familyDefault: FamilyUse {
        FamilyUse(hasChild ? .anyChild : .never)
    }
}

/// What a form or a program says of a device of the family.
struct FamilyChoice {
    enum Times {
        case own
        case of(FamilyUse.Times)
    }

    /// Nil: as before, or as a device of the family begins.
    var times: Times?
    /// Nil: as before; a nil in it: nobody's.
    var minutesOf: PersonID??

    /// From a form's `times` and `minutesOf`.
    init(_ reading: inout FormReading) {
        if let word = reading.optional("times") {
            times = Self.times(word)
            if times == nil { reading.refuse("times", "Choose whose times hold.") }
        }
        if let text = reading.optional("minutesOf") {
            let number = FormReading.wholeNumber(text)
            if number == nil, !text.isEmpty { reading.refuse("minutesOf", "Choose whose minutes count.") }
            minutesOf = .some(number.map { PersonID(rawValue: Int64($0)) })
        }
    }

    var isOwn: Bool { if case .own = times { true } else { false } }

    init(times: Times?, minutesOf: PersonID??) { (self.times, self.minutesOf) = (times, minutesOf) }

    private static func times(_ word: String) -> Times? {
        switch word {
        case "own": .own
        case "never": .of(.never)
        case "anyChild": .of(.anyChild)
        case "allChildren": .of(.allChildren)
        default: FormReading.wholeNumber(word).map { .of(.person(PersonID(rawValue: Int64($0)))) }
        }
    }

    fileprivate static func times(for use: FamilyUse, in household: Household) -> [Choice] {
        let all = [
            Choice("anyChild", "Every child’s: blocked while any is", isSelected: use.times == .anyChild),
            Choice(
                "allChildren", "Blocked while all children sleep", isSelected: use.times == .allChildren),
        ]
        let people = household.people.map { person in
            Choice(
                String(person.id.rawValue), "\(person.name)’s", isSelected: use.times == .person(person.id))
        }
        let own = use.followed.map { household[person: $0]?.role == .shared } ?? false
        return all + people + (own ? [] : [Choice("own", "Times of its own", isSelected: false)])
            + [Choice("never", "Never blocked", isSelected: use.times == .never)]
    }
}

extension DeviceRoutes {
    /// Gives a device to the family.
    ///
    /// - Parameter person: an id that nobody ever had; only times of its own need one (`FamilyChoice.isOwn`).
    func share(
        _ id: DeviceID, _ choice: FamilyChoice, newPerson person: PersonID?, in household: inout Household,
        at now: Date
    ) throws(Refusal) {
        var use = household[device: id]?.family ?? household.familyDefault
        let hasOwn = use.followed.map { household[person: $0]?.role == .shared } ?? false
        if let minutes = choice.minutesOf { use.minutesOf = minutes }
        switch choice.times {
        case .own where !hasOwn:
            guard let person else { throw .unknownPerson }
            try household.shareWithOwnTimes(
                id, of: person, minutesOf: use.minutesOf, catalog: desk.catalog, at: now)
        case .of(let times):
            try household.share(id, as: FamilyUse(times, minutesOf: use.minutesOf), at: now)
        case .own, nil:
            try household.share(id, as: FamilyUse(use.times, minutesOf: use.minutesOf), at: now)
        }
    }
}
