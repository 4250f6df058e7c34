extension SeenWayOut.Kind {
    /// The page with the next step.
    var nextStep: (path: String, name: String) {
        switch self {
        case .asksElsewhere: ("/setup/device", "Connect it")
        case .newAddress, .vpn: ("/devices", "Devices")
        case .secondServer: ("/setup/router", "Use the router")
        }
    }

    /// A line of the person's log.
    package func words(on device: String) -> String {
        switch self {
        case .asksElsewhere: "Another DNS server was used: \(device)"
        case .newAddress: "A new Wi-Fi address: \(device)"
        case .secondServer: "A second DNS server was used: \(device)"
        case .vpn: "A VPN was looked up: \(device)"
        }
    }

    /// What is seen, and what closes it.
    fileprivate func sentence(on device: String) -> String {
        switch self {
        case .asksElsewhere:
            "\(device) opens pages here but asks another DNS server, so no rule holds on it. "
                + "Connect it again, and switch private DNS and VPNs off on it."
        case .newAddress:
            "A new device may be \(device) with a new Wi-Fi address. Devices asks whether it is. "
                + "A fixed address in this Wi-Fi, which is set on the device, keeps it known."
        case .secondServer:
            "\(device) asks a second DNS server too, so some pages get past the rules. "
                + "Let the router name this server alone."
        case .vpn:
            "\(device) looked up a VPN, through which no rule would hold. VPN sites are closed here. "
                + "Remove such an app from it."
        }
    }
}

extension Household {
    /// How pages, webhooks and programs tell of a way out.
    package func finding(_ kind: SeenWayOut.Kind, on device: Device) -> Finding {
        let name = CleanName.cleaned(device.name)
        let owner = device.person.flatMap { self[person: $0] }.map { CleanName.cleaned($0.name) }
        let whose = owner.flatMap { name.contains($0) ? nil : " of \($0)" } ?? ""
        return Finding(
            .wayOut, subject: "\(kind.rawValue)-\(device.id.rawValue)",
            kind.sentence(on: "\u{201C}\(name)\u{201D}\(whose)"))
    }

    /// The ways out that are open now, in the order of devices.
    var waysOutOpen: [Finding] {
        devices.indices.filter { !devices[$0].waysOut.isEmpty }.map { devices[$0] }
            .filter(isWatched).sorted { $0.id.rawValue < $1.id.rawValue }
            .flatMap { device in device.waysOut.filter(\.isOpen).map { finding($0.kind, on: device) } }
    }
}
