package import DNS
package import Policy

extension Monitor {
    /// The effects of the loop; the executable supplies them.
    package struct Effects: Sendable {
        /// Hands a compiled filter to DNS; returns when every event loop has it.
        package var enforce: @Sendable (Filter) async -> Void
        /// Called with every snapshot that differs from the one before.
        package var onChange: @Sendable (Snapshot) async -> Void
        /// Called with the revision of the store's household up to which all of this is done.
        package var onApplied: @Sendable (Int) -> Void
        /// Called with the time to evaluate the rules and to compile a filter of them, in seconds.
        package var onCompile: @Sendable (Double) -> Void

        package init(
            enforce: @escaping @Sendable (Filter) async -> Void,
            onChange: @escaping @Sendable (Snapshot) async -> Void,
            onApplied: @escaping @Sendable (Int) -> Void = { _ in },
            onCompile: @escaping @Sendable (Double) -> Void = { _ in }
        ) {
            self.enforce = enforce
            self.onChange = onChange
            self.onApplied = onApplied
            self.onCompile = onCompile
        }
    }
}
