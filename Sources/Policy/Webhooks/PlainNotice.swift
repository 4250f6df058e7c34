import Foundation

/// A message for people, with a title: how ntfy and its like take one.
package struct PlainNotice: Hashable, Sendable, Codable {
    /// ASCII, because it travels in a header.
    package let title: String
    /// Never empty.
    package let text: String

    package init(title: String, text: String) {
        self.title = title
        self.text = text
    }

    /// Of a letter's body; nil: it is none.
    package init?(letter body: String) {
        guard let notice = try? JSONDecoder().decode(PlainNotice.self, from: Data(body.utf8)) else {
            return nil
        }
        self = notice
    }
}

extension WebhookEvent {
    /// `Ada`, `Ada: TikTok`, `Ada: TikTok, 15 minutes`; of a notice its sentence.
    var plainText: String {
        if case .text(let sentence) = details["text"] { return sentence }
        var words: [String] = []
        if case .text(let limit) = details["limit"] { words.append(limit) }
        if case .number(let minutes) = details["minutes"] { words.append("\(minutes) minutes") }
        let who = name ?? "The whole home"
        return words.isEmpty ? who : "\(who): \(words.joined(separator: ", "))"
    }
}

extension WebhookEvent.Kind {
    /// As pages and plain notices say it.
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
        case .extraTimeAsked: "More time is asked for"
        case .noticeRaised: "Something needs a look"
        case .noticeCleared: "In order again"
        }
    }
}
