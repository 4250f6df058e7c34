import Foundation
import SwiftASN1
import X509

/// The real `openssl`, which knows nothing of how our certificates were made.
enum OpenSSL {
    /// What it prints, and whether it was content.
    static func run(_ arguments: [String]) throws -> (isContent: Bool, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: output, as: UTF8.self))
    }

    /// Whether a server's certificate holds for a name or an address at an instant, to whoever trusts `root` only.
    static func verifies(
        _ leaf: Certificate, under root: Certificate, host: String, at now: Date, isStrict: Bool = true
    ) throws -> (isContent: Bool, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = [("root.pem", root), ("leaf.pem", leaf)]
        for (name, certificate) in files {
            try Data(certificate.serializeAsPEM().pemString.utf8).write(to: folder.appending(path: name))
        }
        let isAddress = host.allSatisfy { $0.isNumber || $0 == "." || $0 == ":" }
        return try run(
            ["verify"] + (isStrict ? ["-x509_strict"] : [])
                + [
                    "-attime", "\(Int(now.timeIntervalSince1970))", "-purpose", "sslserver", "-no-CApath",
                    "-no-CAstore", "-CAfile", folder.appending(path: "root.pem").path,
                    isAddress ? "-verify_ip" : "-verify_hostname", host,
                    folder.appending(path: "leaf.pem").path,
                ])
    }
}
