import Logging

extension Logger {
    /// Faults and changes, on standard error.
    static let house: Logger = {
        var logger = Logger(label: "sleep-inducer", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .notice
        return logger
    }()

    /// For libraries that log more than a household wants to know.
    static let quiet: Logger = {
        var logger = house
        logger.logLevel = .error
        return logger
    }()
}
