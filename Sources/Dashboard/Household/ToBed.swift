package import Policy

/// A button that puts a group to bed. POST `path`.
package struct ToBed: Sendable {
    /// `/household/children`
    let path: String
    /// The only person of the group: "Ada to bed".
    let name: String?
    /// `Children to bed`
    let words: String

    package init(_ group: BedtimeGroup, in household: Household) {
        let members = household.people.filter(group.contains)
        path = "/household/\(group.rawValue)"
        name = members.count == 1 ? members[0].name : nil
        words = group.words
    }
}
