import Foundation

@testable import Policy

/// The id of the n-th session of a test.
func sessionID(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8 & 255), UInt8(number & 255)))
}

/// What a restart leaves of a timer: the stored state.
func restarted(_ timer: FocusTimer) -> FocusTimer {
    try! JSONDecoder().decode(FocusTimer.self, from: JSONEncoder().encode(timer))
}

extension FocusTimer.Outcome {
    var finished: [FocusSession] {
        effects.compactMap { if case .finished(let session) = $0 { session } else { nil } }
    }

    var haptics: [FocusTimer.Haptic] {
        effects.compactMap { if case .haptic(let haptic) = $0 { haptic } else { nil } }
    }
}

extension FocusTimer.Move {
    /// Every possible move, with two lengths.
    static func all(session: UUID) -> [Self] {
        [
            .setLength(Preset(minutes: 1)!), .setLength(Preset(minutes: 2)!), .start(session: session),
            .pause,
            .resume, .stop(save: true), .stop(save: false), .tick,
        ]
    }
}

extension House {
    var focus: Focus { household.people[0].focus }
    var timer: FocusTimer { focus.timer }
    var remaining: Int { timer.remaining(at: now) }

    mutating func startFocus(_ minutes: Int? = nil, session: UUID = UUID()) throws {
        try change { try $0.startFocus(me, minutes: minutes, session: session, at: $1) }
    }

    mutating func move(_ move: FocusTimer.Move) throws {
        try change { try $0.moveFocus(me, move, at: $1) }
    }
}
