import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@testable import Dashboard

@Suite("A found repeater can be taken back on its device, by whoever has the passcode")
struct RepeaterPagesTests {
    @Test func saidAndTakenBack() async throws {
        let mac = "02:00:00:00:00:01"
        let laptop = Device(
            id: DeviceID(rawValue: 5), name: "Laptop", kind: .computer, addresses: ["10.0.0.2"],
            hardwareAddress: mac, firstSeen: TestHouse.evening, lastSeen: TestHouse.evening)
        let house = try TestHouse(devices: [laptop])
        try house.store.change { $0.repeaters = [mac] }
        let fields = [("name", "Laptop"), ("kind", "computer"), ("owner", "")]
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/devices").text.contains("/devices/5/one"))
            #expect(try await guest.post("/devices/5/one").location?.hasPrefix("/login") == true)
            #expect(try await owner.post("/devices/5/one", csrf: "x").status == .forbidden)
            #expect(try await owner.post("/devices/5/several").status == .conflict)
            #expect(house.store.household.repeaters == [mac])

            #expect(try await owner.post("/devices/5/one", fields).location == "/devices?done=one")
            let said = try await owner.get("/devices?done=one").text
            #expect(said.contains("From now on") && !said.contains("/devices/5/one"))
            #expect(house.store.household.repeaters == [] && house.store.household.notRepeaters == [mac])
            #expect(try await owner.post("/devices/5/one").status == .conflict)

            #expect(try await owner.post("/devices/5/several", fields).location == "/devices?done=several")
            #expect(house.store.household.notRepeaters == [])
            #expect(
                try await owner.get("/devices").text.contains("it is found as soon as two of them are on"))
        }
    }

    @Test("On a child's device by which several addresses came it is asked for, and goes with the device")
    func aChilds() async throws {
        let mac = "02:00:00:00:00:01"
        let ada = Person(id: PersonID(rawValue: 2), name: "Ada", role: .child)
        let laptop = Device(
            id: DeviceID(rawValue: 5), name: "Laptop", person: ada.id, addresses: ["10.0.0.2", "10.0.0.3"],
            hardwareAddress: mac, firstSeen: TestHouse.evening, lastSeen: TestHouse.evening)
        let house = try TestHouse(people: [ada], devices: [laptop])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/devices").text.contains("There is a repeater"))
            #expect(try await owner.post("/devices/5/one").status == .conflict)
            #expect(try await owner.post("/devices/5/several").location == "/devices?done=several")
            #expect(house.store.household.possibleRepeaters == [mac])
            #expect(try await !owner.get("/devices").text.contains("There is a repeater"))
            _ = try await owner.post("/devices/5/remove")
            #expect(house.store.household.possibleRepeaters == [])
        }
    }
}
