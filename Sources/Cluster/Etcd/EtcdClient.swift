import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Speaks to etcd by its JSON gateway (`/v3/…`, etcd 3.4 and later), to one endpoint at a time and to the next where that
/// one fails.
///
/// Its calls block, with a limit in time: they are made on threads of our own and inside a change, never on an event loop.
package final class EtcdClient: Sendable {
    /// The longest for one endpoint, and for a call over all of them.
    package enum Patience: Sendable {
        /// For a server, where somebody waits for the answer.
        case short
        /// For a command.
        case long

        fileprivate var each: TimeAmount { self == .short ? .milliseconds(1000) : .seconds(5) }
        /// With TLS: a busy machine takes its time for a signature.
        fileprivate var connect: TimeAmount { self == .short ? .milliseconds(800) : .seconds(4) }
        fileprivate var all: TimeAmount { self == .short ? .milliseconds(2500) : .seconds(20) }
    }

    private static let pageSize: Int64 = 200

    private struct State {
        var endpoints: [String]
        var endpoint = 0
        var token: String?
    }

    private let access: EtcdAccess
    private let patience: Patience
    private let group: MultiThreadedEventLoopGroup
    private let client: HTTPClient
    private let state: Mutex<State>

    package init(_ access: EtcdAccess, patience: Patience = .short) throws(EtcdFault) {
        self.access = access
        self.patience = patience
        state = Mutex(State(endpoints: access.endpoints))
        // Its own: a change may wait for it on any thread but this.
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: patience.connect))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        do { configuration.tlsConfiguration = try Self.tls(access) } catch {
            throw .other("its certificates cannot be read (\(error))")
        }
        client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    }

    private static func tls(_ access: EtcdAccess) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority = access.authority {
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        }
        if let certificate = access.certificate, let key = access.key {
            tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
                .map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        }
        return tls
    }

    package func close() {
        try? client.syncShutdown()
        try? group.syncShutdownGracefully()
    }

    /// The endpoint that is asked now.
    package var endpoint: String { state.withLock { $0.endpoints[$0.endpoint] } }

    /// From now on, other endpoints are asked. The one that is asked now stays it, if it is one of them.
    package func use(_ endpoints: [String]) {
        state.withLock { state in
            let now = state.endpoints[state.endpoint]
            (state.endpoints, state.endpoint) = (endpoints, endpoints.firstIndex(of: now) ?? 0)
        }
    }

    // MARK: Calls

    /// What stands under a prefix, all of one revision, and that revision.
    package func all(under prefix: String, from first: String? = nil) throws(EtcdFault) -> EtcdReading {
        var request = RangeRequest(
            key: Data((first ?? prefix).utf8), rangeEnd: Self.end(of: prefix),
            limit: Int64Text(Self.pageSize))
        var reading = EtcdReading(revision: 0, values: [:])
        while true {
            let answer: RangeAnswer = try call("kv/range", request)
            if reading.revision == 0 { reading.revision = answer.header?.revision?.value ?? 0 }
            for pair in answer.kvs ?? [] { reading.take(pair) }
            guard answer.more == true, let last = answer.kvs?.last?.key else { return reading }
            request.key = last + [0]
            request.revision = Int64Text(reading.revision)
        }
    }

    /// One key's value; nil: there is none.
    package func value(of key: String) throws(EtcdFault) -> EtcdReading {
        let answer: RangeAnswer = try call("kv/range", RangeRequest(key: Data(key.utf8)))
        var reading = EtcdReading(revision: answer.header?.revision?.value ?? 0, values: [:])
        for pair in answer.kvs ?? [] { reading.take(pair) }
        return reading
    }

    /// Carries out a transaction. Returns its revision; nil: a key was not as it was compared.
    ///
    /// If an endpoint does not answer, the next gets the same transaction. So `transaction` must write something by
    /// which its sender can tell that it was carried out already.
    package func commit(_ transaction: EtcdTransaction) throws(EtcdFault) -> Int64? {
        let answer: TransactionAnswer = try call("kv/txn", transaction.message)
        guard answer.succeeded == true else { return nil }
        return answer.header?.revision?.value ?? 0
    }

    package func deleteAll(under prefix: String) throws(EtcdFault) {
        let _: Nothing = try call(
            "kv/deleterange", DeleteRequest(key: Data(prefix.utf8), rangeEnd: Self.end(of: prefix)))
    }

    /// - Parameter end: stays.
    package func deleteAll(from start: String, to end: String) throws(EtcdFault) {
        guard start < end else { return }
        let _: Nothing = try call(
            "kv/deleterange", DeleteRequest(key: Data(start.utf8), rangeEnd: Data(end.utf8)))
    }

    /// Hears what changes under a prefix from a revision on, on `queue`, until it is cancelled or `ended` says why not any
    /// more.
    package func watch(
        _ prefix: String, from revision: Int64, on queue: DispatchQueue,
        heard: @escaping @Sendable (EtcdNews) -> Void, ended: @escaping @Sendable (EtcdFault) -> Void
    ) throws(EtcdFault) -> EtcdWatch {
        let body = WatchRequest(
            createRequest: .init(
                key: Data(prefix.utf8), rangeEnd: Self.end(of: prefix), startRevision: Int64Text(revision)))
        let request = try self.request("watch", body, token: try token())
        let reader = EtcdWatchReader(queue: queue, heard: heard, ended: ended)
        let task = client.execute(request: request, delegate: reader)
        return EtcdWatch { task.fail(reason: HTTPClientError.cancelled) }
    }

    /// The first key after all that begin with a prefix.
    static func end(of prefix: String) -> Data {
        var end = Data(prefix.utf8)
        if let last = end.indices.last { end[last] += 1 }
        return end
    }

    // MARK: Requests

    func call<Answer: Decodable>(
        _ path: String, _ body: some Encodable
    ) throws(EtcdFault) -> Answer {
        let limit = NIODeadline.now() + patience.all
        var isRenewed = false
        var left = state.withLock { $0.endpoints.count }
        while true {
            do throws(EtcdFault) {
                return try ask(path, body, token: try token(), until: limit)
            } catch {
                // A token ends by itself, and with the member that made it.
                if error == .denied, access.user != nil, !isRenewed {
                    isRenewed = true
                    state.withLock { $0.token = nil }
                    continue
                }
                guard error.isWorthAnotherEndpoint else {
                    throw access.isOwn == true ? error.ofOwn : error
                }
                turn()
                left -= 1
                if left == 0, error == .noLeader, patience == .long {
                    // The members elect one, for example because one has just left them.
                    Thread.sleep(forTimeInterval: 0.3)
                    left = 1
                }
                guard left > 0, NIODeadline.now() < limit else { throw error }
            }
        }
    }

    /// The next endpoint is asked from now on.
    package func turn() { state.withLock { $0.endpoint = ($0.endpoint + 1) % $0.endpoints.count } }

    private func token() throws(EtcdFault) -> String? {
        guard let user = access.user else { return nil }
        if let token = state.withLock({ $0.token }) { return token }
        let answer: LoginAnswer = try ask(
            "auth/authenticate", LoginRequest(name: user, password: access.password ?? ""), token: nil,
            until: .now() + patience.each)
        state.withLock { $0.token = answer.token }
        return answer.token
    }

    private func ask<Answer: Decodable>(
        _ path: String, _ body: some Encodable, token: String?, until limit: NIODeadline
    ) throws(EtcdFault) -> Answer {
        let request = try request(path, body, token: token)
        let deadline = min(limit, .now() + patience.each)
        let response: HTTPClient.Response
        do { response = try client.execute(request: request, deadline: deadline).wait() } catch {
            throw EtcdFault(connecting: error)
        }
        let bytes = Data(response.body.map { Array($0.readableBytesView) } ?? [])
        guard response.status == .ok else {
            throw (try? JSONDecoder.ofEtcd.decode(EtcdErrorAnswer.self, from: bytes))?.fault
                ?? .other("status \(response.status.code)")
        }
        do { return try JSONDecoder.ofEtcd.decode(Answer.self, from: bytes) } catch {
            throw (try? JSONDecoder.ofEtcd.decode(EtcdErrorAnswer.self, from: bytes))?.fault
                ?? .other("an answer that cannot be read")
        }
    }

    private func request(
        _ path: String, _ body: some Encodable, token: String?
    ) throws(EtcdFault) -> HTTPClient.Request {
        do {
            var request = try HTTPClient.Request(
                url: "\(endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint)/v3/\(path)",
                method: .POST)
            request.headers.add(name: "Content-Type", value: "application/json")
            // The gateway hands it on: a member that sees no leader says so instead of staying silent.
            request.headers.add(name: "Grpc-Metadata-hasleader", value: "true")
            if let token { request.headers.add(name: "Authorization", value: token) }
            request.body = .data(try JSONEncoder.ofEtcd.encode(body))
            return request
        } catch { throw .other("\(error)") }
    }
}
