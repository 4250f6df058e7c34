extension QRCode {
    /// The code with its quiet zone as an SVG element for a page or for a file of its own.
    ///
    /// One unit is one module; the page's style sets the width. The ground is white. The dark modules have
    /// the element's `color`, which is black unless the page's style changes it, so the code looks the same
    /// on a dark page. There is no inline style, which a content security policy would refuse. A screen reader
    /// reads `label` instead of the code; it may be any text.
    package func svg(label: String) -> String {
        let (corner, width) = (extent.lowerBound, extent.count)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" class="qr-code" role="img" \
            aria-label="\(escaped(label))" viewBox="\(corner) \(corner) \(width) \(width)" \
            color="#000" shape-rendering="crispEdges">\
            <rect x="\(corner)" y="\(corner)" width="\(width)" height="\(width)" fill="#fff"/>\
            <path fill="currentColor" d="\(path)"/></svg>
            """
    }

    /// The code with its quiet zone as lines for a terminal; each character is one module wide and two high.
    ///
    /// The characters draw the light modules, so a terminal with light text on a dark ground shows the code
    /// as on paper. With `colours`, each line also sets white on black (from xterm's 256 colours), so that a
    /// terminal with a light ground shows the same. A log gets the lines without colours.
    package func terminalLines(colours: Bool) -> [String] {
        stride(from: extent.lowerBound, to: extent.upperBound, by: 2).map { row in
            let line = extent.map { column in
                switch (self[column, row], self[column, row + 1]) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined()
            return colours ? "\u{1B}[38;5;231;48;5;16m\(line)\u{1B}[0m" : line
        }
    }

    /// One rectangle for each run of dark modules in a row.
    private var path: String {
        var path = ""
        for row in 0..<size {
            var start = 0
            while let first = (start..<size).first(where: { self[$0, row] }) {
                let end = (first..<size).first { !self[$0, row] } ?? size
                path += "M\(first) \(row)h\(end - first)v1H\(first)z"
                start = end
            }
        }
        return path
    }
}

/// The text as the value of an attribute. Scalars are compared, because a mark such as an accent behind `"`
/// makes another character of it.
private func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
