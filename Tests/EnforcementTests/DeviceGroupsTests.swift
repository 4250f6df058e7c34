import DNS
import Foundation
import NIOCore
import Policy
import Testing

@testable import Enforcement

/// What a compiler keeps of an earlier household must not outlive it.
@Suite struct DeviceGroupsTests {
    @Test("A compiler that compiled before makes the same of a household as a new one", arguments: 0..<200)
    func compilersAgree(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        var household = CompiledFilterTests.household(&dice)
        var used = FilterCompiler(queryName: { "name-\($0.rawValue)" })
        var now = CompiledFilterTests.now
        for _ in 0..<8 {
            change(&household, &now, &dice)
            let snapshot = Snapshot(
                revision: 1, instant: now, household: household, catalog: CompiledFilterTests.catalog,
                verdicts: household.evaluate(at: now))
            var new = FilterCompiler(queryName: { "name-\($0.rawValue)" })
            let one = used.compile(snapshot, monotonic: .uptimeNanoseconds(0))
            let other = new.compile(snapshot, monotonic: .uptimeNanoseconds(0))
            #expect(one.groups == other.groups && one.groupOfDevice == other.groupOfDevice)
            #expect(one.newcomers == other.newcomers && one.devices == other.devices)
        }
    }

    private func change(_ household: inout Household, _ now: inout Date, _ dice: inout Dice) {
        let (person, device) = (household.people[0].id, household.devices[0].id)
        switch dice.number(0...9) {
        case 0:
            _ = try? household.startSession(
                person, durationMinutes: 60, strictness: .flexible, id: UUID(), at: now)
        case 1: try? household.useHelp(device, at: now)
        case 2: try? household.beginTry(device, at: now)
        // Nothing is settled: Help, a try and a session are over all the same.
        case 3: now += 121
        case 4:
            household.devices[0].family = nil
            household.devices[0].person = household.devices[0].person == nil ? person : nil
        case 7:
            household.devices[0].person = nil
            household.devices[0].family = CompiledFilterTests.family(in: household, &dice)
        case 8: household.people[0].role = household.people[0].role == .child ? .adult : .child
        case 5: household.newDevicesBelongTo = household.newDevicesBelongTo == nil ? person : nil
        default: household.devices.append(CompiledFilterTests.device(household.devices.count, person: person))
        }
    }
}
