import Foundation
import Pages
import Policy
import Store

/// One line of the log: what happened, when, and by whom.
struct ChangeRow: Sendable {
    /// `Nightly schedule`, `Left on iPhone`.
    let what: String
    /// `yesterday at 21:40, by Ada, on iPad`
    let when: String

    /// The log's entries about rules, devices and answers; free use of Help and unlocks is on the Usage page.
    static let kinds: Set<LogEntry.Kind> = [
        .ruleChanged, .deviceEnrolled, .deviceReleased, .deviceLeft, .wishAsked, .wishGranted, .wishDeclined,
        .timeAsked, .timeGranted, .timeDeclined, .bonusGiven, .sessionStarted, .sessionCancelled,
        .sessionReset, .wayOutSeen,
    ]
    /// The most rows that are shown.
    static let most = 30

    init(_ entry: LogEntry, in household: Household, _ clock: ClockFace, _ now: Date) {
        let device = entry.device.flatMap { household[device: $0]?.name }
        what = Self.what(entry, on: device)
        when = clock.past(entry.instant, from: now) + entry.byWords
    }

    private static func what(_ entry: LogEntry, on device: String?) -> String {
        let place = device ?? "a device"
        return switch entry.kind {
        case .ruleChanged: entry.subject?.title ?? "A setting"
        case .deviceEnrolled: "Enrolled: \(place)"
        case .deviceReleased: "No longer blocked: \(place)"
        case .deviceLeft: "Left on \(place)"
        case .wayOutSeen: SeenWayOut.Kind(rawValue: entry.detail)?.words(on: place) ?? entry.detail
        case .wishAsked, .timeAsked: "Asked: \(entry.asked)"
        case .wishGranted, .timeGranted: "Granted: \(entry.asked)"
        case .bonusGiven: "Given: \(entry.detail)"
        case .wishDeclined, .timeDeclined: "Declined: \(entry.asked)"
        case .sessionStarted: "A sleep session started"
        case .sessionCancelled: "A sleep session was cancelled"
        case .sessionReset: "Emergency Reset"
        default: entry.detail
        }
    }
}

extension LogEntry {
    /// `, by Ada, on iPad`; `, after its wait`; empty if it fell due, or if nobody knows who did it.
    var byWords: String {
        if let hand { return ", \(hand.words)" }
        return kind == .ruleChanged && detail.hasPrefix("After waiting") ? ", after its wait" : ""
    }

    fileprivate var asked: String {
        switch kind {
        case .timeAsked, .timeGranted, .timeDeclined: "\(TimeRequest.minutes) more minutes of \(detail)"
        default: detail
        }
    }
}

extension RuleSubject {
    /// As pages show it.
    var title: String {
        switch self {
        case .schedule: "Nightly schedule"
        case .tonight: "Tonight"
        case .allowedApps: "What stays open at night"
        case .restrictedApps: "Anti-Rot's apps"
        case .windows: "Anti-Rot's windows"
        case .limits: "Limits"
        case .limitSettings: "Unlocks, or the start of a limit's day"
        case .looseningDelay: "Delay before rules get easier"
        case .dateExceptions: "Exceptions on some dates"
        case .relayed: "Which apps are relayed"
        case .waysOut: "Whether VPNs and encrypted DNS are open"
        case .focusShield: "Whether focus blocks"
        case .defaultMode: "Default mode"
        case .role: "Adult or child"
        case .name: "Name"
        case .timeZone: "Time zone"
        case .offersHelp: "Whether Help is offered"
        case .newDevices: "Who gets new devices"
        case .alwaysReachable: "What is always open"
        case .ownApps: "Apps that this home added"
        case .privateAnswers: "Which names may lead into this home"
        }
    }
}
