/// Takes letters to other servers; handed in by the executable, because pages know no network.
package struct Courier: Sendable {
    package enum Method: Sendable { case post, patch }

    package struct Letter: Sendable {
        package var method: Method
        package var url: String
        /// Goes into the header `Authorization`; never into a log.
        package var token: String
        /// JSON.
        package var body: [UInt8]
    }

    package enum Outcome: Sendable {
        case reply(status: Int, body: [UInt8])
        /// Why it did not arrive, in a sentence.
        case failed(String)
    }

    package let deliver: @Sendable (Letter) async -> Outcome

    package init(deliver: @escaping @Sendable (Letter) async -> Outcome) { self.deliver = deliver }

    /// Where there is no network.
    package static let none = Courier { _ in .failed("The server cannot be reached.") }
}
