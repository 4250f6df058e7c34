import Pages

/// The place More: settings, status, help, displays and the way out. POST `/logout`.
package struct MorePage: Page {
    package static let template = "more"

    package let title = "More"
    let ways: [Way]

    /// - Parameters:
    ///   - toLookAt: how many notices are on the status page.
    ///   - machines: `2 machines, all in touch`
    package init(toLookAt: Int, machines: String, offersHelp: Bool) {
        let status =
            switch toLookAt {
            case 0: "Nothing needs attention"
            case 1: "1 thing needs attention"
            default: "\(toLookAt) things need attention"
            }
        ways =
            [
                Way("/settings", "Settings", "Mode, people, passcode and this server", icon: "gear"),
                Way("/health", "Status", status, icon: "check"),
                Way("/machines", "Machines", machines, icon: "machines"),
                Way("/notices", "Notices on my phone", "Requests, and what needs attention", icon: "bell"),
                Way("/my-rules", "My rules", "What holds, and who changed it", icon: "shield-check"),
            ]
            + (offersHelp
                ? [Way("/help", "Help tonight", "Calls, messages, maps and health", icon: "unlock")] : [])
            + [
                Way("/kiosk", "Bedside display", "A clock that counts down to morning", icon: "clock"),
                Way("/home-screen", "Home screen", "These pages one tap away", icon: "device"),
                Way("/goodbye", "Goodbye", "Set devices back, then erase everything", icon: "trash"),
            ]
    }
}
