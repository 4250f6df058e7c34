/// How to set the DNS server on a television or a console.
struct ScreenSteps: Sendable {
    let name: String
    let isOpen: Bool
    let lines: [String]

    /// - Parameter server: this server's address; nil if it has only a name.
    init?(_ system: ClientSystem, server: String?, isOpen: Bool = false) {
        guard let steps = Self.steps(server ?? "this server's address")[system] else { return nil }
        (name, lines) = steps
        self.isOpen = isOpen
    }

    /// All of them, in the order of the list.
    static func all(server: String?, without own: ClientSystem) -> [ScreenSteps] {
        ClientSystem.allCases.filter { $0 != own }.compactMap { ScreenSteps($0, server: server) }
    }

    private static func steps(_ server: String) -> [ClientSystem: (String, [String])] {
        [
            .androidTV: (
                "Android TV and Google TV",
                [
                    "Settings › Network & Internet › your network › IP settings › Static.",
                    "Keep the IP address, the gateway and the prefix length that it has. DNS 1: \(server). DNS 2: the same.",
                    "Back in Network & Internet, if it is there: Private DNS: Off.",
                ]
            ),
            .appleTV: (
                "Apple TV",
                ["Settings › Network › Wi-Fi › your network › Configure DNS › Manual.", "\(server) › Done."]
            ),
            .fireTV: (
                "Fire TV",
                [
                    "Settings › Network. Note its IP address and gateway under your network, and forget the network with the menu button.",
                    "Join it again, and choose Advanced below the password. Type that IP address and gateway, network prefix length 24.",
                    "DNS 1: \(server). DNS 2: the same.",
                ]
            ),
            .webOS: (
                "LG (webOS)",
                [
                    "Settings › All Settings › General › Network › Wi-Fi Connection (or Wired Connection) › Advanced Wi-Fi Settings › Edit.",
                    "Set Automatically: off. DNS Server: \(server) › Connect.",
                ]
            ),
            .tizen: (
                "Samsung (Tizen)",
                [
                    "Settings › General › Network › Network Status › IP Settings.",
                    "DNS setting: Enter manually. DNS Server: \(server) › OK.",
                ]
            ),
            .chromecast: (
                "Chromecast",
                [
                    "With a remote control: as Google TV.",
                    "Without one it has no such setting, and asks Google's servers. Block 8.8.8.8 and 8.8.4.4 in the router, which must give \(server) to it.",
                ]
            ),
            .playStation: (
                "PlayStation",
                [
                    "PlayStation 5: Settings › Network › Settings › Set Up Internet Connection › your network › Advanced Settings.",
                    "PlayStation 4: Settings › Network › Set Up Internet Connection › Custom.",
                    "DNS settings: Manual. Primary DNS: \(server). Secondary DNS: the same.",
                ]
            ),
            .xbox: (
                "Xbox",
                [
                    "Settings › General › Network settings › Advanced settings › DNS settings › Manual.",
                    "Primary: \(server). Secondary: the same.",
                ]
            ),
            .nintendo: (
                "Nintendo Switch",
                [
                    "System Settings › Internet › Internet Settings › your network › Change Settings › DNS Settings › Manual.",
                    "Primary DNS: \(server). Secondary DNS: the same › Save.",
                ]
            ),
        ]
    }
}
