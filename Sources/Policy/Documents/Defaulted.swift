/// What a value is where nobody chose one.
package protocol HasDefault {
    init()
}

/// A member that a document may lack, or hold as what cannot be read: then it has its type's default, and nothing else of
/// the document is lost. A new member of a document is this one line, `@Defaulted package var isQuiet = false`.
///
/// What `Value` must be stands at the extensions: for a condition of the type itself, the runtime searches all conformances
/// of the program whenever it first copies such a member, and the first press on Start waited for that.
@propertyWrapper
package struct Defaulted<Value> {
    package var wrappedValue: Value

    package init(wrappedValue: Value) where Value: HasDefault { self.wrappedValue = wrappedValue }
}

extension Defaulted: Sendable where Value: Sendable {}
extension Defaulted: Equatable where Value: Equatable {}
extension Defaulted: Hashable where Value: Hashable {}

extension Defaulted: Decodable where Value: HasDefault & Decodable {
    package init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
}

extension Defaulted: Encodable where Value: Encodable {
    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// What the compiler writes for a type that is Codable calls these where they fit better than the library's own.

extension KeyedDecodingContainer {
    func decode<Value: HasDefault & Decodable>(
        _: Defaulted<Value>.Type, forKey key: Key
    ) throws -> Defaulted<Value> {
        Defaulted(wrappedValue: (try? decodeIfPresent(Value.self, forKey: key)) ?? Value())
    }

    /// What cannot be read of a list is left out of it.
    func decode<Element: Codable>(
        _: Defaulted<[Element]>.Type, forKey key: Key
    ) throws -> Defaulted<[Element]> {
        Defaulted(wrappedValue: list(forKey: key))
    }

    /// The same for an optional list. A list that cannot be read counts as empty, not as missing.
    func decode<Element: Codable>(
        _: Defaulted<[Element]?>.Type, forKey key: Key
    ) throws -> Defaulted<[Element]?> {
        Defaulted(wrappedValue: contains(key) ? list(forKey: key) : nil)
    }

    private func list<Element: Codable>(forKey key: Key) -> [Element] {
        let list = (try? decodeIfPresent([IfReadable<Element>].self, forKey: key)) ?? []
        return list.compactMap(\.value)
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value: Encodable>(_ member: Defaulted<Value>, forKey key: Key) throws {
        try encode(member.wrappedValue, forKey: key)
    }

    mutating func encode<Wrapped: Encodable>(_ member: Defaulted<Wrapped?>, forKey key: Key) throws {
        try encodeIfPresent(member.wrappedValue, forKey: key)
    }

    mutating func encode<Element: Comparable & Encodable>(_ member: Defaulted<Set<Element>>, forKey key: Key)
        throws
    {
        try encode(member.wrappedValue.sorted(), forKey: key)
    }

    /// In order, so that equal values are equal bytes.
    mutating func encode<Element: Comparable & Encodable>(_ set: Set<Element>, forKey key: Key) throws {
        try encode(set.sorted(), forKey: key)
    }
}

private struct IfReadable<Element: Decodable>: Decodable {
    let value: Element?

    init(from decoder: any Decoder) throws { value = try? Element(from: decoder) }
}

extension Bool: HasDefault {}
extension Int: HasDefault {}
extension String: HasDefault {}
extension Array: HasDefault {}
extension Set: HasDefault {}
extension Optional: HasDefault {
    package init() { self = nil }
}

extension Person.Role: HasDefault {
    package init() { self = .adult }
}
extension Device.Kind: HasDefault {
    package init() { self = .other }
}
extension StrictnessMode: HasDefault {
    package init() { self = .flexible }
}
extension AppSelection: HasDefault {
    package init() { self.init(apps: []) }
}
extension AntiRot: HasDefault {
    package init() { self.init(windows: nil) }
}
extension OverrideState: HasDefault {
    package init() { self.init(lastUsedDate: nil) }
}
extension Limits: HasDefault {
    package init() { self.init(list: []) }
}
extension Focus: HasDefault {
    package init() { self.init(lastPreset: .standard) }
}
extension FocusTimer: HasDefault {
    package init() { self.init(.standard) }
}
extension FocusShortcuts: HasDefault {
    package init() { self.init(dndShortcutName: "") }
}
extension Preset: HasDefault {
    package init() { self = .standard }
}
extension VerifiedMinutes: HasDefault {}
extension RelayedApps: HasDefault {
    package init() { self.init(includesRuled: false) }
}
