import Dashboard
import Foundation
import Policy

extension PageState {
    private static let here = PointHere(server: "http://192.168.1.5", system: .ios)
    private static let trial = PointHere(server: "http://192.168.1.5:8080", system: .linux, dnsPort: 5300)

    private static func result(
        _ name: String, _ causes: [SetupCheck.Cause], askedBy: String? = nil, system: ClientSystem = .ios,
        device: Device? = nil
    ) -> PageState {
        PageState(
            name: "check-\(name)",
            page: CheckResultPage(
                .init(causes: causes, askedBy: askedBy), id: "0123", address: "192.168.1.21",
                loops: causes == [.loop] ? ["192.168.1.1"] : [],
                pointing: PointHere(server: "http://192.168.1.5", system: system), device: device),
            context: context(signedIn: false, path: "/check/result"))
    }

    private static var arrivals: [Arrival] {
        var household = Sample.household()
        for index in household.devices.indices { household.devices[index].firstSeen = Sample.now - 60 }
        return Arrival.all(
            in: household, invited: Set(household.devices.map(\.id)), viewer: nil, now: Sample.now)
    }

    static let setup = [
        PageState(
            name: "setup-people", page: SetupPeoplePage(Sample.household(), step: .people),
            context: context(path: "/setup/people", people: 2)),
        PageState(
            name: "setup-people-refused",
            page: SetupPeoplePage(
                Sample.household(),
                typed: SetupPeopleForm(
                    FormFields(pairs: [
                        ("name-1", "Anna"), ("role-1", "adult"), ("new", Sample.hostile), ("add", "child"),
                    ]),
                    Sample.household()),
                errors: ["new": "Somebody is called that already."]),
            context: context(path: "/setup/people")),
        PageState(
            name: "setup-device-waiting",
            page: SetupDevicePage(
                pointing: trial, code: PhoneCode(server: "http://192.168.1.5", key: "abc.0123456789"),
                owner: .init(of: nil, in: Sample.household(), mayChoose: true), step: .device,
                arrivals: arrivals, isEnrolled: true, isSignedIn: true),
            context: context(path: "/setup/device")),
        PageState(
            name: "setup-device-alone",
            page: SetupDevicePage(
                pointing: here, code: PhoneCode(server: "http://192.168.1.5"),
                owner: .init(of: nil, in: Sample.household(), mayChoose: true), isSignedIn: true),
            context: context(path: "/setup/device")),
        PageState(
            name: "setup-device-invited",
            page: SetupDevicePage(
                pointing: here, code: nil,
                owner: .init(of: nil, in: Sample.household(), mayChoose: true, key: "abc.0123456789")),
            context: context(signedIn: false, path: "/setup/device")),
        PageState(
            name: "offline", page: OfflinePage(),
            context: context(signedIn: false, path: "/offline")),
        PageState(
            name: "setup-device",
            page: SetupDevicePage(
                pointing: here, code: nil, owner: .init(of: nil, in: Sample.household(), mayChoose: false)),
            context: context(signedIn: false, path: "/setup/device")),
        PageState(
            name: "setup-device-open",
            page: SetupDevicePage(
                pointing: here, code: nil,
                owner: .init(
                    of: Sample.household().devices.first { $0.person == nil },
                    in: Sample.household(people: [
                        Sample.person(), Person(id: Sample.other, name: "Ada"),
                    ]), mayChoose: false)),
            context: context(signedIn: false, path: "/setup/device")),
        PageState(
            name: "setup-bedtime",
            page: SetupBedtimePage(
                Sample.household(), catalog: Sample.catalog, step: .bedtime),
            context: context(path: "/setup/bedtime")),
        PageState(
            name: "setup-try", page: SetupTryPage(Sample.household(), step: .look, now: Sample.now),
            context: context(path: "/setup/try")),
        PageState(
            name: "setup-router", page: SetupRouterPage(pointing: here, formerDNS: Sample.hostile),
            context: context(path: "/setup/router")),
        PageState(
            name: "setup-router-refused",
            page: SetupRouterPage(pointing: trial, formerDNS: "x", error: "At most 200 characters."),
            context: context(path: "/setup/router")),
        PageState(
            name: "check",
            page: CheckPage(
                next: "/check/result?id=0123", images: ["http://0123.check.sleep.home.arpa/check/seen"],
                address: "192.168.1.21",
                pointing: trial), context: context(signedIn: false, path: "/check")),
        result("works", [.works]),
        result("works-enrolled", [.works], device: Sample.household().devices.first { $0.person != nil }),
        result("router", [.routerAsks], askedBy: "192.168.1.1"), result("ipv6", [.ipv6Elsewhere]),
        result(
            "private-dns", [.privateDNS], system: .android),
        result("relay", [.relayOrVPN]),
        result("loop", [.loop]),
        result("unsure", [.routerAsks, .notPointed, .privateDNS, .ipv6Elsewhere], system: .android),
        PageState(
            name: "check-trial",
            page: CheckResultPage(
                .init(causes: [.ipv6Elsewhere, .notPointed], isSilence: true), id: "0123",
                address: "127.0.0.1",
                pointing: trial, device: nil), context: context(signedIn: false, path: "/check/result")),
        PageState(
            name: "try",
            page: TryPage(tryUntil: nil, port: nil, isEnrolled: false, now: Sample.now, zone: Sample.zone),
            context: context(signedIn: false, path: "/check/try")),
        PageState(
            name: "try-running",
            page: TryPage(
                tryUntil: Sample.now + 90, port: 8080, isEnrolled: true, now: Sample.now, zone: Sample.zone),
            context: context(path: "/check/try")),
    ]
}
