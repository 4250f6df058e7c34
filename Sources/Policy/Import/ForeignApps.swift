/// Our apps for a foreign server's services and names.
package enum ForeignApps {
    /// AdGuard Home's ids that our catalog calls otherwise. Every other id is ours with hyphens for underscores, if the
    /// catalog has that one.
    package static let services: [String: Set<String>] = [
        "activision_blizzard": ["blizzard", "call-of-duty"],
        "amazon_streaming": ["prime-video"],
        "apple_streaming": ["apple-tv"],
        "battle_net": ["blizzard"],
        "blizzard_entertainment": ["blizzard"],
        "claro": ["claro-video"],
        "directvgo": ["directv-go"],
        "discoveryplus": ["discovery-plus"],
        "disneyplus": ["disney-plus"],
        "electronic_arts": ["ea"],
        "epic_games": ["fortnite"],
        "fdj_united": ["fdj"],
        "hbomax": ["hbo-max"],
        "leagueoflegends": ["league-of-legends"],
        "microsoft_teams": ["teams"],
        "nvidia": ["geforce-now"],
        "origin": ["ea"],
        "paramountplus": ["paramount-plus"],
        "peacock_tv": ["peacock"],
        "playstore": ["google-play"],
        "proton": ["proton-mail"],
        "rakuten_viki": ["viki"],
        "riot_games": ["league-of-legends"],
        "rockstar_games": ["rockstar"],
        "twitter": ["x"],
        "valorant": ["league-of-legends"],
        "warnerbrosgames": ["wb-games"],
        "xboxlive": ["xbox"],
    ]

    /// The apps that a service is; empty if the catalog has none of them.
    static func apps(service: String, in catalog: Catalog) -> Set<String> {
        let ids = services[service] ?? [service.replacing("_", with: "-")]
        return ids.filter { catalog.app(id: $0) != nil }
    }

    /// What a list of blocked names blocks: apps whose main name is among them, apps of which only other names are, and
    /// names that no app has.
    struct Names: Hashable {
        var apps: Set<String> = []
        var parts: Set<String> = []
        var unknown: Set<String> = []

        init(_ domains: [String], in catalog: Catalog) {
            for domain in domains.map(DomainName.folded) {
                guard let app = catalog.app(owning: domain) else {
                    unknown.insert(domain)
                    continue
                }
                let main = app.suffixes.first ?? ""
                if domain == main || domain == "www.\(main)" {
                    apps.insert(app.id)
                } else {
                    parts.insert(app.id)
                }
            }
            parts.subtract(apps)
        }
    }
}
