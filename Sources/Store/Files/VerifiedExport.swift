import Foundation
import GRDB
import Policy

/// A person's received verified minutes, as `export` prints them; of tokens only the numbers.
struct VerifiedExport: Encodable {
    struct Upload: Encodable {
        var token: Int64?
        var date: CivilDate
        var verifiedMinutes: Int
        var source: String
        var timezone: String
        var computedAt: Date
        var receivedAt: Date

        init(_ upload: ReceivedUpload) {
            token = upload.token
            date = upload.date
            verifiedMinutes = upload.minutes
            source = upload.source
            timezone = upload.timezone
            computedAt = upload.computedAt
            receivedAt = upload.receivedAt
        }
    }

    struct Connection: Encodable {
        var token: Int64?
        var enabled: Bool
        var timezone: String
        var encodedPlistBase64: String?
        var receivedAt: Date

        init(_ connection: ReceivedConnection) {
            token = connection.token
            enabled = connection.isEnabled
            timezone = connection.timezone
            encodedPlistBase64 = connection.selection?.encodedPlistBase64
            receivedAt = connection.receivedAt
        }
    }

    var person: Int64
    var uploads: [Upload]
    /// One at most.
    var connections: [Connection]

    /// For each person with received data.
    static func all(_ db: Database, of people: [PersonID]) throws -> [VerifiedExport] {
        try people.compactMap { person in
            let received = VerifiedExport(
                person: person.rawValue,
                uploads: try VerifiedUploadRecord.uploads(db, of: person, limit: .max).map(Upload.init),
                connections: [try VerifiedUploadRecord.connection(db, of: person)].compactMap {
                    $0.map(Connection.init)
                })
            return received.uploads.isEmpty && received.connections.isEmpty ? nil : received
        }
    }
}
