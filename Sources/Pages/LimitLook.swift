import Policy

/// What the buttons of a limit's shield send along: seals that are valid for one device and one Host.
package struct ShieldForms: Sendable {
    package let app: String
    /// In seconds since 1970.
    package let expires: Int
    /// The page's own path, to which the buttons lead back.
    package let path: String
    package let unlock: String
    package let done: String
    package let ask: String

    package init(app: String, expires: Int, path: String, unlock: String, done: String, ask: String) {
        self.app = app
        self.expires = expires
        self.path = path
        self.unlock = unlock
        self.done = done
        self.ask = ask
    }
}

/// The limits layer's page: the easy way out first, one more minute second.
package struct LimitLook: Sendable {
    package struct Suggestion: Sendable {
        package let title: String
        /// `About 5 minutes`; nil if the task has no length.
        package let length: String?
    }

    /// `TikTok`, or `Social`.
    package let target: String
    /// `30 of 30 minutes today`; nil if unknown.
    package let use: String?
    /// `00:00`.
    package let backAt: String?
    package let suggestion: Suggestion?
    package let offersUnlock: Bool
    /// `2 left today.`, or why there is no unlock.
    package let unlockNote: String?
    package let offersAsk: Bool
    /// The answer to the request for more time.
    package let askNote: String?
    /// Why, for the question.
    package let reason: ReasonField
    /// What the page shows as soon as the open question has an answer.
    package let answers: Answers?
    package let forms: ShieldForms?

    /// Both answers, written beforehand: the script shows the right one without loading the page again.
    package struct Answers: Sendable {
        /// `15 more minutes of TikTok, until 00:00.`
        package let granted: String
        package let declined = "Not tonight."
    }

    init(
        _ limit: LimitShield?, name: String, until: String?, clock: ClockFace, suggestion: SuggestedTask?,
        forms: ShieldForms?, reason: ReasonField
    ) {
        self.reason = reason
        target = limit?.targetName ?? name
        use = limit.map {
            "\($0.used) of \($0.allowed) \($0.allowed == 1 ? "minute" : "minutes") \($0.isWeekly ? "this week" : "today")"
        }
        backAt = until
        self.suggestion = suggestion.map { task in
            Suggestion(
                title: task.title,
                length: task.minutes.map { "About \($0) \($0 == 1 ? "minute" : "minutes")" })
        }
        self.forms = forms
        switch limit?.unlock {
        case .offered(let left):
            offersUnlock = true
            unlockNote = left.map { "\($0) left today." }
        case .usedUp(let count):
            offersUnlock = false
            unlockNote =
                switch count {
                case 0: nil
                case 1: "Today's unlock is used up."
                default: "Today's \(count) unlocks are used up."
                }
        case .notOffered, nil:
            offersUnlock = false
            unlockNote = nil
        }
        let asked = limit?.request.map { "Asked at \(clock.time($0.askedAt))." } ?? ""
        switch limit?.request?.answer {
        case .open: askNote = "\(asked) Waiting for an answer."
        case .declined: askNote = "\(asked) Not tonight."
        case .granted, nil: askNote = nil
        }
        answers = limit.flatMap { limit in
            guard limit.request?.answer == .open else { return nil }
            let end = limit.isWeekly ? "." : ", until \(clock.time(limit.resetsAt))."
            return Answers(granted: "\(TimeRequest.minutes) more minutes of \(limit.targetName)\(end)")
        }
        offersAsk = limit?.canAsk == true && askNote == nil
    }
}
