import Policy
import Store

extension LogEntry {
    /// What the log says of a session that began or ended by itself.
    init(_ event: SessionEvent) {
        switch event.kind {
        case .started: self.init(.sessionStarted, person: event.person, at: event.instant)
        case .ended(.clock):
            self.init(.sessionEnded, person: event.person, at: event.instant, detail: "The clock was set back.")
        case .ended(.elapsed): self.init(.sessionEnded, person: event.person, at: event.instant)
        case .ended(.cancelled): self.init(.sessionCancelled, person: event.person, at: event.instant)
        case .ended(.reset): self.init(.sessionReset, person: event.person, at: event.instant)
        }
    }
}
