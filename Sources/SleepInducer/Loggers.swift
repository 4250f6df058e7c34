import Logging

extension Logger {
    /// What went wrong and what changed, on standard error.
    static let house: Logger = {
        var logger = Logger(label: "sleep-inducer", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .notice
        return logger
    }()

    /// For libraries that say more than a household wants to know.
    static let quiet: Logger = {
        var logger = house
        logger.logLevel = .error
        return logger
    }()
}
