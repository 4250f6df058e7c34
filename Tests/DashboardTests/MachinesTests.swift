import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Synchronization
import Testing

/// The household's machines on a page, and for programs.
@Suite struct MachinesTests {
    private static let two = HouseMachines([
        HouseMachine(
            node: 0, name: "cellar", version: "1", role: .leads, since: TestHouse.evening - 3600,
            isThisOne: true),
        HouseMachine(
            node: 1, name: "attic <b>", version: "1", role: .follows, behind: 2, isHere: false,
            since: TestHouse.evening - 600),
    ])

    /// Notes what was done with the machines.
    private final class Doings: Sendable {
        let all = Mutex<[String]>([])
        let refusal: String?

        init(refusal: String? = nil) { self.refusal = refusal }

        var acts: MachineActs {
            MachineActs(
                invite: {
                    try self.note("invite")
                    return MachineInvitation(code: "sleep-inducer-abc", seconds: 600)
                }, remove: { try self.note("remove \($0)") }, lead: { try self.note("lead") },
                letter: { _ in nil }, invitation: { _ in nil })
        }

        var done: [String] { all.withLock { $0 } }

        private func note(_ what: String) throws {
            if let refusal { throw MachineRefusal(reason: refusal) }
            all.withLock { $0.append(what) }
        }
    }

    @Test("A household on one machine reads what a second one is for, and how")
    func alone() async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.signedIn().get("/machines").text
            #expect(page.contains("sudo sleep-inducer cluster start") && page.contains("cluster join CODE"))
            #expect(!page.contains("/machines/invite"))
            let invite = try await guest.signedIn().get("/machines/invite")
            #expect(invite.status == .seeOther)
        }
    }

    @Test("Each machine has its role and since when it is in touch or silent, on pages and for programs")
    func all() async throws {
        let house = try TestHouse(machines: Self.two)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await owner.get("/machines").text
            for words in [
                "cellar", "Leads", "In touch since today at 19:00", "attic &lt;b&gt;", "Follows",
                "Silent since today at 19:50", "2 changes behind",
            ] {
                #expect(page.contains(words), "\(words)")
            }
            #expect(try await owner.get("/more").text.contains("1 of 2 machines silent"))
            #expect(try await owner.get("/health").text.contains("silent for 10 min"))
        }
        try await house.program { program in
            let said = try await program.get("/api/v1/machines").text
            #expect(said.contains(#""role":"leads""#) && said.contains(#""isInTouch":false"#))
            #expect(said.contains(#""since":"2026-11-20T18:50:00"#) && said.contains(#""cutOff":null"#))
        }
    }

    @Test("Inviting and removing need the passcode, and a log-in")
    func passcode() async throws {
        let doings = Doings()
        try await TestHouse(machines: Self.two, machineActs: doings.acts).visit { guest in
            #expect(try await guest.get("/machines").status == .seeOther)
            for (path, fields) in [("/machines/invite", []), ("/machines/remove", [("node", "1")])] {
                #expect(try await guest.post(path, fields + [("passcode", TestHouse.passcode)]).status != .ok)
                let owner = try guest.signedIn()
                #expect(try await owner.post(path, fields).status == .unprocessableContent)
                let wrong = try await owner.post(path, fields + [("passcode", "wrong one")])
                #expect(wrong.status == .unprocessableContent && wrong.text.contains("not the passcode"))
            }
            #expect(doings.done == [])
            let owner = try guest.signedIn()
            let invited = try await owner.post("/machines/invite", [("passcode", TestHouse.passcode)])
            #expect(invited.text.contains("sudo sleep-inducer cluster join sleep-inducer-abc"))
            #expect(invited.text.contains("until 20:10") && invited.text.contains("<svg"))
            let removed = try await owner.post(
                "/machines/remove", [("node", "1"), ("passcode", TestHouse.passcode)])
            #expect(removed.headers[.location] == "/machines?done=machine-removed")
            #expect(doings.done == ["invite", "remove 1"])
        }
    }

    @Test("Nobody can remove this machine, or one that there is not")
    func unknown() async throws {
        let doings = Doings()
        try await TestHouse(machines: Self.two, machineActs: doings.acts).visit { guest in
            let owner = try guest.signedIn()
            for node in ["0", "7", "x", ""] {
                #expect(try await owner.get("/machines/remove?node=\(node)").status == .notFound)
                let answer = try await owner.post(
                    "/machines/remove", [("node", node), ("passcode", TestHouse.passcode)])
                #expect(answer.status == .notFound)
            }
            #expect(doings.done == [])
        }
    }

    @Test("What cannot be done is told beside the button")
    func refused() async throws {
        let doings = Doings(refusal: "The household's store cannot be used: etcd does not answer.")
        try await TestHouse(machines: Self.two, machineActs: doings.acts).visit { guest in
            let answer = try await guest.signedIn().post(
                "/machines/invite", [("passcode", TestHouse.passcode)])
            #expect(answer.status == .serviceUnavailable && answer.text.contains("etcd does not answer."))
        }
    }
}
