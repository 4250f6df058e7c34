import Synchronization

/// A name in templates or of a property, with a number by which it is found.
struct Symbol: Sendable {
    let number: Int
    let text: String

    init(_ text: String) {
        self.text = text
        number = Self.numbers.withLock { numbers in
            if let known = numbers[text] { return known }
            numbers[text] = numbers.count
            return numbers.count - 1
        }
    }

    /// Bounded: names come from templates and from the program's own types.
    private static let numbers = Mutex<[String: Int]>([:])
}
