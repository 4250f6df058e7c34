/// How many devices the rules protect; the `state` event says the same.
package struct DevicesInUse: Hashable, Sendable {
    /// Devices that belong to the person.
    package let enrolled: Int
    /// Those that asked this server a question lately.
    package let recent: Int
    /// No enrolled device has ever asked here, so nothing is blocked: pages claim only what they know.
    package let isNone: Bool
    /// Enrolled devices have asked before, but not lately: a phone sleeps, or is away.
    package let isQuiet: Bool
    /// `3 devices are using this.`
    package let text: String
    /// `3 devices resting`
    package let resting: String

    /// `hasAsked`: whether an enrolled device ever asked this server a question.
    package init(enrolled: Int, recent: Int, hasAsked: Bool) {
        self.enrolled = enrolled
        self.recent = recent
        isNone = enrolled == 0 || (recent == 0 && !hasAsked)
        isQuiet = !isNone && recent == 0
        text =
            switch (enrolled, recent) {
            case _ where isNone: "No device is using this yet. Nothing will be blocked."
            case (1, 0): "1 device is enrolled, quiet just now."
            case (_, 0): "\(enrolled) devices are enrolled, quiet just now."
            case (_, 1): "1 device is using this."
            default: "\(recent) devices are using this."
            }
        resting = recent == 1 ? "1 device resting" : "\(recent) devices resting"
    }
}
