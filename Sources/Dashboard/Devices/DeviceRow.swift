import Foundation
import Pages
import Policy

extension DevicesPage {
    /// The form's value for an owner that nobody has chosen yet.
    static let unsaid = "unsaid"

    struct Row {
        let id: Int64
        let name: String
        let tile: Tile
        /// Nil if nobody said what it is.
        let kindName: String?
        let kinds: [Choice]
        /// Whether the kind in the form is a guess from the name.
        let isKindGuessed: Bool
        let people: [Choice]
        /// Set for a device of the family.
        let family: FamilyRow?
        /// The person's name, "The family", or "Enrolled" if there is one person only; nil if it belongs to none and is not
        /// blocked.
        let owner: String?
        let addresses: String
        let hardwareAddress: String?
        /// Whether other devices have its hardware address too, as behind a Wi-Fi repeater, and nobody has said whose
        /// it is.
        let isUnplaced: Bool
        /// The people to whom one tap can then give it.
        let placements: [Choice]
        /// The hardware address of another device that came with its IP address; the two may be different devices.
        let doubt: String?
        /// Whether it asks for its owner with one tap. That is a form of its own, so that Enter in a field of the other
        /// form does not answer.
        let isAsked: Bool
        /// The address at which it may ask over HTTPS.
        let queryAddress: String?
        let seen: String
        /// `Anna left on “Phone” on Friday at 21:40. …`
        let left: String?
        /// `This phone has not asked since 21:40. It may be …`
        let quiet: String?
        let hasAsked: Bool
        /// `3 names blocked in the last 10 minutes`; nil if there are none, or if the viewer may not know.
        let refused: String?
        let isThisDevice: Bool
        let isMine: Bool
        /// Whether the network named it.
        let isNamedByNetwork: Bool
        /// The network's name for it, if a person gave it another.
        let networkName: String?
        /// For a tablet: whether its system is told at night that the network is closed.
        let mobileData: [Choice]
        let isTablet: Bool
        let isRouter: Bool
        /// Whether it was seen to trust the household's certificate authority.
        let isTrusting: Bool
        let needsConfirmation: Bool
        /// The device that was merged into it, if that can be undone.
        let merge: Merged?
        let error: String?
    }

    struct Merged {
        let other: String
        /// `today at 21:40`
        let when: String

        init(_ merge: Merge, _ clock: ClockFace, _ now: Date) {
            other = merge.newcomer.name
            when = clock.past(merge.at, from: now)
        }
    }
}

extension DevicesPage.Row {
    init(
        _ device: Device, household: Household, thisDevice: DeviceID?, person: PersonID, isRouter: Bool,
        blocked: Int?, now: Date, error: String?, queryAddress: String?, authority: String?,
        merge: Merge? = nil, doubt: String? = nil
    ) {
        id = device.id.rawValue
        name = device.name
        tile = Tile(device)
        kindName = device.kind == .other ? nil : device.kind.title
        let guessed = device.guessedKind
        kinds = Device.Kind.allCases.map {
            Choice($0.rawValue, $0.title, isSelected: $0 == guessed ?? device.kind)
        }
        isKindGuessed = guessed != nil
        let isAlone = household.people.count == 1
        // Saving another field says nothing about whose it is.
        let unsaid = Choice(DevicesPage.unsaid, "Not said yet", isSelected: true)
        people =
            (device.isUnplaced ? [unsaid] : [])
            + [Choice("", "Not blocked", isSelected: !device.isSomebodys && device.isConfirmed)]
            + household.members.map {
                Choice(
                    String($0.id.rawValue), isAlone ? "Enrolled" : $0.name, isSelected: $0.id == device.person
                )
            }
            + (isAlone && device.family == nil
                ? [] : [Choice("family", "The family’s", isSelected: device.family != nil)])
        family = device.family.map { DevicesPage.FamilyRow($0, in: household) }
        owner =
            family != nil
            ? "The family" : device.person.flatMap { isAlone ? "Enrolled" : household[person: $0]?.name }
        addresses = device.addresses.joined(separator: ", ")
        hardwareAddress = device.hardwareAddress
        isUnplaced = device.isUnplaced
        placements =
            device.isUnplaced
            ? household.members.map { Choice(String($0.id.rawValue), $0.name, isSelected: false) }
                + [
                    Choice("family", "The family’s", isSelected: false),
                    Choice("nobody", "Nobody’s: not blocked", isSelected: false),
                ] : []
        self.doubt = doubt.flatMap { device.has(hardware: $0) ? nil : $0 }
        isAsked = isUnplaced || self.doubt != nil
        self.queryAddress = queryAddress
        // False for a device that was enrolled in its browser before it asked any question.
        hasAsked = device.lastSeen.timeIntervalSince1970 > 0
        seen =
            !hasAsked
            ? "Has not asked here yet" : Self.ago(ClockFace.seconds(from: device.lastSeen, to: now))
        let clock = ClockFace(zone: household.foundationZone)
        left = LeftWords.sentence(device, in: household, clock, now)
        self.merge = merge.map { DevicesPage.Merged($0, clock, now) }
        quiet = household.quietSentence(
            on: device, calling: "This \(device.kind.noun)", at: now, clock: ClockFace.style)
        refused = blocked.flatMap {
            $0 > 0 ? "\($0) name\($0 == 1 ? "" : "s") blocked in the last 10 minutes" : nil
        }
        isThisDevice = device.id == thisDevice
        isMine = device.person == person
        isNamedByNetwork = !device.isNamed && device.networkName == device.name
        networkName = device.isNamed && device.networkName != device.name ? device.networkName : nil
        mobileData =
            device.kind == .tablet
            ? [
                Choice("off", "It has, or may have", isSelected: !device.hasNoMobileData),
                Choice("on", "This tablet has none", isSelected: device.hasNoMobileData),
            ] : []
        isTablet = device.kind == .tablet
        self.isRouter = isRouter
        isTrusting = device.trustsShield(of: authority)
        needsConfirmation = isRouter && !device.isSomebodys
        self.error = error
    }

    /// `Seen just now`, `Seen 7 minutes ago`, `Seen 3 days ago`.
    static func ago(_ seconds: Int) -> String {
        func times(_ number: Int, _ unit: String) -> String {
            "Seen \(number) \(unit)\(number == 1 ? "" : "s") ago"
        }
        switch seconds {
        // While a device asks, it is written every five minutes.
        case ..<360: return "Seen just now"
        case ..<7200: return times(seconds / 60, "minute")
        case ..<172_800: return times(seconds / 3600, "hour")
        default: return times(seconds / 86_400, "day")
        }
    }
}

extension Device.Kind {
    /// Within a sentence.
    fileprivate var noun: String {
        switch self {
        case .phone, .tablet, .computer, .television, .speaker: title.lowercased()
        case .console: "game console"
        case .medical, .safety, .other: "device"
        }
    }

    /// As pages show it.
    var title: String {
        switch self {
        case .phone: "Phone"
        case .tablet: "Tablet"
        case .computer: "Computer"
        case .television: "Television"
        case .console: "Game console"
        case .speaker: "Speaker"
        case .medical: "Medical"
        case .safety: "Safety"
        case .other: "Other"
        }
    }
}
