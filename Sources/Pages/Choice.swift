package import Policy

/// One of several things to choose from: a radio button, an option, a checkbox.
package struct Choice: Sendable {
    package let value: String
    package let label: String
    package let description: String
    package let isSelected: Bool

    package init(_ value: String, _ label: String, description: String = "", isSelected: Bool) {
        self.value = value
        self.label = label
        self.description = description
        self.isSelected = isSelected
    }

    /// Strict and Flexible with their descriptions, in that order.
    package static func strictness(_ selected: StrictnessMode?) -> [Choice] {
        StrictnessMode.allCases.map { mode in
            let who = mode == .flexible ? ", by anybody who knows the passcode" : ""
            return Choice(
                mode.rawValue, mode.displayName, description: mode.description + who,
                isSelected: mode == selected)
        }
    }

    /// The seven weekdays, Monday first, by their contract names.
    package static func weekdays(_ selected: Set<String>) -> [Choice] {
        Weekday.allCases.map { Choice($0.rawValue, $0.short, isSelected: selected.contains($0.rawValue)) }
    }

    /// Time zones by their IANA names. Adds the selected one if the list lacks it: a browser would select the first.
    package static func zones(_ identifiers: [String], selected: String) -> [Choice] {
        let isListed = selected.isEmpty || identifiers.contains(selected)
        return (isListed ? identifiers : [selected] + identifiers).map {
            Choice($0, $0.replacing("_", with: " "), isSelected: $0 == selected)
        }
    }
}
