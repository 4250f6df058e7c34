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
        "Does the router have to ask, and does it run dnsmasq (OpenWrt, Pi-hole)? Add add-mac and strip-mac to its dnsmasq settings. Then start this server with --forwarder and the router's address."

    private static func routerLines(_ server: String) -> [String] {
        [
            "Set \(server) as the only DNS server that the router gives to devices (Local DNS server, DHCP).",
            "Stop the router from sharing its own IPv6 DNS server (RDNSS, DHCPv6). On a FRITZ!Box: Home Network › Network › IPv6 settings.",
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
                "Settings › Wi-Fi › the (i) beside your network › Configure DNS › Manual.",
                "Remove every server but \(server), also those with colons. Then save.",
            ],
            .android: [
                "Settings › Network & internet › Internet › the gear › the pencil › Advanced options › IP settings: Static.",
                "Type \(server) as DNS 1 and as DNS 2. Then save.",
                "A server with colons comes from the router (IPv6). Only the router can remove it.",
            ],
            .mac: [
                "System Settings › Wi-Fi › Details beside your network › DNS.",
                "Remove every server but \(server), also those with colons. Then choose OK.",
            ],
            .windows: [
                "Settings › Network & internet › Wi-Fi › Hardware properties › DNS server assignment › Edit › Manual.",
                "IPv4: type \(server) as Preferred DNS, and leave Alternate DNS empty. Then save.",
                "A server with colons comes from the router (IPv6). Remove it there.",
            ],
            .linux: [
                "Settings › Wi-Fi › the gear beside your network › IPv4. Switch Automatic DNS off, and type only \(server).",
                "IPv6: switch Automatic DNS off, and leave the field empty. Then apply.",
            ],
        ]
    }

    private static let chromium =
        "Chrome, Edge, Brave: Settings › Privacy and security › Security › Use secure DNS: off."
    private static let firefox =
        "Firefox: Settings › Privacy & Security › DNS over HTTPS › Advanced settings: Off."

    private static let firefoxVPN =
        "Firefox: Settings › Privacy & Security › Built-in VPN: off."

    private static let privateDNS: [ClientSystem: [String]] = [
        .ios: [
            "Settings › General › VPN & Device Management › DNS: Automatic.",
            "On the same page, remove profiles that you do not know.",
        ],
        .android: ["Settings › Network & internet › Private DNS: Off.", chromium, firefox],
        .mac: [
            "System Settings › Network › VPN & Filters. Remove all that filters or encrypts DNS.", chromium,
            firefox,
        ],
        .windows: [
            "Settings › Network & internet › Wi-Fi › Hardware properties › DNS server assignment › Edit › DNS over HTTPS: Off.",
            chromium, firefox,
        ],
        .linux: ["/etc/systemd/resolved.conf: DNSOverTLS=no.", chromium, firefox],
    ]

    private static let browserDNS: [ClientSystem: [String]] = [
        .android: ["Firefox: Settings › DNS over HTTPS: Off."], .mac: [firefox], .windows: [firefox],
        .linux: [firefox],
    ]

    private static let privateRelay: [ClientSystem: [String]] = [
        .ios: [
            "For this Wi-Fi only: Settings › Wi-Fi › the (i) › Limit IP Address Tracking: off.",
            "Or everywhere: Settings › your name › iCloud › Private Relay: off.",
        ],
        .mac: [
            "For this Wi-Fi only: System Settings › Wi-Fi › Details › Limit IP address tracking: off.",
            "Or everywhere: System Settings › your name › iCloud › Private Relay: off.",
        ],
    ]

    private static let vpn: [ClientSystem: [String]] = [
        .ios: [
            "Settings › General › VPN & Device Management › VPN: off.",
            "Does it come back? Open its (i) and switch “Connect On Demand” off. Or remove its app.",
        ],
        .android: [
            "Settings › Network & internet › VPN › the gear › Always-on VPN: off. Then disconnect.",
            "In the browser, switch data saver and built-in VPN off.",
        ],
        .mac: ["System Settings › VPN: off.", firefoxVPN],
        .windows: ["Settings › Network & internet › VPN: Disconnect.", firefoxVPN],
        .linux: ["Settings › Network › VPN: off.", firefoxVPN],
    ]

    private static let proxy: [ClientSystem: [String]] = [
        .ios: ["Settings › Wi-Fi › the (i) beside your network › Configure Proxy: Off."],
        .android: [
            "Settings › Network & internet › Internet › the gear › the pencil › Advanced options › Proxy: None.",
            "In the browser, switch data saver off.",
        ],
        .mac: ["System Settings › Wi-Fi › Details beside your network › Proxies: all off."],
        .windows: ["Settings › Network & internet › Proxy: all off."],
        .linux: [
            "Settings › Network › Proxy: Off.",
            "Firefox: open Settings and search for “proxy”. Choose “No proxy”.",
        ],
    ]
}
