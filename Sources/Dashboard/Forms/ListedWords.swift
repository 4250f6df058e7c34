extension [String] {
    /// `Mia`, `Mia and Tom`, `Mia, Tom and you`.
    var listed: String {
        count < 2 ? first ?? "" : "\(dropLast().joined(separator: ", ")) and \(self[count - 1])"
    }
}
