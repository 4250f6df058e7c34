import Foundation
import NIOCore
import Policy
import Store

/// Delivers verified minutes to the person's destination: a call for this server, a letter for another.
struct VerifiedDelivery: Sendable {
    let desk: Desk
    let courier: Courier

    /// The result of an upload; a failure is a sentence.
    func deliver(_ upload: VerifiedUpload, of person: Person) async throws -> UploadResult {
        var result = UploadResult(
            date: upload.date, minutes: upload.verifiedMinutes, at: desk.clock.now(),
            destination: person.verified.destination)
        guard let server = person.verified.server else {
            result.outcome = try desk.store.receive(upload, with: nil, for: person.id, at: desk.clock.now())
            return result
        }
        let sent = try await send(upload.json, .post, VerifiedServer.uploadPath, to: server, of: person.id)
        switch sent {
        case .failure(let failure): result.failure = failure.words
        case .success(let body): result.outcome = VerifiedJSON.outcome(body, of: upload.date)
        }
        result.at = desk.clock.now()
        return result
    }

    /// Why a sync failed, in a sentence; nil if it worked.
    func deliver(_ connection: VerifiedConnection, of person: Person) async throws -> String? {
        guard let server = person.verified.server else {
            try desk.store.receive(connection, with: nil, for: person.id, at: desk.clock.now())
            return nil
        }
        let sent = try await send(
            connection.json, .patch, VerifiedServer.connectionPath, to: server, of: person.id)
        if case .failure(let failure) = sent { return failure.words }
        return nil
    }

    private func send(
        _ body: JSONValue, _ method: Courier.Method, _ path: String, to server: VerifiedServer,
        of person: PersonID
    ) async throws -> Result<[UInt8], DeliveryFailure> {
        guard let token = try desk.store.outboundToken(of: person, for: server) else {
            return .failure(.noToken)
        }
        let letter = Courier.Letter(
            method: method, url: server.endpoint(path), token: token, body: body.bytes)
        switch await courier.deliver(letter) {
        case .failed(let words): return .failure(DeliveryFailure(words: words))
        case .reply(200..<300, let body): return .success(body)
        case .reply(let status, let body): return .failure(DeliveryFailure(status: status, body: body))
        }
    }
}

/// Why a letter was refused, in words.
struct DeliveryFailure: Error {
    let words: String

    init(words: String) { self.words = words }

    static let noToken = DeliveryFailure(
        words: "There is no access token for this address any more. Enter it again under Setup.")

    init(status: Int, body: [UInt8]) {
        words =
            switch status {
            case 300..<400:
                "The server redirects to another address. Enter that address under Setup."
            case 401, 403: "The server does not accept this access token. Enter a new one under Setup."
            case 404, 405, 410: "No server at this address accepts minutes. Check it under Setup."
            case 413: "The server finds the selection too large."
            case 429: "The server is busy. Try again in a minute."
            case 500...: "The server has a problem (\(status)). Try again later."
            default: "The server refused it (\(status))\(Self.reason(body))."
            }
    }

    /// The title of a problem document, shortened.
    private static func reason(_ body: [UInt8]) -> String {
        struct Named: Decodable { var title: String? }
        guard let title = (try? JSONDecoder().decode(Named.self, from: Data(body)))?.title else { return "" }
        let clean = String(
            title.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(160))
        return ": " + clean.trimmingCharacters(in: .init(charactersIn: " ."))
    }
}
