import Foundation
import Testing

@testable import QR

/// Another program reads the codes back. These tests need zbarimg (Debian package zbar-tools).
struct ReadBackTests {
    /// An address and a text in several scripts, each under the best mask and under all eight.
    @Test(arguments: Version.all) func everyVersionIsRead(version: Version) throws {
        let texts = [version.longestAddress, version.longestGreeting]
        var codes: [QRCode] = []
        for text in texts {
            codes.append(try QRCode(text))
            codes += try QRCode.symbols(of: text).map(QRCode.init(modules:))
        }
        let expected = texts.flatMap { Array(repeating: $0, count: 9) }
        #expect(try read(codes) == expected)
    }

    @Test func shortTextsAreRead() throws {
        let texts = ["0", "http://192.168.1.5/", "http://[fd00::1]/setup/device", "Zoë", "Mía", "おやすみ", "😴"]
        #expect(try read(texts.map { try QRCode($0) }) == texts)
    }

    /// Annex I: our frame around the codewords of the standard's example.
    @Test func standardsExampleIsRead() throws {
        let codewords = CodewordTests.exampleData + CodewordTests.exampleChecks
        let symbol = Frame(.number(1)).symbol(codewords, mask: .columns)
        #expect(try read([QRCode(modules: symbol)]) == ["01234567"])
    }

    /// Check codewords repair damage: a stain of 6 by 6 modules does not keep the code from being read.
    @Test(arguments: Version.all.dropFirst(2)) func stainedCodesAreRead(version: Version) throws {
        let code = try QRCode(version.longestAddress)
        var stained = Square(size: code.size, of: false)
        let stain = code.size / 2 + 1..<code.size / 2 + 7
        for row in 0..<code.size {
            for column in 0..<code.size {
                let isStained = stain.contains(row) && stain.contains(column)
                stained[column, row] = code[column, row] != isStained
            }
        }
        #expect(try read([QRCode(modules: stained)]) == [version.longestAddress])
    }
}

extension ReadBackTests {
    /// What zbarimg reads, one text for each picture. The texts may not contain line ends.
    private func read(_ codes: [QRCode]) throws -> [String] {
        let program = "/usr/bin/zbarimg"
        try #require(
            FileManager.default.isExecutableFile(atPath: program),
            "This test needs zbarimg. Install it with: apt-get install zbar-tools")
        let folder = FileManager.default.temporaryDirectory.appending(path: "qr-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try codes.enumerated().map { index, code in
            let file = folder.appending(path: "\(index).pgm")
            try picture(code).write(to: file)
            return file.path
        }

        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["--quiet", "--nodbus", "--raw", "-Sdisable", "-Sqrcode.enable"] + files
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// A picture in the format PGM, with the quiet zone and 4 by 4 pixels for each module.
    private func picture(_ code: QRCode) -> Data {
        let width = 4 * code.extent.count
        var picture = Data("P5 \(width) \(width) 255\n".utf8)
        for row in code.extent {
            let line = code.extent.flatMap { [UInt8](repeating: code[$0, row] ? 0 : 255, count: 4) }
            for _ in 0..<4 { picture.append(contentsOf: line) }
        }
        return picture
    }
}
