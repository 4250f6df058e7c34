import Directory
package import Foundation

/// Two devices that were taken for one (`Household.merge`), as they were and as it became, so that a wrong tap can be
/// undone. Kept in memory only.
package struct Merge: Hashable, Sendable {
    package let at: Date
    package let newcomer: Device
    package let known: Device
    let merged: Device
    /// Devices of which somebody had said that they are not the newcomer.
    let strangers: Set<DeviceID>

    /// For how many seconds it can be undone, if nothing contradicts it.
    package static let lifetime: TimeInterval = 7 * 86_400
}

extension Household {
    /// Whether a merge can still be undone: for a week, until somebody changes the device, or one more address of its
    /// hardware joined it.
    package func isUndoable(_ merge: Merge, at now: Date) -> Bool {
        guard let device = self[device: merge.known.id], self[device: merge.newcomer.id] == nil,
            now.timeIntervalSince(merge.at) < Merge.lifetime, device.saysTheSame(as: merge.merged)
        else { return false }
        if holders(of: merge.newcomer).people.contains(where: { self[person: $0] == nil }) { return false }
        let hardware = [merge.newcomer.hardwareAddress, merge.known.hardwareAddress].compactMap { $0 }
        return !devices.contains { other in
            other.id != device.id && hardware.contains { $0 == other.hardwareAddress }
        }
    }

    /// Both devices are as they were, with whom and what hung on them. Refused where something contradicts it, and where
    /// it would take the newcomer out of a strict session or past a wait (`StrictGuard`, `LooseningGuard`).
    package mutating func undo(_ merge: Merge, at now: Date) throws(Refusal) {
        guard isUndoable(merge, at: now),
            let index = devices.firstIndex(where: { $0.id == merge.known.id })
        else { throw .undoOvertaken }
        try guardUndo(of: merge, from: devices[index], at: now)
        let current = devices[index]
        let taken = Set(devices.filter { $0.id != current.id }.flatMap(\.addresses))
        var (newcomer, known) = (merge.newcomer, merge.known)
        newcomer.addresses.removeAll(where: taken.contains)
        // Nobody can tell the owner of an address that came since: it stays where it is blocked.
        let then = Set(merge.merged.addresses + newcomer.addresses + known.addresses)
        let since = current.addresses.filter { !then.contains($0) }
        known.addresses.removeAll(where: taken.contains)
        known.addresses = Device.kept(since + known.addresses)
        known.toldApart.formUnion(current.toldApart)
        // If somebody pressed Help after the merge, Help stays open on both devices.
        if let help = current.helpUntil, help > now {
            newcomer.helpUntil = max(help, newcomer.helpUntil ?? help)
            known.helpUntil = max(help, known.helpUntil ?? help)
        }
        devices[index] = known
        let place = devices.firstIndex { $0.id.rawValue > newcomer.id.rawValue } ?? devices.endIndex
        devices.insert(newcomer, at: place)
        for index in devices.indices where merge.strangers.contains(devices[index].id) {
            devices[index].toldApart.insert(newcomer.id)
        }
    }

    /// The newcomer leaves the rules that hold it now: those of the device that it was taken for.
    private func guardUndo(of merge: Merge, from current: Device, at now: Date) throws(Refusal) {
        var leaving = merge.newcomer
        guard holders(of: leaving) != holders(of: current) || leaving.kind.isExempt && !current.kind.isExempt
        else {
            return
        }
        leaving.person = current.person
        leaving.family = current.family
        leaving.kind = current.kind
        try guardStrict(device: leaving, at: now)
        try guardWaiting(device: leaving)
    }
}

extension Device {
    /// Whether nobody changed it: addresses come and go, and what the network calls it.
    fileprivate func saysTheSame(as other: Device) -> Bool {
        person == other.person && family == other.family && isConfirmed == other.isConfirmed
            && kind == other.kind
            && isNamed == other.isNamed && (name == other.name || !isNamed)
            && hasNoMobileData == other.hasNoMobileData && trustedAuthority == other.trustedAuthority
            && departure == other.departure && left == other.left && leaves == other.leaves
            && Set(hardware) == Set(other.hardware)
    }
}
