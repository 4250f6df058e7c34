extension App {
    /// The names whose lookups speak of use. What a household calls an app has no background service that we
    /// know of: there all names do.
    package var usageNames: [String] {
        foreground.isEmpty && category == Category.own.id ? suffixes : foreground
    }

    /// What a folded name below the app's suffixes says of use: the longest of its foreground and service names that
    /// the name ends in decides.
    package func usage(of name: String) -> UsageHit.Kind {
        let kind = usage(below: name)
        if kind == .other, pages.contains(name), !service.contains(name) { return .page }
        return kind
    }

    /// The same for the names below it that are nobody's own.
    package func usage(below name: String) -> UsageHit.Kind {
        for parent in DomainName.withParents(name) {
            if let index = usageNames.firstIndex(of: parent) { return .foreground(index) }
            if service.contains(parent) { return .other }
        }
        return .other
    }
}
