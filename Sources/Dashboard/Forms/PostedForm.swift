import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Policy
import Store

extension Desk {
    /// The longest form, in bytes.
    static let maximumForm = 64 * 1024

    /// Reads a posted form; throws 413, 415 or 400 if it is none, and 403 if a login's token is missing or wrong.
    ///
    /// `checksToken` is false if an old page must still work, so that only the Origin check protects it.
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
        Caller.current?.sent.answered = PageContext.Answered(action: request.uri.path, pairs: fields.pairs)
        if checksToken { try checkToken(fields, visit) }
        return fields
    }

    /// The asker and their form.
    func posted(_ request: Request, _ visit: Visit) async throws -> (asker: Asker, fields: FormFields) {
        let fields = try await form(request, visit)
        return (try asker(request, visit, fields), fields)
    }

    /// The asker who pressed a button without fields.
    func pressed(_ request: Request, _ visit: Visit) async throws -> Asker {
        let (asker, fields) = try await posted(request, visit)
        var reading = FormReading(fields)
        try reading.finish()
        return asker
    }

    /// Throws 403 if a login's token is missing or wrong.
    func checkToken(_ fields: FormFields, _ visit: Visit) throws {
        guard let login = visit.login else { return }
        let sent = fields.all("csrf")
        guard sent.count == 1, FormToken.matches(sent[0], login.csrf) else { throw PageError(.forbidden) }
    }
}
