import Dashboard
import Foundation
import Policy

extension PageState {
    private static func around(
        _ name: String, system: ClientSystem = .ios, server: String = "http://192.168.1.5",
        _ change: (inout SetupCheck.Evidence) -> Void = { _ in }
    ) -> PageState {
        var evidence = SetupCheck.Evidence(address: "192.168.1.21")
        evidence.routers = ["192.168.1.1"]
        evidence.questions = Set(
            SetupCheck.Family.allCases.map { .init(id: "0", family: $0, address: "192.168.1.21") })
        evidence.loaded = Set(SetupCheck.Family.allCases)
        evidence.isEnrolled = true
        change(&evidence)
        return PageState(
            name: "around-\(name)",
            page: AroundPage(
                evidence, system: system, pointing: PointHere(server: server, system: system),
                loops: evidence.hasLoop ? ["192.168.1.1"] : []),
            context: context(signedIn: false, path: "/check/around/result"))
    }

    static let around = [
        around("fine"),
        around("held") {
            $0.signs = Set(SetupCheck.Sign.allCases)
            $0.isGateway = true
            $0.questions.insert(
                .init(id: "0", family: .either, address: "192.168.1.21", isServiceBinding: true))
        },
        around("second-server", system: .android) {
            $0.questions = $0.questions.filter { $0.family != .v6 }
            $0.hasIPv6 = true
        },
        around("router", system: .windows) {
            $0.questions = Set(
                $0.questions.map { .init(id: $0.id, family: $0.family, address: "192.168.1.1") })
            $0.hasLoop = true
        },
        around("nobody", system: .mac) {
            $0.signs = [.encryptedDNS, .browserCanary, .privateRelay]
            $0.isEnrolled = false
        },
        around("relay") {
            $0.questions = []
            $0.signs = [.privateRelay]
            $0.system = .apple
        },
        around("proxy-and-vpn", system: .linux) {
            $0.isAtHome = false
            $0.hasProxy = true
        },
        around("vpn", system: .other) { $0.isAtHome = false },
        around("unsure", system: .android) {
            $0.questions = []
            $0.system = .android
            $0.hasIPv6 = true
            $0.routerAsksHere = true
        },
        around("browser", system: .windows) {
            $0.questions = []
            $0.signs = [.browserCanary]
        },
        around("trial", server: "http://192.168.1.5:8080") { $0.questions = [] },
    ]
}
