import Foundation

extension Person {
    /// What the Windows layer blocks at an instant, and when that can change.
    struct WindowsHold {
        /// One for each set that is closed; the one that lasts longest comes first, so that it says until when a name is
        /// blocked that is in several.
        var blocks: [Block] = []
        var changes: Date?
        /// When the next block of an open set begins.
        var nextBlock: Date?
    }

    func windowsHold(at now: Date, in zone: CivilZone) -> WindowsHold {
        var hold = WindowsHold()
        // Midnight makes the override available again, and pages show that.
        var changes = [antiRot.override.end(at: now), antiRot.override.resets(at: now, in: zone)]
        let today = zone.date(of: now)
        for set in antiRot.sets {
            let status = windowsStatus(of: set, at: now, in: zone)
            changes.append(status.until)
            guard status.isBlocked else {
                hold.nextBlock = [hold.nextBlock, status.until].compactMap { $0 }.min()
                continue
            }
            let since = blockedSince(set, at: now, in: zone)
            // Without windows the block's start is unknown: pages say today, so midnight changes it.
            if since == nil { changes.append(zone.dayStart(today.adding(days: 1))) }
            hold.blocks.append(
                Block(
                    layer: .windows, scope: .only(set.chosen), since: since ?? zone.dayStart(today),
                    until: status.until))
        }
        hold.blocks.sort { ($0.until ?? .distantFuture) > ($1.until ?? .distantFuture) }
        hold.changes = changes.compactMap { $0 }.min()
        return hold
    }

    /// When the current block began: when the last window closed or the last override ended; nil if neither did.
    private func blockedSince(_ set: WindowSet, at now: Date, in zone: CivilZone) -> Date? {
        let closed = allowedWindows(of: set, in: zone).lastClosing(before: now)
        let overridden = antiRot.override.lastUsedDate?.addingTimeInterval(OverrideState.duration)
        return [closed, overridden].compactMap { $0 }.filter { $0 <= now }.max()
    }
}
