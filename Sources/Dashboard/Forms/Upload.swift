import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A posted form with a file.
struct Upload {
    let fields: FormFields
    /// Nil if the form had none.
    let file: Data?
}

extension Desk {
    /// Reads a form with a file; throws 415 or 400 if it is none, 403 if a login's token is missing or wrong, and
    /// `NIOTooManyBytesError` for a file over `limit` bytes.
    func upload(_ request: Request, _ visit: Visit, upTo limit: Int) async throws -> Upload {
        guard let type = request.headers[.contentType], type.lowercased().hasPrefix("multipart/form-data")
        else {
            throw PageError(.unsupportedMediaType, "Files are sent as multipart/form-data.")
        }
        let body = try await request.body.collect(upTo: limit + 64 * 1024)
        let form: MultipartForm
        do { form = try MultipartForm(Data(body.readableBytesView), type: type) } catch {
            throw PageError(.badRequest, "The form could not be read.")
        }
        guard (form.file?.count ?? 0) <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
        try checkToken(form.fields, visit)
        return Upload(fields: form.fields, file: form.file)
    }
}
