import Foundation

/// A configuration profile for Apple's systems: one payload and its envelope.
///
/// It is never signed, because no certificate here has a name that a phone knows. The phone says "Not Signed", and the
/// page says so first.
struct ConfigurationProfile<Payload: ProfilePayload>: Encodable {
    /// Only Macs tell them apart.
    enum Scope: String, Encodable {
        case system = "System"
        case user = "User"
    }

    let content: [Payload]
    let description: String
    let displayName: String
    let identifier: String
    let scope: Scope
    let uuid: UUID

    private enum CodingKeys: String, CodingKey {
        case content = "PayloadContent"
        case description = "PayloadDescription"
        case displayName = "PayloadDisplayName"
        case identifier = "PayloadIdentifier"
        case organization = "PayloadOrganization"
        case scope = "PayloadScope"
        case type = "PayloadType"
        case uuid = "PayloadUUID"
        case version = "PayloadVersion"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(content, forKey: .content)
        try container.encode(description, forKey: .description)
        try container.encode(displayName, forKey: .displayName)
        try container.encode(identifier, forKey: .identifier)
        try container.encode("Sleep Inducer", forKey: .organization)
        try container.encode(scope, forKey: .scope)
        try container.encode("Configuration", forKey: .type)
        try container.encode(uuid.uuidString, forKey: .uuid)
        try container.encode(1, forKey: .version)
    }

    /// As a property list in XML.
    func file() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return try encoder.encode(self)
    }
}

/// One payload of a profile.
protocol ProfilePayload: Encodable {
    /// Apple's name of this kind of payload.
    static var type: String { get }
    var common: ProfileCommon { get }
}

/// The members that every payload has.
struct ProfileCommon: Encodable {
    let type: String
    let identifier: String
    let uuid: String
    let displayName: String
    let version = 1

    private enum CodingKeys: String, CodingKey {
        case type = "PayloadType"
        case identifier = "PayloadIdentifier"
        case uuid = "PayloadUUID"
        case displayName = "PayloadDisplayName"
        case version = "PayloadVersion"
    }
}
