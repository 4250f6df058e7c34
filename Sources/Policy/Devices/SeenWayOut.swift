package import Foundation

/// A way past this server that was seen on a child's device. The adults are told of each once a day at most.
package struct SeenWayOut: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// It opens pages here, and asks another server for names.
        case asksElsewhere = "asks-elsewhere"
        /// A new device looks like it (`Return`).
        case newAddress = "new-address"
        /// It asks another server besides this one.
        case secondServer = "second-server"
        /// It looked up a VPN (`WaysOut`).
        case vpn

        /// How many seconds pass before it is told: a phone that wakes up opens a page before it asks for names, and it may
        /// ask another machine of the household.
        var patience: TimeInterval { self == .asksElsewhere ? 60 : 0 }
    }

    /// For how many seconds it is remembered, so that it is told once in that time.
    package static let lifetime: TimeInterval = 86_400

    package let kind: Kind
    package let since: Date
    /// When it is told, unless it is mended before.
    package let due: Date
    package internal(set) var isTold = false
    package internal(set) var isMended = false

    package init(_ kind: Kind, since: Date, due: Date) {
        self.kind = kind
        self.since = since
        self.due = due
    }

    /// Whether it was told and still holds.
    package var isOpen: Bool { isTold && !isMended }

    func isKept(at now: Date) -> Bool { abs(now.timeIntervalSince(since)) < Self.lifetime }
}

/// The pages that a device opened without asking here for a name in between.
package struct SilentSpan: Hashable, Sendable {
    /// How many seconds must lie between its pages: a device that somebody uses asks for names all the time.
    package static let patience: TimeInterval = 300

    package private(set) var first: Date
    private var last: Date

    package init(at now: Date) { (first, last) = (now, now) }

    /// - Parameter asked: when it asked here last.
    package mutating func open(at now: Date, asked: Date) {
        if asked >= first || now < last { first = now }
        last = now
    }

    /// Whether it asked elsewhere, if it asked here last at `asked`.
    package func isTelling(asked: Date) -> Bool {
        asked < first && last.timeIntervalSince(first) >= Self.patience
    }
}
