import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite("A child's phone that came back with a new address, and a router that asks for everybody")
struct ReturnedDeviceTests {
    private static let ada = PersonID(rawValue: 2)
    private static let router = "192.168.1.1"

    private func house() throws -> TestHouse {
        let evening = TestHouse.evening
        return try TestHouse(
            people: TestHouse.parentAndChild,
            devices: [
                TestHouse.laptop,
                Device(
                    id: DeviceID(rawValue: 2), name: "Ada's phone", networkName: "adas-iphone", kind: .phone,
                    person: Self.ada, addresses: ["192.168.1.22"], hardwareAddress: "02:00:00:00:00:02",
                    firstSeen: evening - 86_400, lastSeen: evening - 600),
                Device(
                    id: DeviceID(rawValue: 3), name: "adas-iphone", isNamed: false,
                    networkName: "adas-iphone",
                    addresses: ["192.168.1.33"], hardwareAddress: "02:00:00:00:00:03",
                    firstSeen: evening - 300, lastSeen: evening - 5),
                Device(
                    id: DeviceID(rawValue: 4), name: "box", isNamed: false, addresses: [Self.router],
                    firstSeen: evening - 86_400, lastSeen: evening - 5),
            ],
            network: NetworkFacts(routers: { [Self.router] }))
    }

    @Test func oneTapMerges() async throws {
        let house = try house()
        // Her night began before the tap. From then on it also holds the phone at its new address.
        try house.store.change { household in
            try household.startSession(
                Self.ada, durationMinutes: 60, strictness: .strict, id: UUID(), at: house.clock.now)
        }
        try await house.visit { guest in
            #expect(try await guest.post("/devices/3/merge", [("known", "2")]).status != .ok, "takes a login")
            #expect(house.store.household.devices.count == 4)
            let owner = try guest.signedIn()
            let page = try await owner.get("/devices").text
            #expect(page.contains("action=\"/devices/3/merge\"") && page.contains("Ada&#39;s phone"))
            #expect(
                try await owner.post("/devices/3/merge", [("known", "2")], csrf: "x").status == .forbidden)
            #expect(try await owner.post("/devices/3/merge").status == .unprocessableContent)
            for known in ["1", "99", "3"] {
                #expect(try await owner.post("/devices/3/merge", [("known", known)]).status == .conflict)
            }
            let merged = try await owner.post("/devices/3/merge", [("known", "2")])
            #expect(merged.location == "/devices?merged=2#merged")
            let told = try await owner.get("/devices?merged=2").text
            #expect(told.contains("It is one device again") && told.contains("action=\"/devices/2/unmerge\""))
            let again = try await owner.post("/devices/3/merge", [("known", "2")])
            #expect(again.status == .conflict && again.text.contains("answered already"))
        }
        let devices = house.store.household.devices
        #expect(devices.map(\.id.rawValue) == [1, 2, 4])
        #expect(devices[1].addresses == ["192.168.1.33", "192.168.1.22"] && devices[1].person == Self.ada)
        #expect(devices[1].name == "Ada's phone" && devices[1].hardwareAddress == "02:00:00:00:00:03")
        let log = try house.store.log(of: Self.ada)
        #expect(log.first?.device?.rawValue == 2 && log.first?.detail == "Back with a new address")
    }

    @Test(
        "A wrong merge is undone beside the notice and in the device's own row, in one change that is logged")
    func undone() async throws {
        let house = try house()
        let before = house.store.household
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/devices/3/merge", [("known", "2")])
            #expect(try await guest.post("/devices/2/unmerge").location?.hasPrefix("/login") == true)
            #expect(try await owner.post("/devices/2/unmerge", csrf: "x").status == .forbidden)
            #expect(try await owner.post("/devices/1/unmerge").status == .conflict)
            house.clock.advance(by: 3_600)
            let later = try await owner.get("/devices").text
            #expect(later.contains("Taken for one device with") && later.contains("/devices/2/unmerge"))
            let undone = try await owner.post(
                "/devices/2/unmerge", [("name", "Ada's phone"), ("kind", "phone"), ("owner", "2")])
            #expect(undone.location == "/devices?done=unmerged#device-2")
            #expect(house.store.household == before)
            let page = try await owner.get("/devices?merged=2").text
            #expect(page.contains("/devices/3/merge") && !page.contains("unmerge"), "it is asked again")
            #expect(try await owner.post("/devices/2/unmerge").status == .conflict)
        }
        let log = try house.store.log(of: Self.ada)
        #expect(log.first?.kind == .deviceReleased && log.first?.device?.rawValue == 3)
        #expect(log.first?.hand?.kind == .signedIn)
    }

    @Test("Not once the device was changed; and not out of a strict session, in words")
    func notUndone() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/devices/3/merge", [("known", "2")])
            try house.store.change { household in
                try household.startSession(
                    Self.ada, durationMinutes: 60, strictness: .strict, id: UUID(), at: house.clock.now)
            }
            let strict = try await owner.post("/devices/2/unmerge")
            #expect(strict.status == .conflict && strict.text.contains("has a strict session running"))
            #expect(house.store.household.devices.count == 3)
            _ = try await owner.post("/devices/2", [("name", "Ada's new phone")])
            #expect(try await !owner.get("/devices?merged=2").text.contains("unmerge"))
            let late = try await owner.post("/devices/2/unmerge")
            #expect(late.status == .conflict && late.text.contains("Something else was changed since"))
        }
    }

    @Test func itIsAnother() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let told = try await owner.post("/devices/3/apart", [("known", "2")])
            #expect(told.location == "/devices?done=apart#device-3")
            #expect(!(try await owner.get("/devices").text.contains("/devices/3/merge")))
            #expect(try await owner.post("/devices/3/merge", [("known", "2")]).status == .conflict)
        }
        #expect(house.store.household.devices.count == 4)
        #expect(house.store.household.devices[2].toldApart == [DeviceID(rawValue: 2)])
    }

    @Test("A router is enrolled only by somebody who was told what that means")
    func router() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/devices").text.contains("This is your router"))
            let refused = try await owner.post("/devices/4", [("name", "Box"), ("owner", "2")])
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("doorbells too") && refused.text.contains("name=\"confirm\""))
            #expect(try await owner.post("/devices/enroll", [("device", "4")]).status == .conflict)
            #expect(try await guest.at(Self.router).post("/devices/enroll").status == .conflict)
            let sly = try await guest.at(Self.router).post("/devices/enroll", [("confirm", "router")])
            #expect(sly.status == .conflict, "only with a login")
            let tried = try await guest.at(Self.router).post("/check/try")
            #expect(tried.status == .conflict && tried.text.contains("Nothing was blocked"))
            #expect(house.store.household.devices[3].person == nil)
            #expect(house.store.household.devices[3].tryUntil == nil)
            _ = try await owner.post("/devices/4", [("kind", "other"), ("name", "Box")])
            #expect(house.store.household.devices[3].name == "Box", "whatever blocks nothing is free")
            let confirmed = try await owner.post("/devices/4", [("owner", "2"), ("confirm", "router")])
            #expect(confirmed.location == "/devices?done=saved#device-4")
            #expect(house.store.household.devices[3].person == Self.ada)
            _ = try await owner.post("/devices/4", [("owner", "1")])
            #expect(house.store.household.devices[3].person?.rawValue == 1)
        }
    }

    @Test("A device whose name the network gave is named by hand once somebody types another")
    func names() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/devices/3", [("name", "adas-iphone"), ("kind", "phone")])
            #expect(!house.store.household.devices[2].isNamed)
            _ = try await owner.post("/devices/3", [("name", "Guest's phone")])
            #expect(house.store.household.devices[2].isNamed)
            try house.store.learnNetworkNames([DeviceID(rawValue: 3): "<b>x</b>"])
            #expect(house.store.household.devices[2].name == "Guest's phone")
            #expect(house.store.household.devices[2].networkName == "bxb")
        }
    }
}
