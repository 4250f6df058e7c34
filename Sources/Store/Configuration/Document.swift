import Crypto
import Foundation
import GRDB
import Policy

/// One decision of people, as JSON. Each document is written, damaged and mended separately.
struct Document: Codable, Hashable {
    enum Kind: String, Codable { case house, person, session, device }

    struct Key: Hashable {
        var kind: Kind
        /// A person's or a device's number; a session's is its person's, the house's is 1.
        var id: Int64
    }

    var kind: Kind
    var id: Int64
    var json: String
    /// SHA-256 of the other three: a damaged document does not match its digest.
    var digest: Data

    var key: Key { Key(kind: kind, id: id) }

    /// Whether the document matches its digest.
    var isWhole: Bool { digest == Self.digest(key, json) }

    fileprivate static func digest(_ key: Key, _ json: String) -> Data {
        Data(SHA256.hash(data: Data("\(key.kind.rawValue) \(key.id) \(json)".utf8)))
    }
}

extension Document {
    init(_ key: Key, json: String) {
        self.init(kind: key.kind, id: key.id, json: json, digest: Self.digest(key, json))
    }
}

/// The content of a document.
enum Entity: Hashable {
    case house(Household)
    case person(Person)
    case session(SleepSession)
    /// Without the time of its last sighting, which is an observation: `lastSeen` is `firstSeen`.
    case device(Device)

    /// Throws if the document does not fit its key, or lacks a required part.
    init(_ key: Document.Key, json: String) throws {
        let data = Data(json.utf8)
        let decoder = JSONDecoder.ofDocuments
        switch key.kind {
        case .house: self = .house(try decoder.decode(Household.self, from: data).withoutImpossible)
        case .person: self = .person(try decoder.decode(Person.self, from: data).withoutImpossible)
        case .session: self = .session(try decoder.decode(SleepSession.self, from: data))
        case .device: self = .device(try decoder.decode(Device.self, from: data).withoutImpossible)
        }
        if let own, own != key.id { throw UnreadableColumn(column: "json") }
    }

    init(_ device: Device) {
        var device = device
        device.lastSeen = device.firstSeen
        self = .device(device)
    }

    private var own: Int64? {
        switch self {
        case .house, .session: nil
        case .person(let person): person.id.rawValue
        case .device(let device): device.id.rawValue
        }
    }

    /// Equal entities make equal bytes.
    func json() throws -> String {
        let data =
            switch self {
            case .house(let house): try JSONEncoder.ofDocuments.encode(house)
            case .person(let person): try JSONEncoder.ofDocuments.encode(person)
            case .session(let session): try JSONEncoder.ofDocuments.encode(session)
            case .device(let device): try JSONEncoder.ofDocuments.encode(device)
            }
        return String(decoding: data, as: UTF8.self)
    }

    /// As it is after it was written and read, for example with instants in whole milliseconds.
    func asStored(_ key: Document.Key) throws -> Entity {
        do {
            let json = try json()
            let stored = try Entity(key, json: json)
            guard try stored.json() == json else { throw UnreadableColumn(column: "json") }
            return stored
        } catch { throw StoreError.refused(reason: "no document can hold it (\(key.kind) \(key.id))") }
    }
}

extension Household {
    /// Nil without a house or without people.
    init?(_ entities: [Document.Key: Entity], seen: [DeviceID: Date] = [:]) {
        guard case .house(let house)? = entities[Document.Key(kind: .house, id: 1)] else { return nil }
        self = house
        for (key, entity) in entities {
            switch entity {
            case .house, .session: continue
            case .person(var person):
                let key = Document.Key(kind: .session, id: key.id)
                if case .session(let session)? = entities[key] { person.session = session }
                people.append(person)
            case .device(var device):
                device.lastSeen = seen[device.id] ?? device.lastSeen
                devices.append(device)
            }
        }
        guard !people.isEmpty else { return nil }
        self = withoutDangling()
        tellAddressesApart()
    }

    /// An IP address belongs to one device. If damage gave it to two, the first keeps it; otherwise every change would
    /// be refused.
    private mutating func tellAddressesApart() {
        var taken: Set<String> = []
        for index in devices.indices {
            devices[index].addresses.removeAll { !taken.insert($0).inserted }
        }
    }

    /// The household as it is after it was written and read. Throws if it cannot be stored.
    ///
    /// - Parameter known: a household that was already read from its documents; nil: none.
    func asStored(after known: Household?) throws -> Household {
        let house = withoutDangling(after: known)
        try house.check(after: known)
        let changes = EntityChanges(from: known, to: house)
        var stored = house.taking(
            try Dictionary(uniqueKeysWithValues: changes.put.map { ($0, try $1.asStored($0)) }))
        // Nothing is written where nothing differs, so that the devices stay the same array, which compares at once.
        if known?.devices == house.devices { return stored }
        for index in stored.devices.indices {
            stored.devices[index].lastSeen = stored.devices[index].lastSeen.asStored
        }
        return stored
    }

    private func check(after known: Household?) throws {
        if timeZone != known?.timeZone, CivilZone(timeZone) == nil {
            throw StoreError.unknownTimeZone(timeZone)
        }
        func refuse(_ reason: String) -> StoreError { .refused(reason: reason) }
        guard !people.isEmpty else { throw refuse("a household has at least one person") }
        guard people.allSatisfy({ Self.names.contains($0.name.count) }) else {
            throw refuse("a person has a name of 1 to 200 characters")
        }
        let sessions = people.compactMap { $0.session?.id }
        guard isEach(people.map(\.id)), isEach(ownApps.map(\.id)), isEach(sessions) else {
            throw refuse("two of the household's entries bear the same id")
        }
        guard devices != known?.devices else { return }
        guard isEach(devices.map(\.id)), isEach(devices.flatMap(\.addresses)) else {
            throw refuse("two of the household's devices bear the same id or address")
        }
        guard devices.allSatisfy({ Self.names.contains($0.name.count) }) else {
            throw refuse("a device has a name of 1 to 200 characters")
        }
    }

    private static let names = 1...200

    private func isEach(_ ids: [some Hashable]) -> Bool { Set(ids).count == ids.count }
}

extension JSONEncoder {
    static var ofDocuments: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(instantText(date))
        }
        return encoder
    }
}

extension JSONDecoder {
    static var ofDocuments: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let instant = instant(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "An instant is ISO 8601 in UTC.")
            }
            return instant
        }
        return decoder
    }
}

/// ISO 8601 in UTC with milliseconds, exactly what a row keeps.
private func instantText(_ date: Date) -> String {
    let whole = date.milliseconds.quotientAndRemainder(dividingBy: 1000)
    // Before 1970 the remainder is negative: then the second below is the one to name.
    let (seconds, rest) =
        whole.remainder < 0 ? (whole.quotient - 1, whole.remainder + 1000) : (whole.quotient, whole.remainder)
    let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    let digits = String(rest)
    return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
}

/// Reads `instantText`'s form, and whole seconds.
private func instant(_ text: String) -> Date? {
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard text.hasSuffix("Z"), (1...2).contains(parts.count),
        let seconds = try? Date(parts[0] + "Z", strategy: .iso8601)
    else { return nil }
    guard parts.count == 2 else { return seconds }
    guard parts[1].utf8.count == 3, let rest = Int64(parts[1]), rest >= 0 else { return nil }
    return Date(milliseconds: seconds.milliseconds + rest)
}
