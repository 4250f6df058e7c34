package import Foundation
package import Policy

/// A person's limit for one target before and after it was added, changed or removed, for Undo.
package struct LimitChange: Identifiable, Sendable {
    /// The limit's own id.
    package let id: UUID
    let target: LimitTarget
    /// Nil if it was added.
    let before: UsageLimit?
    /// Nil if it was removed.
    let after: UsageLimit?

    /// Nil if nothing changed.
    package init?(_ target: LimitTarget, from before: UsageLimit?, to after: UsageLimit?) {
        guard before != after, let id = (after ?? before)?.id else { return nil }
        (self.id, self.target, self.before, self.after) = (id, target, before, after)
    }

    /// `is gone`, after the limit's name.
    var words: String { after == nil ? "is gone" : before == nil ? "was added" : "was changed" }

    /// Whether nothing else has happened to the limit since.
    func isLatest(of person: Person) -> Bool { person.limit(of: target) == after }
}

extension Person {
    func limit(of target: LimitTarget) -> UsageLimit? { limits.list.first { $0.target == target } }
}
