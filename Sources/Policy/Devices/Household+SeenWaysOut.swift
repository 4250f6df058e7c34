package import Foundation

extension Household {
    /// Whether adults are told of ways out on a device: on a child's, while there is an adult.
    package func isWatched(_ device: Device) -> Bool {
        device.person.flatMap { self[person: $0] }?.role == .child && people.contains { $0.role == .adult }
    }

    /// Whether a way out is to be told, and was not noted for a day.
    package func isNews(_ kind: SeenWayOut.Kind, on id: DeviceID, at now: Date) -> Bool {
        guard let device = self[device: id], isWatched(device) else { return false }
        // An adult who opened VPNs need not be told.
        if kind == .vpn, device.person.flatMap({ self[person: $0] })?.opensWaysOut == true { return false }
        return !device.waysOut.contains { $0.kind == kind && $0.isKept(at: now) }
    }

    /// Notes a way out, if it is news. It is told when it is due.
    package mutating func note(
        _ kind: SeenWayOut.Kind, on id: DeviceID, since: Date? = nil, at now: Date
    ) {
        guard isNews(kind, on: id, at: now), let index = devices.firstIndex(where: { $0.id == id }) else {
            return
        }
        devices[index].waysOut.removeAll { $0.kind == kind }
        devices[index].waysOut.append(
            SeenWayOut(kind, since: since ?? now, due: now.addingTimeInterval(kind.patience)))
        settleWaysOut(index, at: now)
    }

    /// Notes that a way out is closed. One that was not told yet was none.
    package mutating func mend(_ kind: SeenWayOut.Kind, on id: DeviceID) {
        guard let index = devices.firstIndex(where: { $0.id == id }),
            let place = devices[index].waysOut.firstIndex(where: { $0.kind == kind && !$0.isMended })
        else { return }
        if devices[index].waysOut[place].isTold {
            devices[index].waysOut[place].isMended = true
        } else {
            devices[index].waysOut.remove(at: place)
        }
    }

    /// Notes the ways out that its devices' questions and addresses show, and mends those that are closed.
    ///
    /// - Parameters:
    ///   - asked: when devices asked here last, where that is later than their `lastSeen`.
    ///   - silent: the pages that they opened meanwhile.
    package mutating func lookForWaysOut(
        asked: [DeviceID: Date], silent: [DeviceID: SilentSpan], at now: Date
    ) {
        func latest(_ device: Device) -> Date { max(device.lastSeen, asked[device.id] ?? .distantPast) }
        for (id, span) in silent.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let device = self[device: id], span.isTelling(asked: latest(device)) else { continue }
            note(.asksElsewhere, on: id, since: span.first, at: now)
        }
        let returned = Set(returns.map(\.known.id))
        for id in returned.sorted(by: { $0.rawValue < $1.rawValue }) { note(.newAddress, on: id, at: now) }
        for index in devices.indices where !devices[index].waysOut.isEmpty {
            let device = devices[index]
            for seen in device.waysOut where !seen.isMended {
                let isClosed =
                    switch seen.kind {
                    case .asksElsewhere: latest(device) > seen.since
                    case .newAddress: !returned.contains(device.id)
                    case .secondServer, .vpn: false
                    }
                if isClosed { mend(seen.kind, on: device.id) }
            }
        }
    }

    /// Tells what is due, and forgets what is a day old or is no child's any more.
    mutating func settleWaysOut(_ index: Int, at now: Date) {
        let isWatched = isWatched(devices[index])
        var kept = devices[index].waysOut.filter { isWatched && $0.isKept(at: now) }
        for place in kept.indices where kept[place].due <= now { kept[place].isTold = true }
        // Where nothing is due, the devices stay the same array, which compares at once.
        if kept != devices[index].waysOut { devices[index].waysOut = kept }
    }

    /// What was told since.
    func waysOutTold(since old: Household) -> [(device: Device, seen: SeenWayOut)] {
        waysOut { $0.isTold }.filter { device, seen in
            !old.hasWayOut(seen, on: device.id) { $0.isTold }
        }
    }

    /// What is mended since it was told.
    func waysOutMended(since old: Household) -> [(device: Device, seen: SeenWayOut)] {
        waysOut { $0.isMended }.filter { device, seen in
            old.hasWayOut(seen, on: device.id) { $0.isOpen }
        }
    }

    private func waysOut(where holds: (SeenWayOut) -> Bool) -> [(device: Device, seen: SeenWayOut)] {
        // By index: to copy ten thousand devices takes longer than to look at them.
        devices.indices.filter { !devices[$0].waysOut.isEmpty }.flatMap { index in
            devices[index].waysOut.filter(holds).map { (device: devices[index], seen: $0) }
        }
    }

    private func hasWayOut(
        _ seen: SeenWayOut, on id: DeviceID, where holds: (SeenWayOut) -> Bool
    ) -> Bool {
        self[device: id]?.waysOut.contains {
            $0.kind == seen.kind && $0.since == seen.since && holds($0)
        } ?? false
    }
}
