import Directory
import NIOCore

@testable import DNS

/// A message as tests write and read it: slowly and obviously.
struct Message {
    struct Record: Equatable {
        var type: UInt16
        var ttl: UInt32
        var data: [UInt8]

        var address: String? {
            switch data.count {
            case 4: data.map(String.init).joined(separator: ".")
            case 16: data.withUnsafeBytes { ClientAddress(bytes: $0).text }
            default: nil
            }
        }
    }

    var id: UInt16 = 0
    var flags: UInt16 = 0
    var question: [UInt8] = []
    var answers: [Record] = []
    var authorities: [Record] = []
    var additionals: [Record] = []

    var rcode: UInt16 { flags & 15 }
    var isTruncated: Bool { flags & 0x0200 != 0 }
    var opt: Record? { additionals.first { $0.type == 41 } }

    /// The Extended DNS Error and its text.
    var extendedError: (code: UInt16, text: String)? {
        guard let data = opt?.data, data.count >= 6, data[1] == 15 else { return nil }
        return (UInt16(data[4]) << 8 | UInt16(data[5]), String(decoding: data[6...], as: UTF8.self))
    }

    /// A query as clients send it.
    static func query(
        _ name: String, _ type: UInt16 = 1, id: UInt16 = 0x1234, edns: UInt16? = nil, dnssecOK: Bool = false,
        flags: UInt16 = 0x0100, recordClass: UInt16 = 1
    ) -> [UInt8] {
        var bytes = words(id, flags, 1, 0, 0, edns == nil ? 0 : 1) + wireName(name) + words(type, recordClass)
        if let edns { bytes += [0] + words(41, edns, 0, dnssecOK ? 0x8000 : 0, 0) }
        return bytes
    }

    static func words(_ words: UInt16...) -> [UInt8] {
        words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    /// Keeps the case, unlike the product's own.
    static func wireName(_ name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + [UInt8]($0.utf8) } + [0]
    }

    /// The bytes that it was read from.
    private(set) var raw: [UInt8] = []

    init() {}

    init(_ bytes: [UInt8]) {
        raw = bytes
        var reader = ByteBuffer(bytes: bytes)
        var counts: [UInt16] = []
        id = reader.readInteger() ?? 0
        flags = reader.readInteger() ?? 0
        for _ in 0..<4 { counts.append(reader.readInteger() ?? 0) }
        if counts[0] == 1 {
            let start = reader.readerIndex
            Self.skipName(&reader)
            question = Array(bytes[start..<reader.readerIndex + 4])
            reader.moveReaderIndex(forwardBy: 4)
        }
        answers = (0..<counts[1]).compactMap { _ in Self.record(&reader) }
        authorities = (0..<counts[2]).compactMap { _ in Self.record(&reader) }
        additionals = (0..<counts[3]).compactMap { _ in Self.record(&reader) }
    }

    private static func skipName(_ reader: inout ByteBuffer) {
        while let size: UInt8 = reader.readInteger(), size != 0 {
            if size >= 0xc0 { return reader.moveReaderIndex(forwardBy: 1) }
            reader.moveReaderIndex(forwardBy: Int(size))
        }
    }

    private static func record(_ reader: inout ByteBuffer) -> Record? {
        skipName(&reader)
        guard let type: UInt16 = reader.readInteger(), reader.readInteger(as: UInt16.self) != nil,
            let ttl: UInt32 = reader.readInteger(), let length: UInt16 = reader.readInteger(),
            let data = reader.readBytes(length: Int(length))
        else { return nil }
        return Record(type: type, ttl: ttl, data: data)
    }

    /// The bytes of a response; record names point to the question.
    var bytes: [UInt8] {
        var bytes = Self.words(
            id, flags, question.isEmpty ? 0 : 1, UInt16(answers.count), UInt16(authorities.count),
            UInt16(additionals.count))
        bytes += question
        for record in answers + authorities + additionals {
            bytes += record.type == 41 ? [0] : [0xc0, 0x0c]
            bytes += Self.words(record.type, 1, UInt16(record.ttl >> 16), UInt16(record.ttl & 0xffff))
            bytes += Self.words(UInt16(record.data.count)) + record.data
        }
        return bytes
    }

    /// The answer of an upstream to a query.
    static func response(to query: [UInt8], _ answers: [Record], rcode: UInt16 = 0) -> Message {
        let asked = Message(query)
        var message = Message()
        message.id = asked.id
        message.flags = 0x8180 | rcode
        message.question = asked.question
        message.answers = answers
        return message
    }

    static func a(_ address: String, ttl: UInt32) -> Record {
        Record(type: 1, ttl: ttl, data: address.split(separator: ".").map { UInt8($0)! })
    }

    static func soa(ttl: UInt32, minimum: UInt32) -> Record {
        let tail = words(UInt16(minimum >> 16), UInt16(minimum & 0xffff))
        return Record(type: 6, ttl: ttl, data: [0, 0] + Array(repeating: 0, count: 16) + tail)
    }
}
