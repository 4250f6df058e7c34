package import Foundation

extension Household {
    /// What holds for everybody at an instant, and for how long. Linear in people and devices.
    ///
    /// The caller settles the household to the same instant first: a night without a session blocks nothing. The first
    /// reason that applies decides a name; each escape lifts only its own layer:
    ///
    /// 1. Always reachable: phones leave the Wi-Fi, and with it the block, when these fail.
    /// 2. Help: a device that asked for it reaches calls, messages, maps and health, in any mode.
    /// 3. Sleep: everything but the selection that was allowed when the session started.
    /// 4. Windows: the apps of each set, outside its allowed windows, while no override runs.
    /// 5. Limits: apps and categories that used up their minutes, except those on probation.
    /// 6. Focus: the restricted apps while the timer runs, if the person switched that on.
    /// 7. Otherwise allowed.
    ///
    /// 1 and 2 depend on name and device (`Snapshot.verdict`). From 3 on, they are a verdict's blocks in this order,
    /// which is also the order of `Layer`.
    package func evaluate(at now: Date, usage: UsageTotals = .none) -> [PersonID: Verdict] {
        let zone = self.zone
        let changes = devicesChange(after: now)
        return Dictionary(
            people.map {
                ($0.id, $0.verdict(at: now, in: zone, usage: usage, devicesChange: changes[$0.id]))
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// Per person, the next instant at which Help on one of their devices opens more or ends, or a device leaves.
    private func devicesChange(after now: Date) -> [PersonID: Date] {
        var changes: [PersonID: Date] = [:]
        // By index: to copy ten thousand devices takes longer than to look at them.
        for index in devices.indices {
            guard devices[index].isSomebodys, devices[index].isAwaitingAnEnd else { continue }
            let departure = devices[index].departure?.due
            for instant in [devices[index].helpMessagesFrom, devices[index].helpUntil, departure] {
                guard let instant, instant > now else { continue }
                for person in holders(of: devices[index]).people {
                    changes[person] = min(changes[person] ?? instant, instant)
                }
            }
        }
        return changes
    }
}

extension Person {
    fileprivate func verdict(
        at now: Date, in zone: CivilZone, usage: UsageTotals, devicesChange: Date?
    ) -> Verdict {
        let running = session.flatMap { $0.isRunning(at: now) ? $0 : nil }
        let nextStart = onceEnded(running, in: zone).nights(in: zone)?.nextNight(after: now)?.start
        let windows = windowsHold(at: now, in: zone)
        let limits = limitsHold(at: now, in: zone, usage: usage)
        let focus = focusHold(at: now)
        let changes = [
            running?.due, nextStart, devicesChange, windows.changes, limits.changes, focus.changes,
            pending.first?.due, wishesChange(after: now, in: zone),
        ]
        let sleep = running?.block(until: asleepUntil(at: now, in: zone))
        var blocks = [sleep].compactMap { $0 }
        blocks += windows.blocks
        blocks += limits.blocks
        blocks += [focus.block].compactMap { $0 }
        return Verdict(
            person: id, blocks: blocks,
            validUntil: changes.compactMap { $0 }.filter { $0 > now }.min(),
            nextStart: nextStart,
            nextBlock: [nextStart, windows.nextBlock].compactMap { $0 }.min())
    }
}

extension Person {
    /// As they will be when a session ends or is cancelled: it uses up its night, also in a schedule that was saved since.
    package func onceEnded(_ session: SleepSession?, in zone: CivilZone) -> Person {
        guard let session, session.pause == nil else { return self }
        var later = self
        later.markDone(session, in: zone)
        return later
    }
}

extension SleepSession {
    /// `until` is what people are told, so not the end of a cancel, which can still be taken back.
    fileprivate func block(until end: Date?) -> Block {
        Block(layer: .sleep, scope: .everythingBut(allowed), since: startedAt, until: end)
    }
}
