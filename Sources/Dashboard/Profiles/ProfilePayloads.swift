import Foundation

/// A bookmark on the home screen that opens without the browser's bars.
struct WebClipPayload: ProfilePayload {
    static let type = "com.apple.webClip.managed"

    let common: ProfileCommon
    let url: String
    let label: String
    /// PNG, at most 400 pixels square.
    let icon: Data?

    private enum CodingKeys: String, CodingKey {
        case url = "URL"
        case label = "Label"
        case icon = "Icon"
        case isFullScreen = "FullScreen"
        case isRemovable = "IsRemovable"
        case isPrecomposed = "Precomposed"
    }

    func encode(to encoder: any Encoder) throws {
        try common.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(label, forKey: .label)
        try container.encodeIfPresent(icon, forKey: .icon)
        try container.encode(true, forKey: .isFullScreen)
        try container.encode(true, forKey: .isRemovable)
        try container.encode(true, forKey: .isPrecomposed)
    }
}

/// The household's certificate. The phone's owner must still trust it, under Certificate Trust Settings.
struct RootPayload: ProfilePayload {
    static let type = "com.apple.security.root"

    let common: ProfileCommon
    let fileName: String
    /// DER.
    let certificate: Data

    private enum CodingKeys: String, CodingKey {
        case fileName = "PayloadCertificateFileName"
        case certificate = "PayloadContent"
    }

    func encode(to encoder: any Encoder) throws {
        try common.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(fileName, forKey: .fileName)
        try container.encode(certificate, forKey: .certificate)
    }
}

/// DNS over HTTPS at the device's own address, while this server can be reached.
///
/// The device's owner can switch it off: `ProhibitDisablement` is for supervised devices, and not ours to set.
struct DNSPayload: ProfilePayload {
    static let type = "com.apple.dnsSettings.managed"

    /// What to do on a network; the first rule that matches counts.
    struct Rule: Encodable {
        enum Action: String, Encodable {
            case connect = "Connect"
            case disconnect = "Disconnect"
        }

        enum Interface: String, Encodable {
            case cellular = "Cellular"
        }

        var action: Action
        var interface: Interface?
        /// Matches if this address answers 200.
        var probe: String?

        private enum CodingKeys: String, CodingKey {
            case action = "Action"
            case interface = "InterfaceTypeMatch"
            case probe = "URLStringProbe"
        }
    }

    private struct Settings: Encodable {
        let url: String
        let addresses: [String]
        let transport = "HTTPS"

        private enum CodingKeys: String, CodingKey {
            case url = "ServerURL"
            case addresses = "ServerAddresses"
            case transport = "DNSProtocol"
        }
    }

    let common: ProfileCommon
    let url: String
    let addresses: [String]
    /// Answers 200 while this server serves.
    let probe: String

    private enum CodingKeys: String, CodingKey {
        case settings = "DNSSettings"
        case rules = "OnDemandRules"
    }

    /// Away from home, or while this server is down, the network's own DNS holds: a phone must never be without DNS.
    var rules: [Rule] {
        [
            Rule(action: .disconnect, interface: .cellular), Rule(action: .connect, probe: probe),
            Rule(action: .disconnect),
        ]
    }

    func encode(to encoder: any Encoder) throws {
        try common.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Settings(url: url, addresses: addresses), forKey: .settings)
        try container.encode(rules, forKey: .rules)
    }
}
