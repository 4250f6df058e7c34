package import Foundation

/// A new device that may be an enrolled one with a new hardware address: the network calls both the same, and the new
/// one came when the other had gone quiet. Only ever an offer: names are anybody's to choose.
package struct Return: Hashable, Sendable {
    package let newcomer: Device
    package let known: Device

    /// For how many seconds before the newcomer was first seen the other may have been quiet.
    package static let patience: TimeInterval = 7 * 86_400
    /// The time of a device's last question is stored every five minutes, and its addresses may overlap for a moment.
    package static let overlap: TimeInterval = 600
}

extension Household {
    /// What the owner is asked, the newest first. For each newcomer it names one known device, the last that went
    /// quiet.
    package var returns: [Return] {
        let enrolled = devices.filter { $0.isSomebodys && $0.networkName != nil }
        guard !enrolled.isEmpty else { return [] }
        return devices.filter { !$0.isSomebodys || !$0.isConfirmed }.compactMap { newcomer in
            enrolled.filter { newcomer.mayBe($0) }.max { $0.lastSeen < $1.lastSeen }
                .map { Return(newcomer: newcomer, known: $0) }
        }.sorted {
            ($0.newcomer.firstSeen, $0.newcomer.id.rawValue) > (
                $1.newcomer.firstSeen, $1.newcomer.id.rawValue
            )
        }
    }

    /// "It is": the known device goes on with the newcomer's addresses, and keeps its number, name, kind, person and log.
    ///
    /// Its own addresses stay its own, so that no answer opens anything: whichever of the two asks is blocked as the
    /// known one is. Refused where it is not offered, and where it would loosen what holds the newcomer (`StrictGuard`).
    /// Returns what undoes it.
    @discardableResult
    package mutating func merge(
        _ newcomer: DeviceID, into known: DeviceID, at now: Date
    ) throws(Refusal) -> Merge {
        guard let offer = returns.first(where: { $0.newcomer.id == newcomer && $0.known.id == known }),
            let index = devices.firstIndex(where: { $0.id == known })
        else { throw .returnNotOffered }
        if holders(of: offer.newcomer) != holders(of: offer.known) {
            try guardStrict(device: offer.newcomer, at: now)
            try guardWaiting(device: offer.newcomer)
        }
        devices[index].take(offer.newcomer, at: now)
        devices.removeAll { $0.id == newcomer }
        return Merge(
            at: now, newcomer: offer.newcomer, known: offer.known, merged: devices[index],
            strangers: Set(devices.filter { $0.toldApart.contains(newcomer) }.map(\.id)))
    }

    /// "It is another": this pair is not offered again. Refused where it is not offered.
    package mutating func tellApart(_ newcomer: DeviceID, from known: DeviceID) throws(Refusal) {
        guard returns.contains(where: { $0.newcomer.id == newcomer && $0.known.id == known }),
            let index = devices.firstIndex(where: { $0.id == newcomer })
        else { throw .returnNotOffered }
        devices[index].toldApart.insert(known)
    }
}

extension Device {
    fileprivate func mayBe(_ known: Device) -> Bool {
        guard let networkName, let name = known.networkName, id != known.id, !toldApart.contains(known.id),
            CleanName.looksLike(networkName, name), known.lastSeen.timeIntervalSince1970 > 0,
            hardwareAddress == nil || hardwareAddress != known.hardwareAddress,
            firstSeen > known.firstSeen
        else { return false }
        return (-Return.overlap..<Return.patience).contains(firstSeen.timeIntervalSince(known.lastSeen))
    }

    /// What was the other's is this device's from now on.
    fileprivate mutating func take(_ other: Device, at now: Date) {
        addresses = Self.kept(other.addresses, before: addresses)
        let before = other.formerHardwareAddresses + formerHardwareAddresses
        formerHardwareAddresses = before.filter { $0 != other.hardwareAddress && $0 != hardwareAddress }
        if let hardware = other.hardwareAddress { use(hardware: hardware) }
        formerHardwareAddresses = Array(formerHardwareAddresses.prefix(Self.mostFormerHardware))
        networkName = other.networkName
        // What a clock that was ahead wrote is no time at which it asked.
        lastSeen = [lastSeen, other.lastSeen].filter { $0 <= now }.max() ?? now
        helpUntil = [helpUntil, other.helpUntil].compactMap { $0 }.max()
        tryUntil = [tryUntil, other.tryUntil].compactMap { $0 }.max()
        leaves = (leaves + other.leaves).sorted { $0.at < $1.at }
        trustedAuthority = other.trustedAuthority ?? trustedAuthority
        if kind == .tablet, other.hasNoMobileData { hasNoMobileData = true }
        toldApart.remove(other.id)
    }
}
