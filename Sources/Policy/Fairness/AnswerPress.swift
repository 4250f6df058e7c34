package import Foundation

/// An answer to a question that somebody just gave, with all that is needed to take it back.
package struct AnswerPress: Hashable, Sendable {
    package let question: UUID
    package let person: PersonID
    /// Identifies who answered: nobody else can take it back.
    package let presser: String
    package let at: Date
    fileprivate let before: Answerable
    fileprivate let after: Answerable

    /// Seconds in which it can still be taken back, as `OneTap.secondsLeft`.
    package func secondsLeft(at now: Date) -> Int { OneTap.secondsLeft(since: at, at: now) }
}

/// What an answer can change of a person.
private struct Answerable: Hashable, Sendable {
    let extraTime: [ExtraTime]
    let requests: [TimeRequest]
    let wishes: [Wish]
    let allowed: AppSelection
    let tonight: TonightChange?

    init(_ person: Person) {
        extraTime = person.limits.extraTime
        requests = person.limits.requests
        wishes = person.wishes
        allowed = person.allowed
        tonight = person.tonight
    }
}

extension Household {
    /// Answers a question once, and tells how to take that back.
    package mutating func answer(
        _ question: Question, grant: Bool, by presser: String, catalog: Catalog,
        usage: UsageTotals = .none, at now: Date
    ) throws(Refusal) -> AnswerPress {
        let before = Answerable(people[try index(of: question.person)])
        try answer(question, grant: grant, catalog: catalog, usage: usage, at: now)
        return AnswerPress(
            question: question.id, person: question.person, presser: presser, at: now, before: before,
            after: Answerable(people[try index(of: question.person)]))
    }

    /// Takes an answer back, for the person who gave it and within 8 seconds, unless another change came in between. The question
    /// is open again.
    package mutating func takeBack(
        _ press: AnswerPress, by presser: String, at now: Date
    ) throws(Refusal) {
        let index = try index(of: press.person)
        guard press.presser == presser else { throw .undoNotYours }
        guard press.secondsLeft(at: now) > 0 else { throw .undoTooLate }
        guard Answerable(people[index]) == press.after else { throw .undoOvertaken }
        people[index].limits.extraTime = press.before.extraTime
        people[index].limits.requests = press.before.requests
        people[index].wishes = press.before.wishes
        people[index].allowed = press.before.allowed
        people[index].tonight = press.before.tonight
    }
}
