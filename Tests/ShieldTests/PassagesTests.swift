import NIOCore
import NIOEmbedded
import Policy
import Testing

@testable import Shield

@Suite struct PassagesTests {
    @Test("A host whose client has gone has half a minute for what is on its way, and no more")
    func lastWords() throws {
        let loop = EmbeddedEventLoop()
        let passages = Passages(
            loop: loop, facts: RelayFacts(mayPass: { _ in true }, destinations: { _, _ in [] }),
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
}
