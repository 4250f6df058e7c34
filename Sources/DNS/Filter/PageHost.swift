extension WireName {
    /// Whether people would type this name: two labels, or `www.` or `m.` before two. A second level under which names
    /// are registered, such as `co.uk` or `com.au`, counts with its country as one label.
    var looksLikePageHost: Bool {
        var rest = labelCount - (endsInSecondLevel ? 1 : 0)
        if rest == 3 && (label(0, is: "www") || label(0, is: "m")) { rest = 2 }
        return rest == 2
    }

    private static let secondLevels: [StaticString] = [
        "co", "com", "net", "org", "ac", "edu", "gov", "gob", "go", "or", "ne",
    ]

    private var endsInSecondLevel: Bool {
        guard labelCount >= 2, bytes[Int(labels[labelCount - 1])] == 2 else { return false }
        let index = labelCount - 2
        guard bytes[Int(labels[index])] <= 3 else { return false }
        return Self.secondLevels.contains { label(index, is: $0) }
    }

    private func label(_ index: Int, is text: StaticString) -> Bool {
        let start = Int(labels[index])
        guard Int(bytes[start]) == text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[start + 1 + $0] == text.utf8Start[$0] }
    }
}
