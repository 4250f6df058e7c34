import HTTPTypes
import Hummingbird
import Policy

/// The system that a browser claims to run on, so that its steps are open. Nothing else depends on it.
package enum ClientSystem: String, Sendable, CaseIterable {
    case ios, android, mac, windows, linux, other

    /// From a `User-Agent`. An iPad claims to be a Macintosh by default.
    package init(agent: String) {
        let known: [(String, ClientSystem)] = [
            ("iPhone", .ios), ("iPad", .ios), ("iPod", .ios), ("Android", .android), ("Macintosh", .mac),
            ("Windows", .windows), ("Linux", .linux), ("X11", .linux),
        ]
        self = known.first { agent.contains($0.0) }?.1 ?? .other
    }

    /// The kind of device by a `User-Agent`; nil if it does not say.
    ///
    /// - Parameter told: `tablet` or `computer`, as a script reports of a Macintosh, which may be an iPad.
    static func kind(agent: String, told: String? = nil) -> Device.Kind? {
        switch ClientSystem(agent: agent) {
        case .ios: agent.contains("iPad") ? .tablet : .phone
        case .android: agent.contains("Mobile") ? .phone : .tablet
        case .windows, .linux: .computer
        case .mac: told.flatMap(Device.Kind.init).flatMap { [.tablet, .computer].contains($0) ? $0 : nil }
        case .other: nil
        }
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
