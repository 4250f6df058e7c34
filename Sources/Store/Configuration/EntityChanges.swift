import Policy

/// The entities by which a household differs from another, so that a change costs what it changes and not what the
/// household is.
struct EntityChanges {
    /// Those that are new or differ, as they are now.
    private(set) var put: [Document.Key: Entity] = [:]
    /// Those that differ or are gone, as they were.
    private(set) var before: [Document.Key: Entity] = [:]

    var removed: [Document.Key] { before.keys.filter { put[$0] == nil } }

    init(from old: Household?, to new: Household) {
        note(old?.houseEntity ?? [:], new.houseEntity)
        note(old?.people ?? [], new.people, \.entities)
        note(old?.devices ?? [], new.devices, \.entities)
    }

    private mutating func note<T: Identifiable & Equatable>(
        _ old: [T], _ new: [T], _ entities: (T) -> [Document.Key: Entity]
    ) {
        if old == new { return }
        // Nearly every change adds, removes and moves no person and no device.
        if old.count == new.count, old.indices.allSatisfy({ old[$0].id == new[$0].id }) {
            for index in new.indices where old[index] != new[index] {
                note(entities(old[index]), entities(new[index]))
            }
            return
        }
        let places = Dictionary(
            old.indices.map { (old[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        for index in new.indices {
            let place = places[new[index].id]
            if let place, old[place] == new[index] { continue }
            note(place.map { entities(old[$0]) } ?? [:], entities(new[index]))
        }
        let kept = Set(new.map(\.id))
        for gone in old where !kept.contains(gone.id) { note(entities(gone), [:]) }
    }

    private mutating func note(_ old: [Document.Key: Entity], _ new: [Document.Key: Entity]) {
        for (key, entity) in new where old[key] != entity { put[key] = entity }
        for (key, entity) in old where new[key] != entity { before[key] = entity }
    }
}

extension Household {
    /// The household's entities by the keys of their documents.
    var entities: [Document.Key: Entity] {
        let ofPeople = people.reduce(into: houseEntity) { $0.merge($1.entities) { first, _ in first } }
        return devices.reduce(into: ofPeople) { $0.merge($1.entities) { first, _ in first } }
    }

    fileprivate var houseEntity: [Document.Key: Entity] {
        var house = self
        (house.people, house.devices) = ([], [])
        return [Document.Key(kind: .house, id: 1): .house(house)]
    }

    /// The same with entities as they were read from their documents. A device keeps its last sighting.
    func taking(_ read: [Document.Key: Entity]) -> Household {
        var house = self
        if case .house(let own)? = read[Document.Key(kind: .house, id: 1)] {
            house = own
            (house.people, house.devices) = (people, devices)
        }
        for index in house.people.indices {
            let id = house.people[index].id.rawValue
            if case .person(var person)? = read[Document.Key(kind: .person, id: id)] {
                person.session = house.people[index].session
                house.people[index] = person
            }
            if case .session(let session)? = read[Document.Key(kind: .session, id: id)] {
                house.people[index].session = session
            }
        }
        guard read.keys.contains(where: { $0.kind == .device }) else { return house }
        for index in house.devices.indices {
            let key = Document.Key(kind: .device, id: house.devices[index].id.rawValue)
            guard case .device(var device)? = read[key] else { continue }
            device.lastSeen = house.devices[index].lastSeen
            house.devices[index] = device
        }
        return house
    }
}

extension Person {
    fileprivate var entities: [Document.Key: Entity] {
        var rules = self
        rules.session = nil
        var entities = [Document.Key(kind: .person, id: id.rawValue): Entity.person(rules)]
        entities[Document.Key(kind: .session, id: id.rawValue)] = session.map(Entity.session)
        return entities
    }
}

extension Device {
    fileprivate var entities: [Document.Key: Entity] {
        [Document.Key(kind: .device, id: id.rawValue): Entity(self)]
    }
}
