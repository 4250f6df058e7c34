import Foundation

extension Person {
    /// What the Windows layer blocks at an instant, and when that can change.
    struct WindowsHold {
        var block: Block?
        var changes: Date?
        /// When the next block begins; nil while one holds.
        var nextBlock: Date?
    }

    func windowsHold(at now: Date, in zone: CivilZone) -> WindowsHold {
        let status = windowsStatus(at: now, in: zone)
        // Midnight makes the override available again, and pages show that.
        let resets = antiRot.override.resets(at: now, in: zone)
        var changes = [status.until, status.overrideEnd, resets]
        guard status.isBlocked, let restricted = antiRot.restricted else {
            return WindowsHold(changes: changes.compactMap { $0 }.min(), nextBlock: status.until)
        }
        let today = zone.date(of: now)
        let since = blockedSince(at: now, in: zone)
        // Without windows the block's start is unknown: pages say today, so midnight changes it.
        if since == nil { changes.append(zone.dayStart(today.adding(days: 1))) }
        let block = Block(
            layer: .windows, scope: .only(restricted), since: since ?? zone.dayStart(today),
            until: status.until)
        return WindowsHold(block: block, changes: changes.compactMap { $0 }.min())
    }
}

extension Person {
    /// When the current block began: when the last window closed or the last override ended; nil if neither did.
    fileprivate func blockedSince(at now: Date, in zone: CivilZone) -> Date? {
        let closed = allowedWindows(in: zone).lastClosing(before: now)
        let overridden = antiRot.override.lastUsedDate?.addingTimeInterval(OverrideState.duration)
        return [closed, overridden].compactMap { $0 }.filter { $0 <= now }.max()
    }
}
