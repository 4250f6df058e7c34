import ArgumentParser
import Foundation

/// Turns `SLEEP_INDUCER_HTTP_PORT=8080` into `--http-port 8080`, unless the flag is given: the command line wins.
enum EnvironmentFlags {
    static let prefix = "SLEEP_INDUCER_"
    /// The flags of `serve`; those that may be repeated take a list with commas.
    static let single = [
        "data", "http-port", "https-port", "dns-port", "dot-port", "address", "name", "passcode", "time-zone",
        "new-devices", "viewers", "assets",
    ]
    static let repeated = [
        "bind", "upstream", "local-upstream", "private-answers", "forwarder", "gateway", "behind-proxy",
        "proxy-name",
    ]
    static let otherCommands = Set(
        SleepInducerCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    ).union(["help"]).subtracting(["serve"])

    /// The flags of the other commands: the place of the data, and for doctor what a gateway needs.
    private static func flags(of command: String) -> [String] {
        switch command {
        case "help", "cluster": []
        case "doctor": ["data", "gateway"]
        default: otherCommands.contains(command) ? ["data"] : single + repeated
        }
    }

    /// - Parameter words: the command line without the program's name.
    static func adding(
        to words: [String], from environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String] {
        let command = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 } ?? "serve"
        let known = flags(of: command)
        var words = words
        for flag in known {
            let variable = prefix + flag.uppercased().replacing("-", with: "_")
            guard let value = environment[variable], !value.isEmpty, !words.names(flag) else { continue }
            let values = repeated.contains(flag) ? value.split(separator: ",").map(String.init) : [value]
            for value in values { words.append("--\(flag)=\(value)") }
        }
        return words
    }
}

extension [String] {
    fileprivate func names(_ flag: String) -> Bool {
        contains { $0 == "--\(flag)" || $0.hasPrefix("--\(flag)=") }
    }
}
