/// How many devices this is good for, as the `state` event says it too.
package struct DevicesInUse: Hashable, Sendable {
    /// Devices that belong to the person.
    package let enrolled: Int
    /// Those of them that asked this server a question lately.
    package let recent: Int
    /// Pages never claim more than they know: nothing is blocked that does not ask here.
    package let isNone: Bool
    /// `3 devices are using this.`
    package let text: String
    /// `3 devices resting`
    package let resting: String

    package init(enrolled: Int, recent: Int) {
        self.enrolled = enrolled
        self.recent = recent
        isNone = enrolled == 0 || recent == 0
        text =
            isNone
            ? "No device is using this yet. Nothing will be blocked."
            : recent == 1 ? "1 device is using this." : "\(recent) devices are using this."
        resting = recent == 1 ? "1 device resting" : "\(recent) devices resting"
    }
}
