package import Foundation

/// The independent reasons for which a name can be blocked, strictest first (C-04, C-25).
package enum Layer: String, Codable, Sendable, CaseIterable, Comparable {
    case sleep, windows, limits, focus

    package static func < (a: Layer, b: Layer) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }
}

/// One layer's hold on one person.
package struct Block: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        /// Everything is blocked but these (sleep).
        case everythingBut(AppSelection)
        /// Only these are blocked (windows, limits, focus).
        case only(AppSelection)
    }

    package var layer: Layer
    package var scope: Scope
    package var since: Date
    /// Nil: no end is planned, as for windows that were all taken away (C-14).
    package var until: Date?
    /// The limit that is reached, where the layer is `limits`.
    package var target: LimitTarget?
    /// Apps that are in the scope and not held back: those on probation.
    package var exempt: Set<String>
    /// Whether it is "Try it for two minutes" on one device.
    package var isTry: Bool

    package init(
        layer: Layer, scope: Scope, since: Date, until: Date?, target: LimitTarget? = nil,
        exempt: Set<String> = [], isTry: Bool = false
    ) {
        self.layer = layer
        self.scope = scope
        self.since = since
        self.until = until
        self.target = target
        self.exempt = exempt
        self.isTry = isTry
    }
}

/// What holds for a person at one instant, and how long that is certain.
package struct Verdict: Hashable, Sendable {
    package var person: PersonID
    /// Strictest first; empty means that everything is allowed.
    package var blocks: [Block]
    /// The next instant at which it can change without new input; nil: never by itself.
    package var validUntil: Date?
    /// The next bedtime that is planned, in force tonight's change; nil while none is.
    package var nextStart: Date?
    /// The next instant at which something that is open is planned to be blocked: a bedtime, or a window's end.
    package var nextBlock: Date?

    package init(
        person: PersonID, blocks: [Block], validUntil: Date? = nil, nextStart: Date? = nil,
        nextBlock: Date? = nil
    ) {
        self.person = person
        self.blocks = blocks
        self.validUntil = validUntil
        self.nextStart = nextStart
        self.nextBlock = nextBlock
    }
}

/// The answer for one name on one device: what `explain` prints and the shield shows.
package struct NameVerdict: Hashable, Sendable {
    /// Nil: allowed.
    package var block: Block?
    /// The catalog's or household's app that owns the name.
    package var app: App?
    /// Whose rules were asked; nil for a device that is not enrolled.
    package var person: PersonID?
    /// The device that asked, where it is known.
    package var device: DeviceID?
    /// What the shield offers, where a limit is what blocks it.
    package var limit: LimitShield?
    /// When "Unlock for 1 min" ends, where that is what opens it.
    package var probationEndsAt: Date?

    package init(
        block: Block?, app: App? = nil, person: PersonID? = nil, device: DeviceID? = nil,
        limit: LimitShield? = nil, probationEndsAt: Date? = nil
    ) {
        self.block = block
        self.app = app
        self.person = person
        self.device = device
        self.limit = limit
        self.probationEndsAt = probationEndsAt
    }
}
