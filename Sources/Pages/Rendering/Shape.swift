@_spi(Reflection) import Swift
import Synchronization

/// Where the properties of a type are in memory, by their names.
///
/// Found by reflection once for each type. `Mirror` would find them anew, and copy them, for each value: a page of a
/// hundred limits has ten thousand.
final class Shape: @unchecked Sendable {
    /// Sees the value at a place.
    typealias Reader = @Sendable (UnsafeRawPointer) -> Seen

    private struct Property {
        /// −1: empty.
        var symbol = -1
        var offset = 0
        var read: Reader = { _ in .nothing }
    }

    /// The value as a text.
    let describe: @Sendable (UnsafeRawPointer) -> String
    /// A hash table with open addressing, at most half full. Written before anybody else knows the shape.
    private var properties: [Property] = [Property()]

    private init(describe: @escaping @Sendable (UnsafeRawPointer) -> String) { self.describe = describe }

    /// Nil if the type has no property of this name.
    func property(_ name: Symbol, at place: UnsafeRawPointer) -> Seen? {
        let mask = properties.count - 1
        var index = name.number & mask
        while true {
            let number = properties[index].symbol
            if number == name.number { return properties[index].read(place + properties[index].offset) }
            if number < 0 { return nil }
            index = (index + 1) & mask
        }
    }

    private static let known = Mutex<[ObjectIdentifier: Shape]>([:])

    /// The reader of values of a type.
    static func reader<Value>(of type: Value.Type) -> Reader {
        known.withLock { known in reader(of: type, &known) }
    }

    fileprivate static func reader<Value>(
        of type: Value.Type, _ known: inout [ObjectIdentifier: Shape]
    ) -> Reader {
        switch type {
        case is String.Type: { .text($0.assumingMemoryBound(to: String.self).pointee) }
        case is Bool.Type: { .flag($0.assumingMemoryBound(to: Bool.self).pointee) }
        case is Int.Type: { .number($0.assumingMemoryBound(to: Int.self).pointee) }
        case is any NamedTexts.Type:
            { place in
                let texts = place.assumingMemoryBound(to: Value.self).pointee as? any NamedTexts
                return .texts { texts?.text(named: $0) }
            }
        case let type as any TransparentType.Type: type.reader(&known)
        default: reader(ofOther: type, &known)
        }
    }

    /// A structure by its properties, anything else by its description.
    private static func reader<Value>(
        ofOther type: Value.Type, _ known: inout [ObjectIdentifier: Shape]
    ) -> Reader {
        let describe: @Sendable (UnsafeRawPointer) -> String = {
            String(describing: $0.assumingMemoryBound(to: Value.self).pointee)
        }
        // Numbers are structures too, but templates write them.
        guard isStructure(type), !(type is any Numeric.Type) else { return { .text(describe($0)) } }
        if let shape = known[ObjectIdentifier(type)] { return { .properties(shape, $0) } }
        let shape = Shape(describe: describe)
        known[ObjectIdentifier(type)] = shape
        var properties: [Property] = []
        _ = _forEachField(of: type) { name, offset, type, _ in
            properties.append(
                Property(
                    symbol: Symbol(String(cString: name)).number, offset: offset,
                    read: reader(of: type, &known)))
            return true
        }
        shape.keep(properties)
        return { .properties(shape, $0) }
    }

    /// The first word of a type's metadata is its kind. Only structures are asked for their fields.
    private static func isStructure(_ type: Any.Type) -> Bool {
        unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == _MetadataKind.struct.rawValue
    }

    private func keep(_ found: [Property]) {
        var size = 2
        while size < found.count * 2 { size *= 2 }
        properties = Array(repeating: Property(), count: size)
        for property in found {
            var index = property.symbol & (size - 1)
            while properties[index].symbol >= 0 { index = (index + 1) & (size - 1) }
            properties[index] = property
        }
    }
}

/// A type that a template sees as what is in it.
private protocol TransparentType {
    static func reader(_ known: inout [ObjectIdentifier: Shape]) -> Shape.Reader
}

extension Optional: TransparentType {
    /// The content lies where the optional itself does.
    fileprivate static func reader(_ known: inout [ObjectIdentifier: Shape]) -> Shape.Reader {
        let read = Shape.reader(of: Wrapped.self, &known)
        return { $0.assumingMemoryBound(to: Self.self).pointee == nil ? .nothing : read($0) }
    }
}

extension Array: TransparentType {
    fileprivate static func reader(_ known: inout [ObjectIdentifier: Shape]) -> Shape.Reader {
        let read = Shape.reader(of: Element.self, &known)
        return { place in
            let array = place.assumingMemoryBound(to: Self.self).pointee
            return .list { body in
                try array.withUnsafeBufferPointer { elements in
                    for index in elements.indices {
                        try body(read(UnsafeRawPointer(elements.baseAddress! + index)))
                    }
                }
            }
        }
    }
}
