import HTTPTypes
import Hummingbird
import Policy

/// Remembers in a browser that a person's last night was told there. It proves nothing and identifies nobody.
enum MorningCookie {
    static func wasTold(_ night: LastNight, of person: PersonID, in request: Request) -> Bool {
        request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .contains { $0.drop { $0 == " " } == "\(name(person))=\(night.key)" }
    }

    /// 8 hours, because noon is never further away.
    static func set(_ night: LastNight, of person: PersonID, isSecure: Bool, on response: inout Response) {
        let value =
            "\(name(person))=\(night.key); Max-Age=28800; Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
        response.headers.append(HTTPField(name: .setCookie, value: value))
    }

    private static func name(_ person: PersonID) -> String { "si-night-\(person.rawValue)" }
}
