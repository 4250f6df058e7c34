package import Foundation
import Logging
import Policy
import Synchronization

/// What a change promises.
package enum Keeping: Hashable, Sendable {
    /// It survives a restart, or is refused: a rule that the next restart forgets would be no rule.
    case onDisk
    /// It holds now, for a way out or the end of a session, which must not wait for a disk.
    case evenInMemory
}

/// Log lines and sessions that the disk refused. The household itself is compared with the rows.
struct Held {
    var entries: [LogEntry] = []
    var past: [PastSession] = []

    func adding(_ entries: [LogEntry], _ past: [PastSession]) -> Held {
        let known = Set(self.entries)
        let news = entries.map(\.asStored).filter { !known.contains($0) }
        let places = Set(past.map(\.id))
        return Held(
            entries: EventLog.newest(self.entries + news),
            past: (self.past.filter { !places.contains($0.id) } + Self.earliest(self.past + past, of: places))
                .suffix(EventLog.limit))
    }

    /// Of each id, the session that counts.
    private static func earliest(_ sessions: [PastSession], of ids: Set<UUID>) -> [PastSession] {
        let known = Dictionary(grouping: sessions.filter { ids.contains($0.id) }, by: \.id)
        return known.values.compactMap { $0.min { $0.precedes($1) } }.sorted { $0.startedAt < $1.startedAt }
    }
}

extension HouseholdStore.State {
    var isHolding: Bool { household != stored || !held.entries.isEmpty || !held.past.isEmpty }
}

extension HouseholdStore {
    /// Whether the disk refused something; then `catchUp` is worth calling.
    package var isBehind: Bool { state.withLock { $0.trouble != nil } || isOwing }

    /// Whether the rows lack something.
    private var isOwing: Bool {
        state.withLock { $0.isHolding || $0.sharing?.isBehind == true }
            || access.withLock { $0.rows != $0.stored }
    }

    /// Writes what is held if the disk takes it by now. If the disk was full or read-only at the start, it opens the
    /// database first. Call it every few seconds while `isBehind`.
    package func catchUp(at now: Date) {
        do {
            try openAnew(at: now)
            try setLastInstant(now)
            try change { _ in }
        } catch {
            log.debug("The disk does not accept changes yet: \(error)")
        }
    }

    /// One calm paragraph for every page while the disk refuses changes; nil otherwise.
    package var diskNotice: String? {
        guard let trouble = state.withLock({ $0.trouble }) else { return nil }
        let reason =
            switch trouble {
            case .diskFull: "The disk is full."
            case .readOnly: "The disk is read-only."
            case .busy: "Another program is using the database."
            default: "The disk reports an error."
            }
        return reason + " Blocking goes on. Help, Emergency Reset, cancelling and logging in work, but are "
            + "lost if Sleep Inducer restarts before the disk works again. Other changes cannot be saved."
    }

    /// One calm paragraph for every page while this machine cannot ask the other nodes; nil otherwise.
    package var cutOffNotice: String? {
        guard let reason = cutOffReason else { return nil }
        return
            "This machine cannot ask the household's other machines: \(reason). The rules hold as before. Help, "
            + "Emergency Reset, cancelling and logging in work here, and the others are told later. Other changes "
            + "cannot be saved."
    }

    /// Why the other nodes cannot be asked; nil: they can.
    package var cutOffReason: String? { state.withLock { $0.cutOff } }

    /// Logs it once, however often the disk refuses. Returns the error to throw.
    func isInTrouble(_ error: StoreError) -> StoreError {
        guard error.isAboutDisk else { return error }
        // A stand-in only says that it is read-only; the fault from the start says more.
        let (first, kept) = state.withLock { state in
            let first = state.trouble == nil
            if first { state.trouble = error }
            return (first, state.trouble ?? error)
        }
        if first, let diskNotice { log.error("\(diskNotice)", metadata: ["error": "\(error)"]) }
        return isStandIn ? kept : error
    }

    /// Notes that a write succeeded. While more waits to be written, the trouble is not over.
    func isInOrder() {
        guard !isOwing else { return }
        let was = state.withLock { state -> StoreError? in
            defer { state.trouble = nil }
            return state.trouble
        }
        if was != nil { log.notice("The disk accepts changes again") }
    }
}

extension StoreError {
    /// Whether the disk is at fault, or another program that holds the file, and not the change.
    var isAboutDisk: Bool {
        switch self {
        case .diskFull, .readOnly, .disk, .cannotOpen, .damaged, .busy: true
        default: false
        }
    }
}
