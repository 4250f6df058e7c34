import CYaml

/// The events of libyaml's parser, of which Yams composes its nodes (YAML 1.2, 3.1.2).
enum YAMLEvents {
    /// A household's file has some thousands.
    static let most = 200_000

    /// Refuses a text with an alias (`*name`): AdGuard Home writes none, and a few lines of them can stand for more than any
    /// memory holds. The events tell them apart from a plain value with an asterisk, and the other way round. The parser
    /// itself bounds how deep things are nested.
    ///
    /// A text that is no YAML passes: composing it tells why.
    static func check(_ text: String) throws(ForeignFault) {
        var text = text
        let found = text.withUTF8 { bytes -> ForeignFault? in
            var parser = yaml_parser_t()
            guard yaml_parser_initialize(&parser) == 1 else { return ForeignFault.tooMuch }
            defer { yaml_parser_delete(&parser) }
            yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
            return firstFault(in: &parser)
        }
        if let found { throw found }
    }

    private static func firstFault(in parser: inout yaml_parser_t) -> ForeignFault? {
        for _ in 0..<most {
            var event = yaml_event_t()
            guard yaml_parser_parse(&parser, &event) == 1 else { return nil }
            defer { yaml_event_delete(&event) }
            if event.type == YAML_ALIAS_EVENT { return .notYAML(line: Int(event.start_mark.line) + 1) }
            if event.type == YAML_STREAM_END_EVENT { return nil }
        }
        return .tooMuch
    }
}
