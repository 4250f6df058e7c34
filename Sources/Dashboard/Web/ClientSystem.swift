import HTTPTypes
import Hummingbird
import Policy

/// What a browser says that it runs on, so that its own steps stand open. Nothing depends on its being true.
package enum ClientSystem: String, Sendable, CaseIterable {
    case ios, android, mac, windows, linux, other

    /// From a `User-Agent`. An iPad calls itself a Macintosh unless it is told otherwise.
    package init(agent: String) {
        let known: [(String, ClientSystem)] = [
            ("iPhone", .ios), ("iPad", .ios), ("iPod", .ios), ("Android", .android), ("Macintosh", .mac),
            ("Windows", .windows), ("Linux", .linux), ("X11", .linux),
        ]
        self = known.first { agent.contains($0.0) }?.1 ?? .other
    }

    init(_ request: Request) { self.init(agent: request.headers[.userAgent] ?? "") }

    var forCheck: SetupCheck.System {
        switch self {
        case .ios, .mac: .apple
        case .android: .android
        case .windows: .windows
        case .linux: .linux
        case .other: .other
        }
    }
}
