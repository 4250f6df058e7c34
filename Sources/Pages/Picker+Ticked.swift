package import Policy

/// The ticked entries of a picker, as one hidden field: `app=tiktok category=maps domain=example.org`.
extension AppSelection {
    package var tickedText: String {
        let parts =
            apps.sorted().map { "app=" + $0 } + categories.sorted().map { "category=" + $0 }
            + domains.sorted().map { "domain=" + $0 }
        return parts.joined(separator: " ")
    }

    /// Nil for text that no page wrote.
    package init?(tickedText: String) {
        self.init()
        for part in tickedText.split(separator: " ") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { return nil }
            switch pair[0] {
            case "app": apps.insert(pair[1])
            case "category": categories.insert(pair[1])
            case "domain": domains.insert(pair[1])
            default: return nil
            }
        }
    }
}
