import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Policy
import Store

extension Desk {
    /// The most that a form may weigh, in bytes.
    static let maximumForm = 64 * 1024

    /// Reads a posted form; 413, 415 or 400 where it is none, 403 where a login's token is missing or wrong.
    ///
    /// `checksToken` is false where a stale page must not stand in the way and the Origin check has to do.
    func form(
        _ request: Request, _ visit: Visit, checksToken: Bool = true,
        maximumValue: Int = FormFields.maximumValueBytes
    ) async throws -> FormFields {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.maximumForm {
            throw PageError(.contentTooLarge)
        }
        let body = try await request.body.collect(upTo: Self.maximumForm)
        if body.readableBytes > 0 {
            let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased()
            guard type == "application/x-www-form-urlencoded" else {
                throw PageError(.unsupportedMediaType, "Forms are sent as application/x-www-form-urlencoded.")
            }
        }
        let fields = try FormFields(body, maximumValue: maximumValue)
        if checksToken { try checkToken(fields, visit) }
        return fields
    }

    /// The asker, with the form that they sent.
    func posted(_ request: Request, _ visit: Visit) async throws -> (asker: Asker, fields: FormFields) {
        let fields = try await form(request, visit)
        return (try asker(request, visit, fields), fields)
    }

    /// Whoever asks by a button without a field.
    func pressed(_ request: Request, _ visit: Visit) async throws -> Asker {
        let (asker, fields) = try await posted(request, visit)
        var reading = FormReading(fields)
        try reading.finish()
        return asker
    }

    /// 403 where a login's token is missing or wrong.
    func checkToken(_ fields: FormFields, _ visit: Visit) throws {
        guard let login = visit.login else { return }
        let sent = fields.all("csrf")
        guard sent.count == 1, constantTimeEqual(sent[0], login.csrf) else { throw PageError(.forbidden) }
    }
}
