import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Policy
import Store

/// An error for programs: `application/problem+json` (RFC 9457) with a code that never changes.
///
/// Refusals of rules keep their own codes (`Policy.Refusal`); all other codes are in `Code`.
struct Problem: Error {
    enum Code: String {
        case invalidJSON = "invalid-json"
        case invalidInput = "invalid-input"
        /// Two members have the same name, or say the same thing.
        case repeated
        case dateOutOfRange = "date-out-of-range"
        case cutOff = "cut-off"
        case tooLarge = "too-large"
        case unsupportedMediaType = "unsupported-media-type"
        case unauthorized, forbidden
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case notSetUp = "not-set-up"
        case notConfirmed = "not-confirmed"
        case rateLimited = "rate-limited"
        case busy
        /// The household was changed since the revision in `If-Match`.
        case changed
        case storage = "storage-unavailable"
        /// The household is on several machines, and this one cannot ask the others.
        case machinesUnreachable = "machines-unreachable"
        case internalError = "internal-error"
    }

    let code: String
    let status: HTTPResponse.Status
    let title: String
    /// Reasons by the names of the members.
    let errors: [String: String]

    init(_ code: Code, _ detail: String? = nil, errors: [String: String] = [:]) {
        let (status, title) = Self.words(code)
        self.code = code.rawValue
        self.status = status
        self.title = detail ?? title
        self.errors = errors
    }

    /// - Parameter member: the member that the refusal is about.
    init(_ refusal: Refusal, at member: String? = nil) {
        code = refusal.code
        title = refusal.message
        errors = member.map { [$0: refusal.message] } ?? [:]
        switch refusal {
        case .unknownPerson, .unknownDevice, .unknownOwnApp, .unknownWebhook: status = .notFound
        default: status = refusal.isAboutInput ? .unprocessableContent : .conflict
        }
    }

    /// Any error. Unforeseen ones go to the log, and the program learns no details.
    init(_ error: any Error, logger: Logger) {
        switch error {
        case let problem as Problem: self = problem
        case let refusal as Refusal: self.init(refusal)
        case let rejected as FormRejected: self.init(.invalidInput, errors: rejected.reasons)
        case is NIOTooManyBytesError: self.init(.tooLarge)
        case is Overtaken: self.init(.changed)
        case _ where error.isCutOff: self.init(.cutOff)
        case let error as PageError: self.init(Self.code(error.status), error.reason)
        case let error as HTTPError: self.init(Self.code(error.status))
        case _ where error.isAboutTheWire:
            logger.debug("A request could not be read", metadata: ["error": "\(error)"])
            self.init(.invalidJSON)
        case StoreError.cutOff: self.init(.machinesUnreachable, "\(error)")
        case is StoreError:
            logger.error("A change could not be stored", metadata: ["error": "\(error)"])
            self.init(.storage)
        default:
            logger.error("A request failed", metadata: ["error": "\(error)"])
            self.init(.internalError)
        }
    }

    var response: Response {
        var members: [(key: String, value: JSONValue)] = [
            ("type", .string("about:blank")), ("status", .int(status.code)), ("code", .string(code)),
            ("title", .string(title)),
        ]
        if !errors.isEmpty {
            members.append(
                ("errors", .object(errors.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })))
        }
        var response = Response.json(.object(members), status: status)
        response.headers[.contentType] = "application/problem+json"
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    private static func code(_ status: HTTPResponse.Status) -> Code {
        switch status {
        case .unauthorized, .seeOther: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .contentTooLarge: .tooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .serviceUnavailable: .busy
        case .badRequest: .invalidJSON
        case .requestTimeout: .cutOff
        case .unprocessableContent: .invalidInput
        default: .internalError
        }
    }

    private static func words(_ code: Code) -> (HTTPResponse.Status, String) {
        switch code {
        case .invalidJSON: (.badRequest, "The body is not the expected JSON.")
        case .invalidInput: (.unprocessableContent, "A value in the body is not valid.")
        case .dateOutOfRange: (.unprocessableContent, "There is no data for this day.")
        case .repeated: (.unprocessableContent, "A value was sent more than once.")
        case .cutOff: (.requestTimeout, "The body is incomplete. Nothing was changed.")
        case .tooLarge: (.contentTooLarge, "The body is too large.")
        case .unsupportedMediaType: (.unsupportedMediaType, "Send application/json.")
        case .unauthorized: (.unauthorized, "Send a valid token: Authorization: Bearer …")
        case .forbidden: (.forbidden, "This is not allowed.")
        case .notFound: (.notFound, "There is nothing here.")
        case .methodNotAllowed: (.methodNotAllowed, "This address does not accept this method.")
        case .notSetUp: (.forbidden, "The household is not set up yet.")
        case .notConfirmed: (.unprocessableContent, "Send {\"confirm\": true}. Nothing was reset.")
        case .rateLimited:
            (.tooManyRequests, "This token sends too many requests. Wait a moment.")
        case .busy: (.serviceUnavailable, "The server is busy. Try again in a moment.")
        case .changed:
            (
                .preconditionFailed,
                "Something was changed since you read it. Nothing was stored. Read it again."
            )
        case .storage: (.serviceUnavailable, "The change could not be stored. Nothing was changed.")
        case .machinesUnreachable:
            (.serviceUnavailable, "The household's other machines cannot be asked. Nothing was changed.")
        case .internalError: (.internalServerError, "Something went wrong here.")
        }
    }
}
