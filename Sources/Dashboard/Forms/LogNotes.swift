import Foundation
import Policy
import Store

extension [LogEntry] {
    /// A session that began or ended.
    mutating func append(_ event: SessionEvent) {
        let kind: LogEntry.Kind =
            switch event.kind {
            case .started: .sessionStarted
            case .ended(.cancelled): .sessionCancelled
            case .ended(.reset): .sessionReset
            case .ended: .sessionEnded
            }
        append(
            LogEntry(kind, person: event.person, at: event.instant, detail: event.session.strictness.rawValue)
        )
    }

    mutating func note(
        _ kind: LogEntry.Kind, _ person: PersonID?, _ device: DeviceID? = nil, at now: Date,
        _ detail: String = ""
    ) {
        append(LogEntry(kind, person: person, device: device, at: now, detail: detail))
    }
}

extension FormRejected {
    /// By field name, without the reasons about the whole form.
    var forPage: [String: String] { reasons.filter { !$0.key.isEmpty } }
}
