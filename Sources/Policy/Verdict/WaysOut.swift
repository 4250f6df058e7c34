package import Foundation

/// Ways past this server that a child's device finds by name: sites and apps of VPNs. Encrypted resolvers are closed with
/// them, as while anything is blocked.
package enum WaysOut {
    package static let selection = AppSelection(domains: [
        "1clickvpn.net", "adguard-vpn.com", "airvpn.org", "astrill.com", "atlasvpn.com", "azirevpn.com",
        "betternet.co", "browsec.com", "cloudflareclient.com", "cyberghostvpn.com", "expressvpn.com",
        "getlantern.org", "hide.me", "hidemyass.com", "hola.org", "hotspotshield.com", "ipvanish.com",
        "ivpn.net", "mullvad.net", "nordvpn.com", "openvpn.com", "ovpn.com", "perfect-privacy.com",
        "privateinternetaccess.com", "privatevpn.com", "protonvpn.com", "psiphon.ca", "purevpn.com",
        "safervpn.com", "strongvpn.com", "surfshark.com", "tigervpn.com", "torguard.net", "torproject.org",
        "touchvpn.net", "trust.zone", "tunnelbear.com", "turbovpn.com", "urban-vpn.com", "veepn.com",
        "vpn.proton.me", "vpngate.net", "vyprvpn.com", "windscribe.com", "zenmate.com",
    ])

    /// Whether a folded name is one of them, or below one.
    package static func covers(_ name: String) -> Bool {
        DomainName.withParents(name).contains(where: selection.domains.contains)
    }

    /// Always there, and behind every other block.
    package static let block = Block(
        layer: .windows, scope: .only(selection), since: Date(timeIntervalSince1970: 0), until: nil)
}

extension Block {
    /// Whether it closes the ways out, which no window opens.
    package var isWaysOut: Bool { self == WaysOut.block }
}

extension Person {
    /// Whether the ways out are closed on this person's devices by day too: a child with any window or limit, unless an
    /// adult opened them.
    package var closesWaysOut: Bool {
        role != .adult && !opensWaysOut && (antiRot.isConfigured || !limits.list.isEmpty)
    }
}

extension Household {
    /// Opens or closes the ways out for a child. To open them is refused where loosening is (`StrictGuard`,
    /// `LooseningGuard`).
    package mutating func openWaysOut(of id: PersonID, _ isOpen: Bool, at now: Date) throws(Refusal) {
        let index = try index(of: id)
        if isOpen, !people[index].opensWaysOut {
            guard !people[index].isStrict(at: now) else { throw .looseningStrict(of: people[index].name) }
            try guardWaiting { $0.id == id }
        }
        people[index].opensWaysOut = isOpen
    }

    /// What closes them on a device with these people's rules; nil if nothing does.
    func waysOut(for holders: RuleHolders) -> (block: Block, person: PersonID?)? {
        let people = holders.people
        return self.people.first { $0.closesWaysOut && people.contains($0.id) }.map { (WaysOut.block, $0.id) }
    }
}
