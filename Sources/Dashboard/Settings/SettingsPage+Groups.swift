import Pages
import Policy

extension SettingsPage {
    /// Rows about one person, the household or the server, each with what is set now.
    struct Group {
        let id: String
        let name: String
        let about: String
        let ways: [Way]

        static func of(_ person: Person, isAlone: Bool) -> Group {
            let hours = person.looseningDelay
            let delay = hours == 0 ? "None" : hours == 1 ? "1 hour" : "\(hours) hours"
            return Group(
                id: "person", name: isAlone ? "Me" : person.name,
                about: isAlone ? "Your own rules" : "Only for \(person.name)",
                ways: [
                    Way("/my-rules", "My rules", "What holds, and who changed it", icon: "shield-check"),
                    Way("/limits", "Delay before rules get easier", delay, icon: "hourglass"),
                    Way("/relay", "Instant cut-off", "A block stops open videos too", icon: "blocked"),
                ])
        }

        static func of(_ household: Household) -> Group {
            return Group(
                id: "household", name: "Household", about: "The same for everybody",
                ways: [
                    Way(
                        SettingsPart.people.path, "People",
                        household.people.map(\.name).joined(separator: ", "), icon: "house"),
                    Way(
                        SettingsPart.newDevices.path, "New devices", household.newDevicesWords, icon: "device"
                    ),
                    Way(
                        SettingsPart.help.path, "Help at night",
                        household.offersHelp ? "Offered on the shield" : "Not offered", icon: "unlock"),
                    Way(
                        SettingsPart.timeZone.path, "Time zone",
                        household.timeZone.replacing("_", with: " "), icon: "clock"),
                    Way(
                        SettingsPart.clock.path, "Clock", household.clock.displayName, icon: "clock"),
                    Way(
                        SettingsPart.privateAnswers.path, "Names of this home",
                        household.privateAnswers.isEmpty
                            ? "For a NAS with a public name"
                            : household.privateAnswers.sorted().joined(separator: ", "), icon: "house"),
                ])
        }

        static func ofServer(tokens: Int) -> Group {
            let programs = tokens == 0 ? "None yet" : tokens == 1 ? "1 token" : "\(tokens) tokens"
            return Group(
                id: "server", name: "This server", about: "The machine that answers",
                ways: [
                    Way(
                        SettingsPart.passcode.path, "Passcode", "Change it, or log out everywhere",
                        icon: "lock"),
                    Way(SettingsPart.tokens.path, "Access for programs", programs, icon: "grid"),
                    Way("/webhooks", "Webhooks", "Tell your own programs", icon: "share"),
                    Way("/trust", "The shield over HTTPS", "Instead of the browser's error", icon: "check"),
                    Way("/settings/backups", "Backups", "Download one, or restore", icon: "share"),
                    Way(
                        "/settings/import", "Moving in", "From AdGuard Home or Pi-hole", icon: "house"),
                    Way("/health", "Status", "Address, clock, disk, devices", icon: "chart"),
                    Way("/goodbye", "Goodbye", "Set devices back, then erase", icon: "trash"),
                ])
        }
    }
}
