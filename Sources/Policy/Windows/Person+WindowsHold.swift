import Foundation

extension Person {
    /// What the Windows layer holds back at an instant, and when that can change.
    struct WindowsHold {
        var block: Block?
        var changes: Date?
        /// When the next block begins, while none holds.
        var nextBlock: Date?
    }

    func windowsHold(at now: Date, in zone: CivilZone) -> WindowsHold {
        // Midnight gives today's override back, which pages tell.
        let midnight =
            antiRot.override.isUsed(at: now, in: zone)
            ? zone.dayStart(zone.date(of: now).adding(days: 1)) : nil
        guard antiRot.isConfigured, let restricted = antiRot.restricted else {
            return WindowsHold(changes: [antiRot.override.end(at: now), midnight].compactMap { $0 }.min())
        }
        let windows = AllowedWindows(antiRot.windows ?? [], in: zone)
        let status = antiRot.status(at: now, in: zone)
        let changes = [windows.nextChange(after: now), status.overrideEnd, midnight].compactMap { $0 }.min()
        guard status.isBlocked else { return WindowsHold(changes: changes, nextBlock: status.until) }
        let since = windows.lastClosing(before: now) ?? zone.dayStart(zone.date(of: now))
        let block = Block(layer: .windows, scope: .only(restricted), since: since, until: status.until)
        return WindowsHold(block: block, changes: changes)
    }
}
