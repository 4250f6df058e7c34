package import Foundation
import Pages
package import Policy

/// The focus timer on one screen: presets, ring, controls, what it shields, automation.
///
/// POST `/focus/length` `minutes`, `save=true|false` (asked for if a session is paused) · `/focus/start` `minutes`
/// (optional) · `/focus/pause` · `/focus/resume` · `/focus/stop` `save=true|false` · `/focus/shield` `isOn` ·
/// `/focus/shortcuts` `dnd,grayscale`. The asking device's own person needs no login for the timer itself.
package struct FocusPage: Page {
    package static let template = "focus"

    struct PresetButton {
        let minutes: Int
        /// `25m`.
        let label: String
        /// `Set preset to 25 minutes`.
        let hint: String
        let isChosen: Bool
    }

    /// A session that has just ended.
    struct Ended {
        let id: String
        /// `25m focused.`
        let text: String
        /// `Ended at 14:35.`
        let end: String
    }

    /// Refused input, by field name.
    package struct Refused: Sendable {
        package var typed: [String: String]
        package var errors: [String: String]

        package init(typed: [String: String], errors: [String: String]) {
            self.typed = typed
            self.errors = errors
        }
    }

    /// Asked if a new length would end a paused session.
    struct NewLength {
        /// The new length.
        let minutes: Int
        /// `25m`.
        let label: String
        /// `20m`: the time that was run.
        let done: String
    }

    package let title = "Focus"
    let dial: FocusDial
    package let isIdle: Bool
    package let isRunning: Bool
    package let isPaused: Bool
    let presets: [PresetButton]
    /// The value of the field for any length.
    let minutes: String
    let minutesError: String?
    /// Whether the field for any length is open: no preset has this length, or it was refused.
    let isOwnLength: Bool
    let question: NewLength?
    let ended: Ended?
    let shields: Bool
    /// What the shield would block, or what is missing.
    let shieldText: String
    let hasRestricted: Bool
    let automation: FocusAutomation
    /// `50m in 2 sessions`; `Nothing yet`.
    let today: String

    /// How long the page says that a session has ended, in seconds.
    static let bannerPatience: TimeInterval = 600

    /// `latest` is the newest session of the history, `today` is today's total, and `preset` is a length that was
    /// chosen while a session is paused.
    package init(
        _ person: Person, latest: FocusSession? = nil, today: FocusTotal? = nil, now: Date, zone: TimeZone,
        refused: Refused? = nil, asking preset: Preset? = nil
    ) {
        let clock = ClockFace(zone: zone)
        let timer = person.focus.timer
        dial = FocusDial(timer, at: now, clock: clock)
        isIdle = timer.session == nil
        isRunning = timer.isRunning
        isPaused = timer.isPaused
        let length = timer.totalSeconds / 60
        let isPreset = Preset.all.contains { $0.seconds == timer.totalSeconds }
        presets = Preset.all.map {
            PresetButton(
                minutes: $0.minutes, label: $0.label, hint: $0.hint,
                isChosen: $0.seconds == timer.totalSeconds)
        }
        minutesError = refused?.errors["minutes"]
        minutes = refused?.typed["minutes"] ?? (isPreset ? "" : String(length))
        isOwnLength = minutesError != nil || !isPreset
        question = preset.flatMap { preset in
            timer.unfinished(at: now).map {
                NewLength(
                    minutes: preset.minutes, label: preset.label, done: $0.durationSeconds.focusText)
            }
        }
        ended = timer.isRunning ? nil : Self.ended(latest, now: now, clock: clock)
        shields = person.focus.shieldsWhileFocusing
        let restricted = person.antiRot.allRestricted
        hasRestricted = !restricted.isEmpty
        shieldText = Self.shieldText(restricted)
        automation = FocusAutomation(person.focus.shortcuts, refused: refused)
        self.today = Self.words(today)
    }

    private static func ended(_ latest: FocusSession?, now: Date, clock: ClockFace) -> Ended? {
        guard let latest, latest.completed, (0...bannerPatience).contains(now.timeIntervalSince(latest.end))
        else { return nil }
        let length = latest.presetLabel ?? (latest.durationSeconds / 60).minutesText
        return Ended(
            id: latest.id.uuidString, text: "\(length) focused.", end: "Ended at \(clock.time(latest.end)).")
    }

    private static func shieldText(_ restricted: AppSelection) -> String {
        guard !restricted.isEmpty else {
            return "Choose apps under Anti-Rot first: nothing would be shielded."
        }
        let count = restricted.apps.count + restricted.categories.count + restricted.domains.count
        guard restricted.categories.isEmpty else { return "While the timer runs, Anti-Rot's apps stay shut." }
        return "While the timer runs, \(count == 1 ? "the app" : "the \(count) apps") of Anti-Rot stay shut."
    }

    /// `50m in 2 sessions`.
    static func words(_ total: FocusTotal?) -> String {
        guard let total, total.sessions > 0 else { return "Nothing yet" }
        let sessions = total.sessions == 1 ? "1 session" : "\(total.sessions) sessions"
        return "\(total.seconds.focusText) in \(sessions)"
    }
}

extension Int {
    /// Seconds of focus as people say them: `25m`, `1h 30m`, `45s`, `0m`.
    var focusText: String { (1..<60).contains(self) ? "\(self)s" : (self / 60).minutesText }
}
