/// The ports to use: the household's, or a trial's if this process may not open low ports.
struct Ports: Sendable, Equatable {
    var http: Int
    /// Nil: off.
    var https: Int?
    var dns: Int?
    /// DNS over TLS; nil: off, as it is without DNS.
    var dot: Int?
    /// Phones cannot use other ports: a trial is only for a look on this machine.
    var isTrial: Bool

    init(_ options: ServeCommand, mayOpenLowPorts: Bool) {
        let low = mayOpenLowPorts
        http = options.httpPort.map(Int.init) ?? (low ? 80 : 8080)
        https = options.httpsPort.map(\.number) ?? (low ? 443 : 8443)
        dns = options.dnsPort.map(\.number) ?? (low ? 53 : 5300)
        dot = dns == nil ? nil : options.dotPort.map(\.number) ?? (low ? 853 : 8530)
        isTrial = !low && options.httpPort == nil && options.dnsPort == nil
    }
}
