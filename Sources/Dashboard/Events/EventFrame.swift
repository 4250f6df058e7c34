package import NIOCore

/// One server-sent event, already in HTTP's chunked coding: all viewers of the same audience share one buffer.
package struct EventFrame: Sendable {
    package let buffer: ByteBuffer
    /// The same without chunks, for HTTP/2; empty at the end.
    package let content: ByteBuffer

    /// `id` lets a browser say after a reconnection which event it saw last.
    package init(event: String, id: Int? = nil, data: [UInt8]) {
        var text: [UInt8] = []
        text.reserveCapacity(data.count + 64)
        if let id { text.append(contentsOf: "id: \(id)\n".utf8) }
        text.append(contentsOf: "event: \(event)\ndata: ".utf8)
        text.append(contentsOf: data)
        text.append(contentsOf: "\n\n".utf8)
        self.init(chunk: text)
    }

    /// Shows proxies and the browser that the connection is alive. Scripts cannot see a comment, so an event follows
    /// for the page, which counts the seconds of silence.
    package static let comment = EventFrame(chunk: Array(": \n\nevent: ping\ndata: {}\n\n".utf8))
    /// The time before a browser reconnects, in milliseconds; sent once, at the start.
    package static let retry = EventFrame(chunk: Array("retry: 2000\n\n".utf8))
    /// The last chunk of a response (RFC 9112, 7.1).
    package static let end = EventFrame(coded: ByteBuffer(string: "0\r\n\r\n"))

    /// Both, in one write.
    func followed(by other: EventFrame) -> EventFrame {
        var (buffer, content) = (buffer, content)
        buffer.writeImmutableBuffer(other.buffer)
        content.writeImmutableBuffer(other.content)
        return EventFrame(coded: buffer, content: content)
    }

    private init(chunk: [UInt8]) {
        var buffer = ByteBuffer()
        buffer.writeString(String(chunk.count, radix: 16))
        buffer.writeString("\r\n")
        buffer.writeBytes(chunk)
        buffer.writeString("\r\n")
        let start = buffer.writerIndex - 2 - chunk.count
        self.init(coded: buffer, content: buffer.getSlice(at: start, length: chunk.count) ?? ByteBuffer())
    }

    private init(coded buffer: ByteBuffer, content: ByteBuffer = ByteBuffer()) {
        self.buffer = buffer
        self.content = content
    }
}
