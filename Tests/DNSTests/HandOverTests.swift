import Synchronization
import Testing

@testable import DNS

/// What an event loop tells its collector without being asked.
@Suite struct HandOverTests {
    @Test("One part of what was counted is handed over, and the rest waits until it is asked for")
    func handsOver() {
        let news = Responder.News()
        let asker = Asker(AnswerTableTests.filter, news: news)
        asker.responder.handOver()
        #expect(news.take() == nil && !news.isAny, "nothing was counted")
        for _ in 0..<3 {
            _ = asker.ask("api.video.example")
            #expect(news.isAny)
            asker.responder.handOver()
            #expect(news.isAny)
        }
        #expect(news.take()?.counts.map(\.queries) == [1])
        #expect(news.take() == nil && news.isAny)
        let isThere = news.isThere.load(ordering: .relaxed)
        #expect(isThere, "somebody must ask")
        #expect(asker.responder.collect().counts.map(\.queries) == [2])
    }
}
