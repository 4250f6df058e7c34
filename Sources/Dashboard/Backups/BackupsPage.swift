package import Foundation
import Pages
package import Store

/// `/settings/backups`: a backup to download, the backups that are here, and a file to look at. The forms:
///
/// POST `/settings/backups` with `file` (multipart) keeps a file and leads to its preview, GET `/settings/backups/look`
/// with `file`, the name of a backup that is here.
package struct BackupsPage: Page {
    package static let template = "backups"
    /// In bytes; years of a household's history are smaller.
    static let maximum = 32 * 1_024 * 1_024

    struct Row {
        /// The name of the file, as a part of an address.
        let query: String
        let title: String
        /// `today at 03:00`
        let written: String
    }

    package let title = "Backups"
    let maximumText = "32 MB"
    let maximumBytes = Self.maximum
    let rows: [Row]
    let hasRows: Bool
    /// Why a file cannot be looked at.
    let error: String?
    /// Why the last restore did not happen.
    let fault: String?

    package init(
        _ backups: [KeptBackup], error: String? = nil, fault: String? = nil, now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        rows = backups.filter { $0.kind != .chosen }.map {
            Row(query: $0.query, title: $0.kind.title, written: clock.past($0.writtenAt, from: now))
        }
        hasRows = !rows.isEmpty
        (self.error, self.fault) = (error, fault)
    }
}

extension KeptBackup {
    var query: String {
        let allowed = CharacterSet.urlQueryAllowed.subtracting(CharacterSet(charactersIn: "&+=#?"))
        return "file=" + (name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
    }
}

extension KeptBackup.Kind {
    var title: String {
        switch self {
        case .daily: "Made by itself"
        case .beforeRestore: "Before a restore"
        case .chosen: "The file that you chose"
        case .other: "Before an upgrade"
        }
    }
}

/// The page while the server begins anew.
package struct RestoringPage: Page {
    package static let template = "restoring"

    package let title = "Restoring"

    package init() {}
}
