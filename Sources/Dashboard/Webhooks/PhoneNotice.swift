import Policy

/// What a phone can be told of: each stands for some events of webhooks.
enum PhoneNotice: String, CaseIterable {
    case requests, attention, leaving, nights

    /// What is ticked at first.
    static let suggestion: Set<PhoneNotice> = [.requests, .attention]

    var events: Set<WebhookEvent.Kind> {
        switch self {
        case .requests: [.extraTimeAsked, .wishAsked]
        case .attention: [.noticeRaised, .noticeCleared]
        case .leaving: [.deviceLeft, .deviceRemoved]
        case .nights: [.sleepStarted, .sleepEnded]
        }
    }

    var words: String {
        switch self {
        case .requests: "Somebody asks for time, an app or a later night"
        case .attention: "Something needs attention"
        case .leaving: "Somebody leaves, or a device is removed"
        case .nights: "Sleep starts and ends"
        }
    }

    /// `A question comes with Yes and No.`
    var note: String? {
        switch self {
        case .requests: "With Yes and No, which work at home"
        case .attention: "A full disk, a wrong clock, a device that went quiet"
        case .leaving, .nights: nil
        }
    }
}

/// An ntfy topic: whoever knows its name can read it, so nobody may guess it.
struct NtfyTopic {
    static let publicServer = "https://ntfy.sh"

    /// `https://ntfy.sh/sleep-k3v9…`, which a browser shows too.
    let url: String

    /// A new topic on a server; `server` has neither query nor fragment.
    init(server: String) {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let name = String((0..<20).map { _ in letters.randomElement()! })
        url = "\(server.hasSuffix("/") ? String(server.dropLast()) : server)/sleep-\(name)"
    }

    init(_ address: WebhookAddress) { url = address.url }

    /// The link that opens and subscribes it in the app on Android: `ntfy://ntfy.sh/sleep-k3v9…`.
    var appLink: String {
        let parts = url.split(separator: "://", maxSplits: 1)
        guard parts.count == 2 else { return url }
        return "ntfy://\(parts[1])\(parts[0].lowercased() == "http" ? "?secure=false" : "")"
    }
}
