import Directory
import Testing

@Suite struct AllowanceTests {
    @Test("A holder takes what is its own, and all take no more than there is")
    func bounds() {
        var allowance = Allowance<String>(all: 3, each: 2)
        let taken = ["phone", "phone", "phone", "tablet", "television"].map { allowance.take($0) }
        #expect(taken == [true, true, false, true, false])
        allowance.giveBack("phone")
        let isTaken = allowance.take("television")
        #expect(isTaken)
        #expect(allowance.count == 3)
    }

    @Test("Without a bound for each, one holder gets half, and the next one half of the rest")
    func asManyAsAreFree() {
        var allowance = Allowance<String>(all: 8)
        for holder in ["phone", "tablet", "television"] { while allowance.take(holder) {} }
        #expect(allowance["phone"] == 4)
        #expect(allowance["tablet"] == 2)
        #expect(allowance["television"] == 1)
        #expect(allowance.admits("doorbell"))
    }

    @Test("At its own bound a holder gives way, at the bound in all those with the most")
    func givers() {
        var allowance = Allowance<String>(all: 4, each: 2)
        #expect(allowance.givers(for: "phone") == nil)
        allowance.add(2, to: "phone")
        #expect(allowance.givers(for: "phone") == ["phone"])
        #expect(allowance.givers(for: "phone", isShared: true) == nil)
        allowance.add(1, to: "tablet")
        #expect(allowance.givers(for: "doorbell") == nil)
        allowance.add(1, to: "doorbell")
        #expect(allowance.givers(for: "television") == ["phone"])
        allowance.add(-2, to: "phone")
        #expect(allowance.count == 2 && allowance["phone"] == 0)
    }
}

@Suite struct TurnsTests {
    @Test("Holders that wait take turns, and each one's claims keep their order")
    func alternating() {
        var turns = Turns<String, String>(most: 2)
        let begin = ["phone", "phone", "phone", "phone", "tablet", "tablet", "tablet"].enumerated().map {
            turns.enter("\($1) \($0)", of: $1)
        }
        #expect(begin == [true, false, false, false, true, false, false], "the other one finds a free place")
        var begun: [String] = []
        for holder in ["phone", "tablet", "phone", "tablet", "phone"] {
            turns.leave(holder)
            while let next = turns.next() { begun.append(next) }
        }
        #expect(begun == ["phone 1", "tablet 5", "phone 2", "tablet 6", "phone 3"])
    }

    @Test("What is withdrawn does not begin")
    func withdrawn() {
        var turns = Turns<String, String>(most: 2)
        for number in 1...3 { _ = turns.enter("phone \(number)", of: "phone") }
        turns.withdraw("phone") { $0 == "phone 2" }
        turns.leave("phone")
        let next = turns.next()
        #expect(next == "phone 3")
        _ = turns.enter("phone 4", of: "phone")
        turns.withdrawAll()
        turns.leave("phone")
        let last = turns.next()
        #expect(last == nil)
        #expect(turns.count == 0)
    }
}

@Suite struct RateTests {
    @Test("A burst at once, then one after the other, and each holder has its own")
    func rate() {
        let rate = Rate<String>(burst: 2, perSeconds: 10)
        #expect(rate.wait(for: "phone", at: 100) == nil)
        #expect(rate.wait(for: "phone", at: 100) == nil)
        #expect(rate.wait(for: "phone", at: 100) == 5)
        #expect(rate.wait(for: "tablet", at: 100) == nil)
        #expect(rate.wait(for: "phone", at: 104) == 1)
        #expect(rate.wait(for: "phone", at: 105) == nil)
        #expect(rate.wait(for: "phone", at: 1_000) == nil)
        #expect(rate.wait(for: "phone", at: 1_000) == nil)
        #expect(rate.wait(for: "phone", at: 1_000) != nil, "no more than a burst is saved up")
    }

    @Test("Thousands of holders are forgotten when they have all of theirs again, and no greedy one is")
    func forgets() {
        let rate = Rate<Int>(burst: 1, perSeconds: 1_000)
        #expect(rate.wait(for: 0, at: 0) == nil)
        for holder in 1...5_000 { #expect(rate.wait(for: holder, at: Double(holder) / 10_000) == nil) }
        #expect(rate.wait(for: 0, at: 1) != nil)
    }
}
