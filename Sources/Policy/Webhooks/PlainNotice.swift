import Foundation

/// A message for people, with a title, as ntfy and similar services take it.
package struct PlainNotice: Hashable, Sendable, Codable {
    /// ASCII, because a header carries it.
    package let title: String
    /// Never empty.
    package let text: String
    /// ntfy's `Actions` header (`AnswerLinks`); nil if there is nothing to press.
    package let actions: String?

    package init(title: String, text: String, actions: String? = nil) {
        self.actions = actions
        self.title = title
        self.text = text
    }

    /// Reads a letter's body; nil if it is not a plain notice.
    package init?(letter body: String) {
        guard let notice = try? JSONDecoder().decode(PlainNotice.self, from: Data(body.utf8)) else {
            return nil
        }
        self = notice
    }
}

extension WebhookEvent {
    /// `Ada`, `Ada: TikTok`, `Ada: TikTok, 15 minutes`, `Ada: no bedtime tonight. “A party”`; for a notice, its sentence.
    var plainText: String {
        if case .text(let sentence) = details["text"] { return sentence }
        var words: [String] = []
        for key in ["limit", "device"] {
            if case .text(let what) = details[key] { words.append(what) }
        }
        if case .text(let form) = details["wish"] {
            words.append(wishWords(form))
        } else if case .number(let minutes) = details["minutes"] {
            words.append("\(minutes) minutes")
        }
        let who = name ?? "The whole home"
        let sentence = words.isEmpty ? who : "\(who): \(words.joined(separator: ", "))"
        guard case .text(let reason) = details["reason"] else { return sentence }
        return "\(sentence). “\(reason)”"
    }

    private func wishWords(_ form: String) -> String {
        switch (form, details["app"], details["minutes"]) {
        case (_, .text(let app), _): "\(app) open at night"
        case (_, _, .number(let minutes)): "bedtime \(minutes) minutes later tonight"
        default: "no bedtime tonight"
        }
    }
}

extension WebhookEvent.Kind {
    /// The words for pages and plain notices.
    package var words: String {
        switch self {
        case .focusStarted: "Focus starts"
        case .focusPaused: "Focus is paused"
        case .focusResumed: "Focus goes on"
        case .focusStopped: "Focus is stopped"
        case .focusCompleted: "Focus is completed"
        case .sleepStarted: "Sleep starts"
        case .sleepEnded: "Sleep ends"
        case .sleepCancelled: "Sleep is cancelled"
        case .sleepReset: "Emergency Reset"
        case .limitReached: "A limit is reached"
        case .extraTimeAsked: "A person asks for more time"
        case .wishAsked: "A person asks for an app or a later night"
        case .wishGranted: "A request is granted"
        case .wishDeclined: "A request is declined"
        case .leaveAsked: "A person asks to leave"
        case .leaveWithdrawn: "A person stays after all"
        case .deviceLeft: "A person left on a device"
        case .deviceRemoved: "A device is removed"
        case .noticeRaised: "Something needs attention"
        case .noticeCleared: "In order again"
        }
    }
}
