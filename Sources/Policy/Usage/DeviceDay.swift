package import Foundation

/// A device's minutes of use on one UTC day, as the machines of a household tell each other. Machines join what they have
/// by union: neither order nor repetition matters.
package struct DeviceDay: Hashable, Sendable {
    private struct Cell: Hashable {
        var person: PersonID
        var app: String
        var hour: Int
        var source: UsageSource
    }

    package let device: DeviceID
    /// Days since 1970.
    package let day: Int
    private var minutes: [Cell: UInt64] = [:]

    package init(_ device: DeviceID, day: Int) {
        self.device = device
        self.day = day
    }

    package var isEmpty: Bool { minutes.isEmpty }

    package var masks: [HourMask] {
        minutes.map { cell, minutes in
            HourMask(
                person: cell.person, device: device, app: cell.app, hour: cell.hour, source: cell.source,
                minutes: minutes)
        }
    }

    /// Adds minutes; those of another device or day, and of no app, are nothing.
    package mutating func add(_ mask: HourMask) {
        let added = mask.minutes & HourMask.full
        guard mask.device == device, mask.hour >= day * 24, mask.hour < day * 24 + 24, added != 0,
            !mask.app.isEmpty
        else { return }
        let cell = Cell(person: mask.person, app: mask.app, hour: mask.hour, source: mask.source)
        minutes[cell, default: 0] |= added
    }

    package func union(_ other: DeviceDay) -> DeviceDay {
        other.masks.reduce(into: self) { $0.add($1) }
    }

    /// Without people who are gone.
    package func only(_ people: Set<PersonID>) -> DeviceDay {
        var rest = self
        rest.minutes = minutes.filter { people.contains($0.key.person) }
        return rest
    }

    /// Each device's minutes on a day that ended before a minute since 1970.
    package static func all(_ masks: [HourMask], day: Int, before end: Int) -> [DeviceDay] {
        var days: [DeviceID: DeviceDay] = [:]
        for var mask in masks {
            mask.minutes &= HourMask.bits(of: mask.hour * 60..<max(end, mask.hour * 60), in: mask.hour)
            days[mask.device, default: DeviceDay(mask.device, day: day)].add(mask)
        }
        return days.values.filter { !$0.isEmpty }.sorted { $0.device.rawValue < $1.device.rawValue }
    }
}

extension DeviceDay {
    /// One hour of an app, short, because there are many.
    private struct Line: Codable {
        var p: Int64
        var a: String
        var h: Int
        var s: Int
        var m: UInt64
    }

    /// JSON: a list of person, app, hour since 1970, source and 60 bits.
    package func encoded() throws -> Data {
        try JSONEncoder().encode(
            masks.map {
                Line(p: $0.person.rawValue, a: $0.app, h: $0.hour, s: $0.source.rawValue, m: $0.minutes)
            })
    }

    /// Throws for what is no such list; leaves lines out that cannot be.
    package init(_ device: DeviceID, day: Int, encoded: Data) throws {
        self.init(device, day: day)
        for line in try JSONDecoder().decode([Line].self, from: encoded) {
            guard let source = UsageSource(rawValue: line.s) else { continue }
            add(
                HourMask(
                    person: PersonID(rawValue: line.p), device: device, app: line.a, hour: line.h,
                    source: source, minutes: line.m))
        }
    }
}
