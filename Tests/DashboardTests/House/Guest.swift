import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Store
import Testing

/// A browser or program on one device. It keeps its cookie and finds the form token, as a browser does.
struct Guest: Sendable {
    let client: any TestClientProtocol
    let house: TestHouse
    var cookie: String?
    var csrf: String?
    var address = TestHouse.phone
    var headers: HTTPFields = [:]

    init(client: any TestClientProtocol, house: TestHouse) {
        self.client = client
        self.house = house
    }

    /// The same device with a login.
    func signedIn() throws -> Guest {
        let login = try house.store.createLogin(at: house.clock.now)
        var guest = self
        guest.cookie = "si=\(login.token)"
        guest.csrf = login.csrf
        return guest
    }

    func at(_ address: String) -> Guest {
        var guest = self
        guest.address = address
        return guest
    }

    func with(_ name: HTTPField.Name, _ value: String) -> Guest {
        var guest = self
        guest.headers[name] = value
        return guest
    }

    func get(_ path: String, method: HTTPRequest.Method = .get) async throws -> TestResponse {
        try await send(path, method, ByteBuffer?.none)
    }

    /// Posts fields, with the login's token unless the test gives another.
    func post(_ path: String, _ fields: [(String, String)] = [], csrf: String?? = .none) async throws
        -> TestResponse
    {
        var fields = fields
        if let token = csrf ?? self.csrf { fields.append(("csrf", token)) }
        let body = fields.map { "\($0.0.formEscaped)=\($0.1.formEscaped)" }.joined(separator: "&")
        return try await send(path, .post, body, type: "application/x-www-form-urlencoded")
    }

    func postRaw(_ path: String, _ body: String, type: String = "application/x-www-form-urlencoded")
        async throws
        -> TestResponse
    {
        try await send(path, .post, body, type: type)
    }

    func postBytes(_ path: String, _ body: Data, type: String) async throws -> TestResponse {
        try await send(path, .post, ByteBuffer(bytes: body), type: type)
    }

    func json(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws
        -> TestResponse
    {
        try await send(path, method, body, type: body == nil ? nil : "application/json")
    }

    private func send(
        _ path: String, _ method: HTTPRequest.Method, _ body: String?, type: String? = nil
    ) async throws -> TestResponse {
        try await send(path, method, body.map { ByteBuffer(string: $0) }, type: type)
    }

    private func send(
        _ path: String, _ method: HTTPRequest.Method, _ body: ByteBuffer?, type: String? = nil
    ) async throws -> TestResponse {
        var fields = headers
        fields[.testAddress] = address
        if let cookie { fields[.cookie] = cookie }
        if let type { fields[.contentType] = type }
        return try await client.executeRequest(
            uri: path, method: method, headers: fields, body: body)
    }
}

extension String {
    var formEscaped: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
    var location: String? { headers[.location] }
    var setCookie: String? { headers[.setCookie] }

    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.readableBytesView))) as? [String: Any] ?? [:]
    }

    /// The body as a list of objects.
    var list: [[String: Any]] {
        (try? JSONSerialization.jsonObject(with: Data(body.readableBytesView))) as? [[String: Any]] ?? []
    }
}
