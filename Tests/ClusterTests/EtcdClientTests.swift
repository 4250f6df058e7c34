import Foundation
import Synchronization
import Testing

@testable import Cluster

/// Against etcd itself, through its JSON gateway.
@Suite(.serialized)
struct EtcdClientTests {
    @Test
    func aTransactionComparesRevisionsAndAllIsReadInPages() throws {
        let (etcd, client) = try Self.started()
        defer { withExtendedLifetime(etcd) { client.close() } }
        let first = try #require(
            try client.commit(EtcdTransaction(comparing: ["p/a": 0], puts: ["p/a": Data("1".utf8)])))
        #expect(try client.commit(EtcdTransaction(comparing: ["p/a": 0], puts: ["p/a": Data()])) == nil)
        let second = try #require(
            try client.commit(
                EtcdTransaction(comparing: ["p/a": first], puts: ["p/b": Data([0, 255])], deletions: ["p/a"]))
        )
        #expect(second > first)
        let read = try client.all(under: "p/")
        #expect(read.values == ["p/b": .init(bytes: Data([0, 255]), revision: second)])
        #expect(read.revision == second)
        for start in stride(from: 0, to: 1_100, by: 100) {
            let puts = (start..<start + 100).map { ("q/\($0)", Data("\($0)".utf8)) }
            _ = try client.commit(EtcdTransaction(puts: Dictionary(uniqueKeysWithValues: puts)))
        }
        #expect(try client.all(under: "q/").values.count == 1_100)
        #expect(try client.value(of: "q/7").values["q/7"]?.bytes == Data("7".utf8))
        #expect(throws: EtcdFault.tooMuch) {
            let puts = (0..<200).map { ("r/\($0)", Data()) }
            _ = try client.commit(EtcdTransaction(puts: Dictionary(uniqueKeysWithValues: puts)))
        }
    }

    @Test
    func aWatchTellsWholeRevisionsInOrderAndThatItsStartIsForgotten() throws {
        let (etcd, client) = try Self.started()
        defer { withExtendedLifetime(etcd) { client.close() } }
        let start = try #require(try client.commit(EtcdTransaction(puts: ["p/0": Data("x".utf8)])))
        let ear = Ear()
        let watch = try client.watch(
            "p/", from: start + 1, on: ear.queue, heard: ear.hear, ended: ear.end)
        let lease = try client.lease(seconds: 2)
        try client.keepAlive(lease: lease)
        let revision = try client.commit(
            EtcdTransaction(puts: ["p/1": Data("a".utf8), "p/2": Data("b".utf8)], deletions: ["p/0"]))
        _ = try client.commit(EtcdTransaction(puts: ["p/3": Data()], lease: lease))
        try client.end(lease: lease)
        #expect(throws: EtcdFault.noLease) { try client.keepAlive(lease: lease) }
        let news = ear.wait(for: 3)
        #expect(news.map(\.revision).first == revision)
        #expect(news.first?.puts.keys.sorted() == ["p/1", "p/2"])
        #expect(news.first?.deletions == ["p/0"])
        #expect(news.last?.deletions == ["p/3"])
        watch.cancel()
        #expect(try etcd.control(["compaction", "\(start + 2)"]) == 0)
        let late = Ear()
        let old = try client.watch("p/", from: start, on: late.queue, heard: late.hear, ended: late.end)
        #expect(late.waitForEnd() == .compacted)
        old.cancel()
    }

    @Test
    func anEndpointThatIsSilentOrGoneIsLeftForTheNextWithinSeconds() throws {
        let (paused, first) = try Self.started()
        first.close()
        let good = try RealEtcd()
        let client = try EtcdClient(
            EtcdAccess(endpoints: ["http://127.0.0.1:1", paused.endpoint, good.endpoint]))
        defer { client.close() }
        paused.send(SIGSTOP)
        defer { paused.send(SIGCONT) }
        try Self.wait { _ = try client.value(of: "x") }
        let begun = ContinuousClock.now
        #expect(client.endpoint == good.endpoint)
        good.send(SIGSTOP)
        defer { good.send(SIGCONT) }
        #expect(throws: EtcdFault.unreachable) { _ = try client.value(of: "x") }
        #expect(ContinuousClock.now - begun < .seconds(4))
    }

    @Test
    func aPasswordOpensAndAnEndedTokenIsRenewed() throws {
        let (etcd, open) = try Self.started(["--auth-token-ttl", "1"])
        defer { open.close() }
        for words in [
            ["user", "add", "root:r"], ["user", "grant-role", "root", "root"], ["auth", "enable"],
        ] { #expect(try etcd.control(words) == 0) }
        #expect(throws: EtcdFault.denied) { _ = try open.value(of: "x") }
        var access = EtcdAccess(endpoints: [etcd.endpoint])
        (access.user, access.password) = ("root", "wrong")
        let wrong = try EtcdClient(access)
        defer { wrong.close() }
        #expect(throws: EtcdFault.denied) { _ = try wrong.value(of: "x") }
        access.password = "r"
        let right = try EtcdClient(access)
        defer { right.close() }
        _ = try right.commit(EtcdTransaction(puts: ["x": Data("1".utf8)]))
        Thread.sleep(forTimeInterval: 2.5)
        #expect(try right.value(of: "x").values["x"]?.bytes == Data("1".utf8))
    }

    static func started(_ flags: [String] = []) throws -> (RealEtcd, EtcdClient) {
        let etcd = try RealEtcd(flags)
        let client = try EtcdClient(EtcdAccess(endpoints: [etcd.endpoint]))
        try wait { _ = try client.value(of: "x") }
        return (etcd, client)
    }

    /// etcd needs a moment to begin.
    static func wait(_ attempt: () throws -> Void) throws {
        for _ in 0..<600 {
            if (try? attempt()) != nil { return }
            Thread.sleep(forTimeInterval: 0.1)
        }
        try attempt()
    }
}

/// Collects what a watch tells.
final class Ear: Sendable {
    let queue = DispatchQueue(label: "test.watch")
    private let news = Mutex<[EtcdNews]>([])
    private let fault = Mutex<EtcdFault?>(nil)

    @Sendable func hear(_ news: EtcdNews) { self.news.withLock { $0.append(news) } }
    @Sendable func end(_ fault: EtcdFault) { self.fault.withLock { $0 = fault } }

    func wait(for count: Int) -> [EtcdNews] {
        for _ in 0..<100 where news.withLock({ $0.count }) < count { Thread.sleep(forTimeInterval: 0.05) }
        return news.withLock { $0 }
    }

    func waitForEnd() -> EtcdFault? {
        for _ in 0..<100 where fault.withLock({ $0 }) == nil { Thread.sleep(forTimeInterval: 0.05) }
        return fault.withLock { $0 }
    }
}
