import Policy

/// The steps that close a way around, on one system or in the router; those of the asking system are open.
struct AroundSteps: Sendable {
    let system: String
    let isOpen: Bool
    let lines: [String]

    /// `server` is this server's address.
    static func all(for kind: WayAround.Kind, asking: ClientSystem, server: String) -> [AroundSteps] {
        let systems: [(ClientSystem, String)] = [
            (.ios, "iPhone and iPad"), (.android, "Android"), (.mac, "Mac"), (.windows, "Windows"),
            (.linux, "Linux"),
        ]
        let own = systems.compactMap { system, name -> AroundSteps? in
            guard let lines = lines(kind, system, server), !lines.isEmpty else { return nil }
            return AroundSteps(system: name, isOpen: system == asking, lines: lines)
        }
        let router: [String] =
            switch kind {
            case .otherServer: routerLines(server)
            case .routerAsks: routerLines(server) + [naming]
            default: []
            }
        return own + (router.isEmpty ? [] : [AroundSteps(system: "Router", isOpen: true, lines: router)])
    }

    /// For a router that must keep asking.
    private static let naming =
        "If it has to go on asking, and runs dnsmasq (OpenWrt, Pi-hole): add add-mac and strip-mac to dnsmasq's settings, and start this server with --forwarder and the router's address."

    private static func routerLines(_ server: String) -> [String] {
        [
            "Let it hand out \(server), and no second one, as DNS server (Local DNS server, DHCP).",
            "Switch off that it announces itself as DNS server by IPv6 (RDNSS, DHCPv6). On a FRITZ!Box: Home Network, Network, IPv6 settings.",
            "Then switch this device's Wi-Fi off and on.",
        ]
    }

    private static func lines(
        _ kind: WayAround.Kind, _ system: ClientSystem, _ server: String
    ) -> [String]? {
        switch kind {
        case .otherServer: otherServer(server)[system]
        case .privateDNS: privateDNS[system]
        case .browserDNS: browserDNS[system]
        case .privateRelay: privateRelay[system]
        case .vpn: vpn[system]
        case .proxy: proxy[system]
        // The steps that point a device here close it, and those in the router.
        case .routerAsks: nil
        case .designatedResolver, .serviceRecords, .quic: nil
        }
    }

    private static func otherServer(_ server: String) -> [ClientSystem: [String]] {
        [
            .ios: [
                "Settings, Wi-Fi, the (i) beside your network, Configure DNS, Manual.",
                "Remove every server but \(server), also those with colons. Save.",
            ],
            .android: [
                "Settings, Network & internet, Internet, the gear, the pencil, Advanced options, IP settings: Static.",
                "DNS 1 and DNS 2: both \(server). Save.",
                "A server with colons comes from the router by IPv6, and only the router can take it away.",
            ],
            .mac: [
                "System Settings, Wi-Fi, Details beside your network, DNS.",
                "Remove every server but \(server), also those with colons. OK.",
            ],
            .windows: [
                "Settings, Network & internet, Wi-Fi, Hardware properties, DNS server assignment, Edit, Manual.",
                "IPv4: Preferred DNS \(server), Alternate DNS empty. Save.",
                "A server with colons comes from the router by IPv6: take it away there.",
            ],
            .linux: [
                "Settings, Wi-Fi, the gear beside your network, IPv4: DNS Automatic off, \(server) alone.",
                "IPv6: DNS Automatic off, and empty. Apply.",
            ],
        ]
    }

    private static let chromium =
        "Chrome, Edge, Brave: Settings, Privacy and security, Security, Use secure DNS: off."
    private static let firefox =
        "Firefox: Settings, Privacy & Security, DNS over HTTPS, Advanced settings: Off."

    private static let firefoxVPN =
        "Firefox: Settings, Privacy & Security, Built-in VPN: off, where it has one."

    private static let privateDNS: [ClientSystem: [String]] = [
        .ios: [
            "Settings, General, VPN & Device Management, DNS: Automatic.",
            "There too: remove profiles that you do not know.",
        ],
        .android: ["Settings, Network & internet, Private DNS: Off.", chromium, firefox],
        .mac: [
            "System Settings, Network, VPN & Filters: remove what filters or encrypts DNS.", chromium,
            firefox,
        ],
        .windows: [
            "Settings, Network & internet, Wi-Fi, Hardware properties, DNS server assignment, Edit: DNS over HTTPS Off.",
            chromium, firefox,
        ],
        .linux: ["/etc/systemd/resolved.conf: DNSOverTLS=no.", chromium, firefox],
    ]

    private static let browserDNS: [ClientSystem: [String]] = [
        .android: ["Firefox: Settings, DNS over HTTPS: Off."], .mac: [firefox], .windows: [firefox],
        .linux: [firefox],
    ]

    private static let privateRelay: [ClientSystem: [String]] = [
        .ios: [
            "For this Wi-Fi only: Settings, Wi-Fi, the (i), Limit IP Address Tracking: off.",
            "Or everywhere: Settings, your name, iCloud, Private Relay: off.",
        ],
        .mac: [
            "For this Wi-Fi only: System Settings, Wi-Fi, Details, Limit IP address tracking: off.",
            "Or everywhere: System Settings, your name, iCloud, Private Relay: off.",
        ],
    ]

    private static let vpn: [ClientSystem: [String]] = [
        .ios: [
            "Settings, General, VPN & Device Management, VPN: off.",
            "Where it comes back: its (i), Connect On Demand: off, or remove its app.",
        ],
        .android: [
            "Settings, Network & internet, VPN: the gear, Always-on VPN: off, then disconnect.",
            "In the browser: data saver and built-in VPN off.",
        ],
        .mac: ["System Settings, VPN: off.", firefoxVPN],
        .windows: ["Settings, Network & internet, VPN: Disconnect.", firefoxVPN],
        .linux: ["Settings, Network, VPN: off.", firefoxVPN],
    ]

    private static let proxy: [ClientSystem: [String]] = [
        .ios: ["Settings, Wi-Fi, the (i) beside your network, Configure Proxy: Off."],
        .android: [
            "Settings, Network & internet, Internet, the gear, the pencil, Advanced options, Proxy: None.",
            "In the browser: data saver off.",
        ],
        .mac: ["System Settings, Wi-Fi, Details beside your network, Proxies: all off."],
        .windows: ["Settings, Network & internet, Proxy: all off."],
        .linux: [
            "Settings, Network, Proxy: Off.", "Firefox: Settings, Find in Settings: proxy. There: No proxy.",
        ],
    ]
}
