package import Foundation

/// What an adult does with the household's machines, and what these machines ask each other. What cannot be done throws a
/// `MachineRefusal`.
package struct MachineActs: Sendable {
    /// Makes a code that lets one new machine in.
    package var invite: @Sendable () async throws -> MachineInvitation
    /// Takes the machine with this number out.
    package var remove: @Sendable (_ node: Int) async throws -> Void
    /// Lets this machine lead from now on.
    package var lead: @Sendable () async throws -> Void
    /// What another machine is told that asks who leads, sealed to it; nil: nothing.
    package var letter: @Sendable (_ node: Int) -> Data?
    /// What a new machine is told that has a code, sealed to that code; nil: there is no such invitation. Throws while
    /// this machine does not hear the others.
    package var invitation: @Sendable (_ id: String) throws -> Data?

    package init(
        invite: @escaping @Sendable () async throws -> MachineInvitation,
        remove: @escaping @Sendable (_ node: Int) async throws -> Void,
        lead: @escaping @Sendable () async throws -> Void,
        letter: @escaping @Sendable (_ node: Int) -> Data?,
        invitation: @escaping @Sendable (_ id: String) throws -> Data?
    ) {
        self.invite = invite
        self.remove = remove
        self.lead = lead
        self.letter = letter
        self.invitation = invitation
    }

    /// For a household on one machine.
    package static let none = MachineActs(
        invite: { throw alone }, remove: { _ in throw alone }, lead: { throw alone }, letter: { _ in nil },
        invitation: { _ in nil })

    private static let alone = MachineRefusal(reason: "The household is on this machine alone.")
}

/// A code for one new machine.
package struct MachineInvitation: Sendable {
    /// Without spaces.
    package var code: String
    /// For how many seconds it holds.
    package var seconds: Int

    package init(code: String, seconds: Int) {
        self.code = code
        self.seconds = seconds
    }
}

/// Why that cannot be done, in whole sentences.
package struct MachineRefusal: Error, Sendable {
    package let reason: String

    package init(reason: String) { self.reason = reason }
}
