import Foundation
import Policy

/// "More time today", for one limit or for all of a person's: POST `/household/bonus` with `person`, `minutes` and perhaps
/// `limit`.
struct BonusButtons {
    let person: Int64
    /// The limit's id; nil: all limits.
    let limit: String?
    /// `TikTok`, or the person's name.
    let whose: String
    let minutes = Bonus.proposed

    /// Nil if nobody can give them minutes.
    init?(_ person: Person, of limit: UsageLimit? = nil, named name: String? = nil) {
        guard person.takesBonus else { return nil }
        self.person = person.id.rawValue
        self.limit = limit?.id.uuidString
        whose = name ?? person.name
    }
}
