package import Foundation

/// A household's machines, as one of them sees them: pages, programs and `doctor` all say this.
package struct HouseMachines: Hashable, Sendable {
    /// Why something does not work.
    package struct Fault: Hashable, Sendable {
        /// In the middle of a sentence: `etcd does not answer`.
        package var reason: String
        /// What to do, in whole sentences; empty: it passes by itself.
        package var advice: String

        package init(reason: String, advice: String = "") {
            self.reason = reason
            self.advice = advice
        }
    }

    /// When somebody without the household's key was seen to change records in etcd, first and last.
    package struct Strangers: Hashable, Sendable {
        package var since: Date
        package var last: Date

        package init(since: Date, last: Date) {
            self.since = since
            self.last = last
        }
    }

    package var all: [HouseMachine]
    /// Why this machine cannot ask the others; nil: it can.
    package var cutOff: Fault?
    /// Why etcd answers and takes no change; nil: it does.
    package var refusal: Fault?
    package var strangers: Strangers?
    /// Whether a person may let this machine lead, because no etcd answers.
    package var mayLead: Bool

    package init(
        _ all: [HouseMachine], cutOff: Fault? = nil, refusal: Fault? = nil, strangers: Strangers? = nil,
        mayLead: Bool = false
    ) {
        self.all = all
        self.cutOff = cutOff
        self.refusal = refusal
        self.strangers = strangers
        self.mayLead = mayLead
    }

    /// One for each machine. What is wrong with one is a finding.
    package func lines(at now: Date) -> [HealthLine] {
        all.map { HealthLine(id: "machine-\($0.node)", isGood: true, text: $0.sentence(at: now)) }
    }
}

/// One machine of a household, as another or the same one sees it.
package struct HouseMachine: Codable, Hashable, Sendable {
    /// What a machine does for the order of changes.
    package enum Role: String, Codable, Sendable {
        /// etcd runs on it, and puts all changes in their order.
        case leads
        /// etcd runs on it, and confirms changes.
        case votes
        /// It asks the others' etcd.
        case follows
    }

    /// Its number, which nobody else ever had.
    package var node: Int
    package var name: String
    package var version: String
    /// Nil: unknown.
    package var role: Role?
    /// How many changes it lacks, as of what it said last.
    package var behind: Int64
    /// Whether it is in touch.
    package var isHere: Bool
    /// Since when it is in touch, or silent; nil: unknown.
    package var since: Date?
    /// When it was heard of last; nil: not since the server's start.
    package var heard: Date?
    /// By how many seconds its clock is ahead; nil: unknown.
    package var clockAhead: Double?
    package var isThisOne: Bool

    package init(
        node: Int, name: String, version: String, role: Role? = nil, behind: Int64 = 0, isHere: Bool = true,
        since: Date? = nil, heard: Date? = nil, clockAhead: Double? = nil, isThisOne: Bool = false
    ) {
        self.node = node
        self.name = CleanName.cleaned(name)
        self.version = version
        self.role = role
        self.behind = behind
        self.isHere = isHere
        self.since = since
        self.heard = heard
        self.clockAhead = clockAhead
        self.isThisOne = isThisOne
    }

    /// `attic: version 1.4.0, votes, 3 changes behind, silent for 40 s.`
    package func sentence(at now: Date) -> String {
        func ago(_ instant: Date) -> String {
            let seconds = Int(max(0, min(now.timeIntervalSince(instant), 1e9)))
            return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
        }
        let silent = since.map { "silent for \(ago($0))" } ?? "silent"
        let parts = [
            "version \(version)", isThisOne ? "this machine" : nil, role?.rawValue,
            behind > 0 ? "\(behind) \(behind == 1 ? "change" : "changes") behind" : nil,
            isHere ? heard.map { "heard \(ago($0)) ago" } : silent,
        ]
        return "\(name): \(parts.compactMap { $0 }.joined(separator: ", "))."
    }
}
