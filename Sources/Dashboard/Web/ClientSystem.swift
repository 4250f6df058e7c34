import HTTPTypes
import Hummingbird
import Policy

/// The system that a browser claims to run on, so that its steps are open. Nothing else depends on it.
package enum ClientSystem: String, Sendable, CaseIterable {
    case ios, android, mac, windows, linux
    case androidTV, appleTV, fireTV, webOS, tizen, chromecast
    case playStation, xbox, nintendo
    case other

    /// What a `User-Agent` contains, in this order: a television is an Android or a Linux too, and an Xbox a Windows.
    private static let signs: [(String, ClientSystem)] = [
        ("Web0S", .webOS), ("webOS", .webOS), ("Tizen", .tizen), ("CrKey", .chromecast),
        ("AppleTV", .appleTV), ("Apple TV", .appleTV), ("; AFT", .fireTV),
        ("Android TV", .androidTV), ("Google TV", .androidTV), ("GoogleTV", .androidTV),
        ("BRAVIA", .androidTV),
        ("PlayStation", .playStation), ("Xbox", .xbox), ("Nintendo", .nintendo),
        ("iPhone", .ios), ("iPad", .ios), ("iPod", .ios), ("Android", .android), ("Macintosh", .mac),
        ("Windows", .windows), ("Linux", .linux), ("X11", .linux),
    ]

    /// From a `User-Agent`. An iPad claims to be a Macintosh by default.
    package init(agent: String) {
        self = Self.signs.first { agent.contains($0.0) }?.1 ?? .other
    }

    /// The kind of device by a `User-Agent`; nil if it does not say.
    ///
    /// - Parameter told: `tablet` or `computer`, as a script reports of a Macintosh, which may be an iPad.
    static func kind(agent: String, told: String? = nil) -> Device.Kind? {
        let system = ClientSystem(agent: agent)
        switch system {
        case .ios: return agent.contains("iPad") ? .tablet : .phone
        case .android: return agent.contains("Mobile") ? .phone : .tablet
        case .mac:
            let kind = told.flatMap(Device.Kind.init)
            return kind.flatMap { [.tablet, .computer].contains($0) ? $0 : nil }
        default: return system.screen
        }
    }

    /// The kind of device that has only one kind.
    private var screen: Device.Kind? {
        switch self {
        case .windows, .linux: .computer
        case .androidTV, .appleTV, .fireTV, .webOS, .tizen, .chromecast: .television
        case .playStation, .xbox, .nintendo: .console
        case .ios, .android, .mac, .other: nil
        }
    }

    init(_ request: Request) { self.init(agent: request.headers[.userAgent] ?? "") }

    var forCheck: SetupCheck.System {
        switch self {
        case .ios, .mac, .appleTV: .apple
        case .android, .androidTV, .fireTV, .chromecast: .android
        case .windows, .xbox: .windows
        case .linux, .webOS, .tizen: .linux
        case .playStation, .nintendo, .other: .other
        }
    }
}
