import Policy

extension FamilyChoice {
    private enum Word: String, CaseIterable { case anyChild, allChildren, never, own, person }

    /// An object with `times`, `person` where one person's times hold, and `minutesOf` (null: nobody's).
    init?(_ body: inout JSONBody) {
        self.init(times: nil, minutesOf: nil)
        let word = body.choice("times", of: Word.allCases)
        let person = body.contains("person") ? body.intOrNull("person") ?? nil : nil
        let id = person.map { PersonID(rawValue: Int64($0)) }
        if word == .person, id == nil { body.refuse("person", "Say whose times hold.") }
        if word != .person, id != nil { body.refuse("person", "This belongs to the times “person” only.") }
        if body.contains("minutesOf") {
            minutesOf = body.intOrNull("minutesOf").map { $0.map { PersonID(rawValue: Int64($0)) } }
        }
        switch word {
        case .anyChild: times = .of(.anyChild)
        case .allChildren: times = .of(.allChildren)
        case .never: times = .of(.never)
        case .own: times = .own
        case .person: times = id.map { .of(.person($0)) }
        case nil: return nil
        }
    }
}

extension FamilyUse {
    /// As programs read it.
    var json: JSONValue {
        let (word, person): (String, PersonID?) =
            switch times {
            case .never: ("never", nil)
            case .anyChild: ("anyChild", nil)
            case .allChildren: ("allChildren", nil)
            case .person(let person): ("person", person)
            }
        func number(_ id: PersonID?) -> JSONValue { id.map { .int(Int($0.rawValue)) } ?? .null }
        return .object([
            ("times", .string(word)), ("person", number(person)), ("minutesOf", number(minutesOf)),
        ])
    }
}
