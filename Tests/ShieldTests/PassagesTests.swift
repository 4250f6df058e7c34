import NIOCore
import NIOEmbedded
import Policy
import Testing

@testable import Shield

@Suite struct PassagesTests {
    @Test("A host whose client has gone has half a minute to take the rest, and no more")
    func lastWords() throws {
        let loop = EmbeddedEventLoop()
        let passages = Passages(
            loop: loop, facts: RelayFacts(mayPass: { _ in true }, destinations: { _, _ in [] }),
            echoes: Echoes(),
            verdict: { _, _ in NameVerdict(block: nil, app: nil, person: nil) }, letPass: { _ in true })
        let (slow, quick) = (EmbeddedChannel(loop: loop), EmbeddedChannel(loop: loop))
        let anywhere = try SocketAddress(ipAddress: "192.0.2.1", port: 443)
        for channel in [slow, quick] {
            channel.connect(to: anywhere, promise: nil)
            passages.hurry(channel)
        }
        quick.close(promise: nil)
        loop.advanceTime(by: Passages.lastWords - .seconds(1))
        #expect(slow.isActive && !quick.isActive)
        loop.advanceTime(by: .seconds(1))
        #expect(!slow.isActive)
    }

    @Test("A request that was relayed three times without an answer is not relayed a fourth time")
    func echoes() {
        let echoes = Echoes()
        let hello = ByteBuffer(string: "hello")
        var waiting = (0..<3).map { _ in echoes.begin("open.example", 443, hello) }
        #expect(waiting.allSatisfy { $0 != nil })
        #expect(echoes.begin("open.example", 443, hello) == nil)
        #expect(echoes.begin("open.example", 443, ByteBuffer(string: "hallo")) != nil)
        #expect(echoes.begin("other.example", 443, hello) != nil)
        waiting[0]?.end()
        waiting[0]?.end()
        let next = echoes.begin("open.example", 443, hello)
        #expect(next != nil)
        #expect(echoes.begin("open.example", 443, hello) == nil)
        waiting.removeAll()
        #expect(echoes.begin("open.example", 443, hello) != nil)
        _ = next
    }
}
