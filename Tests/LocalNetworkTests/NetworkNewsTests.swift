import Testing

@testable import LocalNetwork

@Suite struct NetworkNewsTests {
    @Test(
        "The first look is news; after it there is none until the kernel announces a change",
        arguments: [NetworkNews.Topic.links, .neighbours])
    func firstLook(topic: NetworkNews.Topic) {
        let news = NetworkNews(of: topic)
        #expect(news.take())
        // Another program on this machine may change a route or meet a neighbour just now.
        var looks = 0
        while news.take(), looks < 100 { looks += 1 }
        #expect(looks < 100)
    }

    @Test("What is known is kept until there is news, and what could not be read is read again")
    func isReadOnlyWithNews() {
        let reads = Reads()
        let read = LastRead(0, news: NetworkNews(of: .links)) { reads.next() }
        #expect(read.now == 0 && reads.count == 1, "the first reading failed")
        #expect(read.now == 2)
        _ = (0..<50).map { _ in read.now }
        #expect(reads.count < 50)
    }
}

private final class Reads: @unchecked Sendable {
    private(set) var count = 0

    func next() -> Int? {
        count += 1
        return count == 1 ? nil : count
    }
}
