extension App {
    /// The names whose lookups show use. Of a household's own app we know no background service, so all names
    /// count.
    package var usageNames: [String] {
        foreground.isEmpty && category == Category.own.id ? suffixes : foreground
    }

    /// What a folded name below the app's suffixes shows: the longest foreground or service name at its end decides.
    package func usage(of name: String) -> UsageHit.Kind {
        let kind = usage(below: name)
        if kind == .other, pages.contains(name), !service.contains(name) { return .page }
        return kind
    }

    /// The same for names below it that have no entry of their own.
    package func usage(below name: String) -> UsageHit.Kind {
        let usageNames = usageNames
        if usageNames.isEmpty, service.isEmpty { return .other }
        for parent in DomainName.withParents(name) {
            if let index = usageNames.firstIndex(of: parent) { return .foreground(index) }
            if service.contains(parent) { return .other }
        }
        return .other
    }
}
