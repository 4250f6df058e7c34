import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Asks the servers of other machines what they tell without a log-in, because it is sealed.
enum PeerServers {
    private static let mostBytes = 1 << 17

    struct Answer {
        var status: HTTPResponseStatus
        var body: Data
    }

    /// What those that answer say, all asked at once.
    static func answers(from urls: [String], within patience: TimeAmount) -> [Answer] {
        urls.compactMap { url -> EventLoopFuture<HTTPClient.Response>? in
            guard let request = try? HTTPClient.Request(url: url) else { return nil }
            return HTTPClient.shared.execute(
                request: request, delegate: ResponseAccumulator(request: request, maxBodySize: mostBytes),
                deadline: .now() + patience
            ).futureResult
        }.compactMap { try? $0.wait() }.map { response in
            Answer(
                status: response.status, body: response.body.map { Data($0.readableBytesView) } ?? Data())
        }
    }
}
