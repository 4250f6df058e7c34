import Crypto
package import Foundation

/// What the nodes seal with a change, so that only who has the household's key can make one: with it a node tells the
/// state that the nodes agreed on from one that somebody else put together of sealed values.
package struct Proof: Codable, Hashable, Sendable {
    /// The digest of all texts after the change, 32 bytes.
    package var texts: Data
    /// The digest of this change and of all before it, 32 bytes.
    package var chain: Data

    package init(texts: Data, chain: Data) {
        self.texts = texts
        self.chain = chain
    }

    /// - Parameters:
    ///   - all: the texts after the change, by their names.
    ///   - story: what happened with it; nil: nothing.
    package init(of all: [String: String], after head: Head, story: String?) {
        texts = Self.digest(all)
        chain = Self.chain(head.chain ?? Data(), number: head.number + 1, texts: texts, story: story)
    }

    /// Of each name and text with its length, in the order of names.
    package static func digest(_ texts: [String: String]) -> Data {
        var hash = SHA256()
        for name in texts.keys.sorted() {
            for part in [name, texts[name] ?? ""] {
                hash.update(number: Int64(part.utf8.count))
                hash.update(data: Data(part.utf8))
            }
        }
        return Data(hash.finalize())
    }

    static func chain(_ before: Data, number: Int64, texts: Data, story: String?) -> Data {
        var hash = SHA256()
        hash.update(data: before)
        hash.update(number: number)
        hash.update(data: texts)
        hash.update(data: Data((story ?? "").utf8))
        return Data(hash.finalize())
    }
}

extension SHA256 {
    fileprivate mutating func update(number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { update(bufferPointer: $0) }
    }
}

/// The news are not what the nodes agreed on: somebody without the household's key had a hand in them. Nothing of them
/// is heard.
package struct ForeignNews: Error { package init() {} }

extension SharedNews {
    /// Throws `ForeignNews` unless the household's nodes made the news, one change after the other since `known`.
    ///
    /// - Parameter texts: all texts as the news leave them.
    func check(_ texts: [String: String], after known: Head) throws {
        guard let proof else {
            // A build from before the proofs made the change; once there was a proof, none counts without.
            if known.chain != nil { throw ForeignNews() }
            return
        }
        guard unreadable.isEmpty, Proof.digest(texts) == proof.texts else { throw ForeignNews() }
        guard var chain = known.chain else { return }
        var number = known.number
        while number < head.number {
            number += 1
            guard let step = steps[number] else { throw ForeignNews() }
            chain = Proof.chain(chain, number: number, texts: step, story: stories[number])
        }
        guard chain == proof.chain else { throw ForeignNews() }
    }

    /// Whether the news are the very change that a node knows. Who puts its sealed bytes again changes nothing but
    /// etcd's revision.
    func areKnown(to sharing: Sharing) -> Bool {
        guard let proof, sharing.head.chain == proof.chain, sharing.head.number == head.number else {
            return false
        }
        // A damaged copy of the texts takes them anew.
        return !isWhole || Proof.digest(sharing.texts) == proof.texts
    }
}
