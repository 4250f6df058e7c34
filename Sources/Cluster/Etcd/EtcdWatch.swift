import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// A watch that goes on until it is cancelled.
package struct EtcdWatch: Sendable {
    package let cancel: @Sendable () -> Void
}

/// Reads the lines of a watch and tells what they say, in order.
final class EtcdWatchReader: HTTPClientResponseDelegate {
    typealias Response = Void

    /// In bytes. A line can hold several revisions; etcd's own limit of a request is 1.5 MB.
    private static let longestLine = 64 << 20

    private let queue: DispatchQueue
    private let heard: @Sendable (EtcdNews) -> Void
    private let ended: @Sendable (EtcdFault) -> Void
    /// Bytes of a line that has not ended; nil: it is over.
    private let rest = Mutex<Data?>(Data())

    init(
        queue: DispatchQueue, heard: @escaping @Sendable (EtcdNews) -> Void,
        ended: @escaping @Sendable (EtcdFault) -> Void
    ) {
        self.queue = queue
        self.heard = heard
        self.ended = ended
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let lines = rest.withLock { rest -> [Data] in
            guard rest != nil else { return [] }
            rest?.append(contentsOf: buffer.readableBytesView)
            var lines: [Data] = []
            while let end = rest?.firstIndex(of: UInt8(ascii: "\n")), let all = rest {
                lines.append(Data(all[..<end]))
                rest = Data(all[(end + 1)...])
            }
            return lines
        }
        for line in lines { read(line) }
        if rest.withLock({ $0?.count ?? 0 }) > Self.longestLine { end(.other("a line without an end")) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws { end(.unreachable) }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { end(.unreachable) }

    private func read(_ line: Data) {
        let decoder = JSONDecoder.ofEtcd
        guard let answer = try? decoder.decode(WatchAnswer.self, from: line), let result = answer.result
        else {
            return end(
                (try? decoder.decode(EtcdErrorAnswer.self, from: line))?.fault
                    ?? .other("a line that cannot be read"))
        }
        if result.compactRevision?.value ?? 0 > 0 { return end(.compacted) }
        if result.canceled == true {
            return end(result.cancelReason?.contains("leader") == true ? .noLeader : .unreachable)
        }
        // A line can hold several revisions; each is told by itself.
        let revisions = Dictionary(grouping: result.events ?? []) { $0.kv.modRevision?.value ?? 0 }
        let news = revisions.sorted { $0.key < $1.key }.map { revision, events in
            var news = EtcdNews(revision: revision)
            for event in events {
                let key = String(decoding: event.kv.key, as: UTF8.self)
                if event.type == "DELETE" {
                    news.deletions.insert(key)
                } else {
                    news.puts[key] = .init(bytes: event.kv.value ?? Data(), revision: revision)
                }
            }
            return news
        }
        guard rest.withLock({ $0 != nil }), !news.isEmpty else { return }
        queue.async { [heard] in news.forEach(heard) }
    }

    /// Says it once.
    private func end(_ fault: EtcdFault) {
        let isFirst = rest.withLock { rest in
            defer { rest = nil }
            return rest != nil
        }
        if isFirst { queue.async { [ended] in ended(fault) } }
    }
}
