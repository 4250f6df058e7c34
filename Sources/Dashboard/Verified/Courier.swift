/// Sends letters to other servers. The executable provides it, because pages have no network.
package struct Courier: Sendable {
    package enum Method: Sendable { case post, patch }

    package struct Letter: Sendable {
        package var method: Method
        package var url: String
        /// For the header `Authorization`; never in a log.
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

    /// If there is no network.
    package static let none = Courier { _ in .failed("The server cannot be reached.") }
}
