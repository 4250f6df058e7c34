package import Foundation

/// The independent reasons to block a name, strictest first.
package enum Layer: String, Codable, Sendable, CaseIterable, Comparable {
    case sleep, windows, limits, focus

    package static func < (a: Layer, b: Layer) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }
}

/// What one layer blocks for one person.
package struct Block: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        /// Everything but these is blocked (sleep).
        case everythingBut(AppSelection)
        /// Only these are blocked (windows, limits, focus).
        case only(AppSelection)
    }

    package var layer: Layer
    package var scope: Scope
    package var since: Date
    /// The planned end; nil where none is planned, for example when all windows were removed.
    package var until: Date?
    /// The limit that is reached, for the layer `limits`.
    package var target: LimitTarget?
    /// Apps in the scope that are not blocked: those on probation, and those that a limit leaves out.
    package var exempt: Set<String>
    /// Whether this is "Try it for two minutes" on one device.
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

/// What holds for a person at one instant, and until when.
package struct Verdict: Hashable, Sendable {
    package var person: PersonID
    /// Strictest first; empty means that everything is allowed.
    package var blocks: [Block]
    /// The next instant at which it can change without new input; nil if never.
    package var validUntil: Date?
    /// The next bedtime, tonight's change included; nil if none is planned.
    package var nextStart: Date?
    /// The next instant at which something open becomes blocked: a bedtime, or a window's end.
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
    /// The person whose rules decided; nil for a device that is not enrolled.
    package var person: PersonID?
    /// The device that asked, if known.
    package var device: DeviceID?
    /// What the shield offers if a limit blocks the name.
    package var limit: LimitShield?
    /// When "Unlock for 1 min" ends, if that opens the name.
    package var probationEndsAt: Date?
    /// When sleep goes on, for somebody who is awake for a while or about to be.
    package var awakeUntil: Date?
    /// Today's latest question about more minutes of the name, also when its yes has opened it.
    package var asked: Asked?

    /// A question for more minutes, as the asking person may read it.
    package struct Asked: Hashable, Sendable {
        package var answer: TimeRequest.Answer
        /// `TikTok`, or `Social`.
        package var targetName: String
    }

    package init(
        block: Block?, app: App? = nil, person: PersonID? = nil, device: DeviceID? = nil,
        limit: LimitShield? = nil, probationEndsAt: Date? = nil, awakeUntil: Date? = nil,
        asked: Asked? = nil
    ) {
        self.asked = asked
        self.awakeUntil = awakeUntil
        self.block = block
        self.app = app
        self.person = person
        self.device = device
        self.limit = limit
        self.probationEndsAt = probationEndsAt
    }
}
