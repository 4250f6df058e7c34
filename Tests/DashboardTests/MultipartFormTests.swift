import Dashboard
import Foundation
import Testing

@Suite struct MultipartFormTests {
    private static let type = "multipart/form-data; boundary=AaB03x"

    private func form(_ body: String, type: String = type) throws -> MultipartForm {
        try MultipartForm(Data(body.utf8), type: type)
    }

    private func part(_ head: String, _ content: String) -> String {
        "--AaB03x\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n"
    }

    @Test("Fields and one file, whose bytes may hold anything but the boundary's own line")
    func reads() throws {
        let content = "\r\n--AaB03\r\n\r\n--\r\n\u{0}ä"
        let form = try form(
            part("name=\"csrf\"", "token") + part("name=\"file\"; filename=\"a.json\"", content)
                + part("name=\"person\"", "") + "--AaB03x--\r\n")
        #expect(form.fields.first("csrf") == "token" && form.fields.first("person") == "")
        #expect(form.file == Data(content.utf8))
    }

    @Test("A quoted boundary, and a file that is empty")
    func quoted() throws {
        let empty = try form(
            part("name=\"file\"; filename=\"\"", "") + "--AaB03x--",
            type: "Multipart/Form-Data; charset=utf-8; boundary=\"AaB03x\"")
        #expect(empty.file == Data() && empty.fields.pairs.isEmpty)
    }

    @Test(
        "What is no such form is refused",
        arguments: [
            "", "--AaB03x", "--AaB03x\r\n", "--other\r\n\r\n--other--",
            "--AaB03x\r\nContent-Type: x\r\n\r\ny\r\n--AaB03x--",
            "--AaB03x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nnever ends",
            "--AaB03x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\ny\r\n--AaB03xjunk",
        ])
    func refuses(_ body: String) {
        #expect(throws: MultipartForm.Fault.self) { try form(body) }
    }

    @Test("Two files, too many parts, too long a value, and types that name no boundary")
    func bounds() {
        let file = part("name=\"file\"; filename=\"a\"", "x")
        let bodies = [
            file + file, String(repeating: part("name=\"a\"", "x"), count: 17),
            part("name=\"a\"", String(repeating: "x", count: FormFields.maximumValueBytes + 1)),
            part("name=\"\(String(repeating: "n", count: 65))\"", "x"),
        ]
        for body in bodies {
            #expect(throws: MultipartForm.Fault.self) { try form(body + "--AaB03x--") }
        }
        for type in ["multipart/form-data", "multipart/form-data; boundary=", "text/plain; boundary=AaB03x"] {
            #expect(throws: MultipartForm.Fault.self) { try form(file + "--AaB03x--", type: type) }
        }
    }
}
