import Foundation
import Testing

@testable import Policy

@Suite("Of several machines, one that is missing or whose clock differs is named")
struct MachineFindingTests {
    private static let now = at("2026-11-21T20:00:00Z")

    private func sentences(_ machines: [HouseMachine]?, cutOff: HouseMachines.Fault? = nil) -> [String] {
        var facts = HouseFacts(now: Self.now)
        facts.machines = machines.map { HouseMachines($0, cutOff: cutOff) }
        return home().findings(facts).filter { $0.kind == .machines }.map(\.sentence)
    }

    private func machine(missing seconds: TimeInterval? = nil, ahead: Double? = 0) -> HouseMachine {
        HouseMachine(
            node: 1, name: "attic", version: "1", isHere: seconds == nil,
            since: seconds.map { Self.now - $0 }, clockAhead: ahead)
    }

    @Test func afterFiveMinutesAndNotBefore() {
        #expect(sentences([machine()]) == [])
        #expect(sentences([machine(missing: 299)]) == [])
        #expect(sentences([machine(missing: 300)]).first?.hasPrefix("attic, another machine") == true)
        #expect(sentences(nil) == [])
    }

    @Test func clocksThatDifferByMoreThanTwoSeconds() {
        #expect(sentences([machine(ahead: 2)]) == [] && sentences([machine(ahead: nil)]) == [])
        #expect(sentences([machine(ahead: 3600)]).first?.contains("3600 s ahead of") == true)
        #expect(sentences([machine(ahead: -2.6)]).first?.contains("3 s behind") == true)
    }

    @Test func thatSomebodyElseWritesIntoEtcdForADay() {
        func sentences(_ seconds: TimeInterval) -> [String] {
            var facts = HouseFacts(now: Self.now)
            facts.machines = HouseMachines(
                [], strangers: .init(since: Self.now - 90_000, last: Self.now - seconds))
            return home().findings(facts).filter { $0.kind == .machines }.map(\.sentence)
        }
        #expect(sentences(60).first?.contains("without the household's key has changed records") == true)
        #expect(sentences(86_400) == [])
    }

    @Test func thatNoneCanBeAskedAndWhatToDo() {
        let fault = HouseMachines.Fault(reason: "etcd does not answer", advice: "Look after it.")
        let said = sentences([machine(missing: 900)], cutOff: fault)
        #expect(said.count == 1, "A machine that is cut off does not know that of the others.")
        #expect(said.first?.contains("etcd does not answer. The rules hold") == true)
        #expect(said.first?.hasSuffix("Look after it.") == true)
    }

    @Test func thatEtcdTakesNoChangeAndWhatToDo() {
        var facts = HouseFacts(now: Self.now)
        facts.machines = HouseMachines(
            [machine()], refusal: .init(reason: "etcd is full", advice: "Make room."))
        let said = home().findings(facts).filter { $0.kind == .machines }.map(\.sentence)
        #expect(said.first?.contains("can change anything: etcd is full") == true)
        #expect(said.first?.hasSuffix("Make room.") == true)
    }

    @Test func ofEachMachineWhatItDoesAndSinceWhen() {
        var silent = machine(missing: 40)
        (silent.role, silent.behind) = (.votes, 3)
        #expect(
            silent.sentence(at: Self.now) == "attic: version 1, votes, 3 changes behind, silent for 40 s.")
    }
}
