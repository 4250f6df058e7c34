package import Foundation
import Pages
package import Policy

/// The devices that still ask here, and how each gets its old settings back: before this machine goes, and before a
/// router change.
///
/// GET `/goodbye/erase` (the second step).
package struct GoodbyePage: Page {
    package static let template = "goodbye"

    struct Row {
        let id: Int64
        let name: String
        /// `Asked 2 minutes ago`.
        let asked: String
        let hint: String
        let isQuiet: Bool
        let isThisDevice: Bool
    }

    package let title: String
    let rows: [Row]
    let isEmpty: Bool
    /// `1 of 3 have gone quiet.`
    let summary: String
    /// Before a router change, the page offers no erasing.
    let isRouter: Bool
    /// This server's address, which people remove from their settings; nil if it has only a name.
    let server: String?
    /// Why nothing can be erased now; nil if it can.
    let refusal: String?
    /// Whether devices may trust the household's certificate.
    let hasCertificate: Bool

    /// `server` is the dashboard's own address, for example `http://192.168.1.5`.
    package init(
        _ leaving: [LeavingDevice], thisDevice: DeviceID?, isRouter: Bool = false, server: String,
        refusal: String? = nil, hasCertificate: Bool = false, now: Date
    ) {
        title = isRouter ? "Before you change the router" : "Goodbye"
        rows = leaving.map { Row($0, isThisDevice: $0.id == thisDevice, now: now) }
        isEmpty = rows.isEmpty
        let quiet = rows.count(where: \.isQuiet)
        summary =
            switch quiet {
            case rows.count: "All of them have gone quiet."
            case 0: "None of them has gone quiet yet."
            default: "\(quiet) of \(rows.count) have gone quiet."
            }
        self.isRouter = isRouter
        self.server = URL(string: server)?.host().flatMap(NetworkAddress.canonical)
        self.refusal = refusal
        self.hasCertificate = hasCertificate
    }
}

extension GoodbyePage.Row {
    fileprivate init(_ leaving: LeavingDevice, isThisDevice: Bool, now: Date) {
        let device = leaving.device
        id = device.id.rawValue
        name = device.name
        isQuiet = leaving.isQuiet
        let minutes = Int(max(0, now.timeIntervalSince(device.lastSeen)) / 60)
        asked =
            switch minutes {
            // While a device asks, it is written every five minutes.
            case ..<6: "Asked just now"
            case ..<120: "Asked \(minutes) minutes ago"
            case ..<2880: "Asked \(minutes / 60) hours ago"
            default: "Asked \(minutes / 1440) days ago"
            }
        let isMachine = device.addresses.allSatisfy(\.isLoopback)
        hint = isMachine ? "This machine: its own network settings." : device.kind.wayBack
        self.isThisDevice = isThisDevice
    }
}

extension Device.Kind {
    /// One line: how such a device gets its old DNS server back.
    fileprivate var wayBack: String {
        switch self {
        case .phone, .tablet: "Wi\u{2011}Fi settings, your network, DNS: automatic."
        case .computer: "Network settings, DNS: automatic."
        case .television, .console, .speaker: "Its network settings, DNS: automatic; or the router\u{2019}s."
        case .medical, .safety: "As its maker says, DNS: automatic. Look after this one first."
        case .other: "Its network settings, DNS: automatic; or the router\u{2019}s."
        }
    }
}

/// The second step: POST `/goodbye/erase` with `confirm=erase` and `passcode`.
package struct ErasePage: Page {
    package static let template = "erase"

    package let title = "Erase everything"
    /// The names of devices that still ask; nil if none does.
    let asking: String?
    /// Why nothing can be erased now.
    let refusal: String?
    /// By field name: `passcode`.
    package let errors: [String: String]

    package init(_ leaving: [LeavingDevice], refusal: String? = nil, errors: [String: String] = [:]) {
        let names = leaving.filter { !$0.isQuiet }.map(\.device.name)
        asking = names.isEmpty ? nil : names.joined(separator: ", ")
        self.refusal = refusal
        self.errors = errors
    }
}

package struct FarewellPage: Page {
    package static let template = "farewell"

    package let title = "Everything is erased"
    let asking: String?

    package init(_ leaving: [LeavingDevice]) {
        let names = leaving.filter { !$0.isQuiet }.map(\.device.name)
        asking = names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
