/// The steps of set-up behind the passcode, in their order. Each can be skipped.
package enum SetupStep: String, Codable, Sendable, CaseIterable {
    case people, device, bedtime
    /// "See it for two minutes."
    case look = "try"

    /// Nil behind the last one.
    package var next: SetupStep? { Self.allCases.first { $0.number == number + 1 } }

    /// The position, from 0.
    package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Household {
    /// Set-up goes on behind a step. Somebody who went back to an earlier step does not lose a later one.
    package mutating func finish(_ step: SetupStep) {
        guard let setupStep, setupStep.number <= step.number else { return }
        self.setupStep = step.next
        if step.next == nil { endSetup() }
    }

    /// "Finish later".
    package mutating func leaveSetup() { if setupStep != nil { setupWaits = true } }

    /// "Done": it does not come back.
    package mutating func endSetup() { (setupStep, setupWaits) = (nil, false) }

    /// The step to which a log-in without another aim leads.
    package var stepAfterLogin: SetupStep? { setupWaits ? nil : setupStep }
}
