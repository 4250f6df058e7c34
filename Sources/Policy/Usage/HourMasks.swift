/// One person's masks of one app, by hour: one array, because a start reads tens of thousands of masks in that order.
struct HourMasks: Sendable {
    private(set) var all: [HourMask] = []

    init() {}

    /// - Parameter masks: in the order of their hours.
    init(_ masks: [HourMask]) { all = masks }

    /// The hours that it has, each once, in order.
    var hours: [Int] { cells(all[...]).map { $0[$0.startIndex].hour } }

    /// The masks of each hour in `hours` that has any.
    func cells(in hours: Range<Int>) -> [ArraySlice<HourMask>] {
        cells(all[index(of: hours.lowerBound)..<index(of: hours.upperBound)])
    }

    private func cells(_ masks: ArraySlice<HourMask>) -> [ArraySlice<HourMask>] {
        var cells: [ArraySlice<HourMask>] = []
        var rest = masks
        while let hour = rest.first?.hour {
            let cell = rest.prefix { $0.hour == hour }
            cells.append(cell)
            rest = rest[cell.endIndex...]
        }
        return cells
    }

    /// All masks of one hour.
    subscript(hour: Int) -> ArraySlice<HourMask> { all[index(of: hour)..<index(of: hour + 1)] }

    /// The known mask of the same hour, device and source.
    func known(like mask: HourMask) -> HourMask? { place(of: mask).map { all[$0] } }

    /// Puts a mask in the place of the known one, or behind those of its hour.
    mutating func set(_ mask: HourMask) {
        if let place = place(of: mask) {
            all[place] = mask
        } else {
            all.insert(mask, at: index(of: mask.hour + 1))
        }
    }

    /// Nil if nothing is left.
    func forgetting(before hour: Int) -> HourMasks? {
        let first = index(of: hour)
        guard first > 0 else { return self }
        guard first < all.count else { return nil }
        return HourMasks(Array(all[first...]))
    }

    private func place(of mask: HourMask) -> Int? {
        self[mask.hour].firstIndex { $0.device == mask.device && $0.source == mask.source }
    }

    /// The index of the first mask of this hour or a later one.
    private func index(of hour: Int) -> Int {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].hour < hour { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
