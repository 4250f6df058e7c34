import ArgumentParser
import Directory
import LocalNetwork
import Policy

/// `sleep-inducer serve`, the default: pages, shield and DNS until it is told to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer DNS, show the shield and the pages. This is the default.")

    /// A name in the zone that RFC 8375 reserves for homes.
    static let ownName = "sleep.home.arpa"

    @OptionGroup var place: DataPlace

    @Option(
        help: ArgumentHelp(
            "Listen only on this address, and serve its network. Repeat for more. Default: every address on a home network (private or unique local; with --gateway, on its interfaces) and loopback.",
            valueName: "addr"))
    var bind: [String] = []
    @Option(help: "Port of the pages and the shield. Default: 80, as a trial 8080.")
    var httpPort: UInt16?
    @Option(help: "Port for HTTPS, or off. Default: 443, as a trial 8443.")
    var httpsPort: PortChoice?
    @Option(help: "Port for DNS, or off. Default: 53, as a trial 5300.")
    var dnsPort: PortChoice?
    @Option(help: "Port for DNS over TLS, or off. Default: 853, as a trial 8530.")
    var dotPort: PortChoice?
    @Option(
        help: ArgumentHelp(
            "The upstream DNS server for allowed names. Repeat for more. Also tls://addr[:853][#name] and https://host/dns-query.",
            valueName: "addr[:port]"), transform: UpstreamChoice.init)
    var upstream: [UpstreamChoice] = []
    @Option(
        help: ArgumentHelp(
            "The DNS server for the names of this home, usually the router.", valueName: "addr[:port]"))
    var localUpstream: [ServerAddress] = []
    @Option(
        help: ArgumentHelp(
            "A router that forwards the home's DNS questions and adds the device to each (dnsmasq's add-mac and strip-mac). Repeat for more. Only these routers are trusted.",
            valueName: "ip"))
    var forwarder: [String] = []
    @Option(
        help: ArgumentHelp(
            "A public name that may lead to an address of this home, with all names below it, such as the name of your NAS. Repeat for more. Otherwise enrolled devices get no private address for a public name.",
            valueName: "name"))
    var privateAnswers: [String] = []
    @Option(
        help: ArgumentHelp("The address of the shield. Default: the address that was asked.", valueName: "ip")
    )
    var address: String?
    @Option(
        help: ArgumentHelp(
            "On a machine that routes the home: its interface to the home. Repeat for more. Enrolled devices then cannot go around this server.",
            valueName: "iface"))
    var gateway: [String] = []
    @Option(
        help: ArgumentHelp(
            "A reverse proxy that is believed when it says which device asks (X-Forwarded-For, X-Forwarded-Proto, Forwarded). An address or a network; several with commas. It can pose as every device: name nobody else.",
            valueName: "addr[,addr]"), transform: ProxyChoice.init)
    var behindProxy: [ProxyChoice] = []
    @Option(
        help: ArgumentHelp(
            "A name under which the reverse proxy serves these pages. Repeat for more. It is never blocked, and looked up like any other.",
            valueName: "name"))
    var proxyName: [String] = []
    @Option(
        help: ArgumentHelp(
            "Places for open pages that count down. One device gets a quarter of them, at most 64. Default: a share of the open files, at most 4000.",
            valueName: "number"))
    var viewers: Int?
    @Option(help: "This server's own name.")
    var name = Self.ownName
    @Option(help: "The passcode, if none is stored. It replaces the one-time code.")
    var passcode: String?
    @Option(help: ArgumentHelp("The household's time zone, if none is stored.", valueName: "iana"))
    var timeZone: String?
    @Option(help: "The rule for new devices, if none is stored: ignore or me.")
    var newDevices: NewDevices?
    @Option(
        help: ArgumentHelp(
            "Read templates and styles from this source tree, for development.", valueName: "dir"))
    var assets: String?

    func validate() throws {
        for text in bind + forwarder + [address].compactMap({ $0 }) {
            guard let plain = ServerAddress(argument: text), plain.port == nil else {
                throw ValidationError("\(text) is not an IP address.")
            }
        }
        if localUpstream.contains(where: { ChosenUpstreams.address($0) == nil }) {
            throw ValidationError(ChosenUpstreams.missingZone)
        }
        for name in privateAnswers where DomainName(name) == nil {
            throw ValidationError("\(name) is not a domain name. Write --private-answers nas.example.org.")
        }
        if let timeZone, CivilZone(timeZone) == nil {
            throw ValidationError("\(timeZone) is not a time zone. Use an IANA name, such as Europe/Berlin.")
        }
        if case .off = dnsPort, !gateway.isEmpty {
            throw ValidationError("--gateway needs this server's DNS. Do not use it with --dns-port off.")
        }
        if behindProxy.isEmpty, !proxyName.isEmpty {
            throw ValidationError("--proxy-name needs --behind-proxy with the reverse proxy's address.")
        }
        if let viewers, !(1...1_000_000).contains(viewers) {
            throw ValidationError("--viewers \(viewers) is no number of places. Write 1 to 1000000.")
        }
        for name in proxyName where DomainName(name) == nil || IPAddress(name) != nil {
            throw ValidationError(
                "\(name) is not a domain name. Write --proxy-name without https:// and path, such as sleep.example.org."
            )
        }
        if DomainName(name) == nil { throw ValidationError("\(name) is not a domain name.") }
        // Before anything is written. If a household is stored, the server still starts with an old flag and its short
        // passcode.
        if let passcode, !place.hasDatabase {
            do { try Passcode.check(passcode) } catch { throw ValidationError(error.description) }
        }
    }

    func run() async throws {
        let signal = StopSignal()
        let listening = Task { await signal.listen() }
        defer { listening.cancel() }
        let shelf = SocketShelf(InheritedSockets.take(), cupboard: .systemd)
        var isOver = false
        while !isOver {
            let house = try await House(self, machine: .current, shelf: shelf)
            try await house.run(until: signal)
            isOver = signal.isGiven || !house.freshStart.isAsked
        }
    }
}

extension Listening {
    /// The addresses on which the command line says to listen.
    init(_ machine: [LocalAddress], _ options: ServeCommand) {
        self.init(
            machine: machine, bind: options.bind, advertised: options.address, forwarders: options.forwarder,
            gateway: options.gateway)
    }
}

enum NewDevices: String, ExpressibleByArgument { case ignore, me }

/// A port number or `off`.
enum PortChoice: ExpressibleByArgument {
    case port(UInt16)
    case off

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else {
            guard let port = UInt16(argument) else { return nil }
            self = .port(port)
        }
    }

    var number: Int? {
        switch self {
        case .port(let port): Int(port)
        case .off: nil
        }
    }
}

/// `9.9.9.9`, `9.9.9.9:5353`, `2620:fe::fe` or `[2620:fe::fe]:53`.
struct ServerAddress: ExpressibleByArgument, Equatable {
    let host: String
    let port: Int?

    init?(argument: String) {
        var host = argument
        var port: Int?
        if argument.hasPrefix("["), let end = argument.firstIndex(of: "]") {
            host = String(argument[argument.index(after: argument.startIndex)..<end])
            let rest = argument[argument.index(after: end)...]
            if !rest.isEmpty {
                guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()), number > 0 else {
                    return nil
                }
                port = Int(number)
            }
        } else if argument.split(separator: ":", omittingEmptySubsequences: false).count == 2 {
            let colon = argument.firstIndex(of: ":")!
            host = String(argument[..<colon])
            guard let number = UInt16(argument[argument.index(after: colon)...]), number > 0 else {
                return nil
            }
            port = Int(number)
        }
        guard IPAddress(host) != nil else { return nil }
        self.host = host
        self.port = port
    }
}
