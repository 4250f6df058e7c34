import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Policy

/// Sends the household's requests to typed addresses: only where `Reach` allows, to exactly the address that was
/// checked, without following a redirect, and with a time limit on everything.
package struct SafeClient: Sendable {
    package struct Reply: Hashable, Sendable {
        package var status: Int
        package var body: [UInt8]
    }

    /// The most bytes of a reply that are read.
    package static let maximumReply = 64 * 1024

    private let lookUp: @Sendable (String) async -> [[UInt8]]
    private let allows: @Sendable ([UInt8]) -> Bool
    private let group: any EventLoopGroup

    /// - Parameters:
    ///   - lookUp: the addresses of a name, as 4 or 16 bytes each.
    ///   - own: this machine's own addresses as texts, at the time of asking.
    package init(
        lookUp: @escaping @Sendable (String) async -> [[UInt8]],
        own: @escaping @Sendable () -> [String]
    ) {
        self.init(
            lookUp: lookUp, allows: { Reach.allows($0, own: Self.bytes(of: own())) },
            group: MultiThreadedEventLoopGroup.singleton)
    }

    /// Turns addresses in text, with or without a zone, into 4 or 16 bytes each.
    private static func bytes(of addresses: [String]) -> Set<[UInt8]> {
        Set(addresses.compactMap { Reach.bytes(String($0.prefix { $0 != "%" })) })
    }

    /// For tests, whose servers are on this machine.
    init(
        lookUp: @escaping @Sendable (String) async -> [[UInt8]],
        allows: @escaping @Sendable ([UInt8]) -> Bool,
        group: any EventLoopGroup
    ) {
        self.lookUp = lookUp
        self.allows = allows
        self.group = group
    }

    package func post(
        url: String, headers: [(name: String, value: String)], body: [UInt8], timeout: Duration
    ) async throws(Fault) -> Reply {
        try await send(.POST, url, headers, body, timeout)
    }

    /// Sends a message: over plain http only to addresses of the home. Of the reply, only the status is read.
    package func tell(
        url: String, headers: [(name: String, value: String)], body: [UInt8], timeout: Duration
    ) async throws(Fault) -> Int {
        try await send(.POST, url, headers, body, timeout, isMessage: true).status
    }

    package func patch(
        url: String, headers: [(name: String, value: String)], body: [UInt8], timeout: Duration
    ) async throws(Fault) -> Reply {
        try await send(.PATCH, url, headers, body, timeout)
    }

    private func send(
        _ method: HTTPMethod, _ url: String, _ headers: [(name: String, value: String)], _ body: [UInt8],
        _ timeout: Duration, isMessage: Bool = false
    ) async throws(Fault) -> Reply {
        let destination = try Destination(url)
        return try await Self.within(timeout) {
            let address = try await checkedAddress(of: destination)
            if isMessage, destination.isPlain, Reach.bytes(address).map(Reach.isAtHome) != true {
                throw Fault.needsTLS
            }
            var request = HTTPClientRequest(url: destination.url)
            request.method = method
            for header in headers { request.headers.replaceOrAdd(name: header.name, value: header.value) }
            request.headers.replaceOrAdd(name: "Connection", value: "close")
            request.body = .bytes(body)
            return try await exchange(
                request, with: destination, at: address, within: timeout, readsBody: !isMessage)
        }
    }

    /// The first allowed address. The connection goes to it, even if the name resolves to another a moment later.
    private func checkedAddress(of destination: Destination) async throws(Fault) -> String {
        let found = if let literal = destination.literal { [literal] } else { await lookUp(destination.host) }
        guard !found.isEmpty else { throw .unknownHost }
        guard let address = found.first(where: allows), let text = Self.text(address) else {
            throw .notAllowed
        }
        return text
    }

    private func exchange(
        _ request: HTTPClientRequest, with destination: Destination, at address: String,
        within timeout: Duration, readsBody: Bool
    ) async throws -> Reply {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(5), read: .seconds(10)))
        configuration.httpVersion = .http1Only
        configuration.http1_1ConnectionDebugInitializer = StatusGuard.add
        // A refused connection is reported at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        if !destination.isLiteral { configuration.dnsOverride = [destination.host: address] }
        let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        let reply: Result<Reply, any Error>
        do {
            let response = try await client.execute(request, timeout: .init(timeout))
            let body =
                readsBody ? try await response.body.collect(upTo: Self.maximumReply) : ByteBuffer()
            reply = .success(Reply(status: Int(response.status.code), body: Array(body.readableBytesView)))
        } catch { reply = .failure(error) }
        try? await client.shutdown()
        return try reply.get()
    }

    /// Covers the lookup too, and a body that trickles in, which the client's own time limits never stop.
    private static func within(
        _ timeout: Duration, _ work: @escaping @Sendable () async throws -> Reply
    ) async throws(Fault) -> Reply {
        let outcome = await withTaskGroup(of: Result<Reply, Fault>.self) { group in
            group.addTask {
                do { return .success(try await work()) } catch {
                    return .failure(error as? Fault ?? Fault(error))
                }
            }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return .failure(.timedOut)
            }
            let first = await group.next() ?? .failure(.timedOut)
            group.cancelAll()
            return first
        }
        return try outcome.get()
    }

    private static func text(_ address: [UInt8]) -> String? {
        try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address), port: 0).ipAddress
    }
}
