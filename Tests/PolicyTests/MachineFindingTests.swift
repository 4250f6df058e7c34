import Foundation
import Testing

@testable import Policy

@Suite("Of several machines, one that is missing or whose clock differs is named")
struct MachineFindingTests {
    private static let now = at("2026-11-21T20:00:00Z")

    private func sentences(_ machines: [HouseFacts.OtherMachine]?, cutOff: String? = nil) -> [String] {
        var facts = HouseFacts(now: Self.now)
        facts.otherMachines = machines
        facts.cutOff = cutOff
        return home().findings(facts).filter { $0.kind == .machines }.map(\.sentence)
    }

    private func machine(missing seconds: TimeInterval? = nil, ahead: Double? = 0) -> HouseFacts.OtherMachine
    {
        .init(name: "attic", missingSince: seconds.map { Self.now - $0 }, clockAhead: ahead)
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
            facts.otherMachines = []
            facts.strangers = .init(since: Self.now - 90_000, last: Self.now - seconds)
            return home().findings(facts).filter { $0.kind == .machines }.map(\.sentence)
        }
        #expect(sentences(60).first?.contains("without the household's key has changed records") == true)
        #expect(sentences(86_400) == [])
    }

    @Test func thatNoneCanBeAsked() {
        #expect(
            sentences([machine()], cutOff: "etcd does not answer").first?.contains("etcd does not answer")
                == true)
    }
}
