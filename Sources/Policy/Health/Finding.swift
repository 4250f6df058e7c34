/// A problem that could disturb a night, in one calm sentence.
package struct Finding: Hashable, Sendable, Identifiable {
    /// What is checked, in the order of the list.
    package enum Kind: String, Sendable, CaseIterable {
        case damage, refused, gateway, address
        case upstreamSilent = "upstream-silent"
        case upstreamChanged = "upstream-changed"
        case networkSettings = "network-settings"
        case disk, clock, backup
        case otherServer = "other-dns-server"
        case wayOut = "way-out"
        case forwarder
        case quietDevice = "quiet-device"
        case returned = "returned-device"
        case machines
    }

    package let kind: Kind
    /// Tells several findings of one kind apart: an address, or a device's number.
    package let subject: String?
    package let sentence: String

    package init(_ kind: Kind, subject: String? = nil, _ sentence: String) {
        self.kind = kind
        self.subject = subject
        self.sentence = sentence
    }

    /// The device that went quiet, that may be back under a new address, or that has a way out. The subject ends with
    /// its number.
    package var device: DeviceID? {
        switch kind {
        case .quietDevice, .returned, .wayOut:
            subject?.split(separator: "-").last.flatMap { Int64($0) }.map(DeviceID.init)
        default: nil
        }
    }

    /// A way out that is seen on a child's device.
    package var wayOut: SeenWayOut.Kind? {
        guard kind == .wayOut, let subject, let end = subject.lastIndex(of: "-") else { return nil }
        return SeenWayOut.Kind(rawValue: String(subject[..<end]))
    }

    /// The page on which somebody can settle it, and its name; nil for what is settled elsewhere.
    package var nextStep: (path: String, name: String)? {
        if let wayOut { return wayOut.nextStep }
        if kind == .otherServer { return SeenWayOut.Kind.secondServer.nextStep }
        return device == nil ? nil : ("/devices", "Devices")
    }

    /// `clock`, `quiet-device-7`: stays the same as long as the problem lasts, for programs too.
    package var id: String { subject.map { "\(kind.rawValue)-\($0)" } ?? kind.rawValue }

    package static func device(
        _ device: DeviceID, _ sentence: String, kind: Kind = .quietDevice
    ) -> Finding {
        Finding(kind, subject: String(device.rawValue), sentence)
    }
}

extension Finding.Kind {
    /// What is said if there is no problem of this kind.
    package var fine: String {
        switch self {
        case .damage: "The stored data is readable."
        case .refused: "All addresses and ports are open."
        case .gateway: "The gateway's rules are active."
        case .address: "This server's address has not changed."
        case .upstreamSilent: "The upstream DNS servers answer."
        case .upstreamChanged: "The upstream DNS servers have not changed."
        case .networkSettings: "This machine's network settings can be used."
        case .disk: "There is enough space on the disk."
        case .clock: "The clock is synchronised."
        case .backup: "There is a daily backup."
        case .otherServer: "This machine sees no other DNS server on this network."
        case .wayOut: "No child's device was seen to get around this server."
        case .forwarder: "No router sends device details that this server ignores."
        case .quietDevice: "No enrolled device has gone quiet."
        case .returned: "No new device looks like a known one."
        case .machines: "The household's machines are in touch, and their clocks agree."
        }
    }
}

/// One line of the list: a problem, or that there is none of its kind.
package struct HealthLine: Hashable, Sendable, Codable {
    /// The finding's id, or the kind if there is no problem.
    package let id: String
    package let isGood: Bool
    package let text: String

    package init(id: String, isGood: Bool, text: String) {
        self.id = id
        self.isGood = isGood
        self.text = text
    }

    /// In the order of kinds; kinds that could not be checked are left out.
    package static func lines(_ findings: [Finding], judged: Set<Finding.Kind>) -> [HealthLine] {
        Finding.Kind.allCases.flatMap { kind in
            let found = findings.filter { $0.kind == kind }
            if found.isEmpty {
                return judged.contains(kind)
                    ? [HealthLine(id: kind.rawValue, isGood: true, text: kind.fine)] : []
            }
            return found.map { HealthLine(id: $0.id, isGood: false, text: $0.sentence) }
        }
    }
}
