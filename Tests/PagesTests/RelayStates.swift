import Dashboard
import Pages
import Policy

extension PageState {
    /// The relayed apps, in every state.
    static let relaying = [
        relay("none", Person(id: Sample.me, name: "Me"), people: 2),
        relay("some", person(RelayedApps(includesRuled: true, chosen: ["youtube"]))),
        relay(
            "idle", person(RelayedApps(chosen: ["youtube"])),
            fault: "HTTPS is switched off on this server (--https-port off)."),
        relay(
            "refused", person(RelayedApps(chosen: ["youtube"])),
            sent: RelayedApps(includesRuled: true, chosen: ["tiktok"]),
            errors: ["app": "Not in the catalog: nosuchapp."]),
    ]

    private static func person(_ relayed: RelayedApps) -> Person {
        Person(
            id: Sample.me, name: "Me",
            antiRot: AntiRot(
                restricted: AppSelection(
                    apps: ["tiktok", "instagram", "reddit", "facebook", "snapchat", "twitch", "netflix"])),
            relayed: relayed)
    }

    private static func relay(
        _ name: String, _ person: Person, sent: RelayedApps? = nil, people: Int = 1,
        fault: String? = nil, errors: [String: String] = [:]
    ) -> PageState {
        PageState(
            name: "relay-\(name)",
            page: RelayPage(
                person: person, catalog: Sample.catalog, household: Sample.household(), relayed: sent,
                fault: fault, errors: errors),
            context: context(path: "/relay", people: people))
    }
}
