import DNS
import Directory
package import Policy

/// What the live checks of devices left with DNS, in Policy's types.
package struct CheckTraces: Sendable {
    package let questions: [SetupCheck.Question]
    package let signs: [(address: String, sign: SetupCheck.Sign)]

    var isEmpty: Bool { questions.isEmpty && signs.isEmpty }

    init(_ collected: Collected) {
        questions = collected.checkQuestions.map { question in
            let family: SetupCheck.Family =
                switch question.family {
                case .either: .either
                case .v4: .v4
                case .v6: .v6
                }
            return SetupCheck.Question(
                id: question.id, family: family,
                address: question.client.hardware?.text ?? question.client.text,
                isServiceBinding: question.isServiceBinding)
        }
        signs = collected.evasionSigns.map { sign in
            let kind: SetupCheck.Sign =
                switch sign.kind {
                case .encryptedResolver: .encryptedDNS
                case .browserCanary: .browserCanary
                case .relayCanary: .privateRelay
                case .designatedResolver: .designatedResolver
                }
            return (sign.client.hardware?.text ?? sign.client.text, kind)
        }
    }
}
