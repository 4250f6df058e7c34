import Policy

/// The line of progress over set-up, for the partial `setup-progress`: where it is, and the ways back and on.
struct SetupProgress: Sendable {
    struct Step {
        let name: String
        /// Nil for the passcode, which is set once, and for the step that is open.
        let path: String?
        let isNow: Bool
        let isDone: Bool
    }

    let steps: [Step]
    /// `2` of the five.
    let number: Int
    /// What POST `/setup/next` finishes; nil at the passcode.
    let step: String?
    /// The page of the step before; nil at the first two.
    let back: String?

    /// - Parameter now: nil at the passcode.
    init(at now: SetupStep?) {
        let position = now.map { $0.number + 1 } ?? 0
        let passcode = Step(name: "Passcode", path: nil, isNow: position == 0, isDone: position > 0)
        steps =
            [passcode]
            + SetupStep.allCases.map { step in
                Step(
                    name: step.title, path: now == nil || step == now ? nil : step.path, isNow: step == now,
                    isDone: step.number + 1 < position)
            }
        number = position + 1
        step = now?.rawValue
        back = now.flatMap { now in SetupStep.allCases.first { $0.number == now.number - 1 }?.path }
    }
}

extension SetupStep {
    var path: String { "/setup/\(rawValue)" }

    fileprivate var title: String {
        switch self {
        case .people: "People"
        case .device: "Phone"
        case .bedtime: "Bedtime"
        case .look: "Try it"
        }
    }
}
