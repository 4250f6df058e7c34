import LinuxCalls
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Datagrams of one socket that are read, answered and sent together: two system calls for up to 32 of them, and no
/// allocation. NIO would make a buffer, an envelope and a promise for each, more than a blocked answer costs.
///
/// An event loop has one; its sockets take turns.
final class DatagramBatch {
    static let capacity = Int(LINUX_MOST_DATAGRAMS)
    /// The largest question that is read, in bytes.
    static let room = 2048

    private let questions = UnsafeMutableBufferPointer<linux_datagram>.allocate(capacity: capacity)
    private let replies = UnsafeMutableBufferPointer<linux_datagram>.allocate(capacity: capacity)
    private let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: capacity * (room + WireSize.datagram), alignment: 8)
    private var asked = 0
    private var answered = 0

    init() {
        questions.initialize(repeating: linux_datagram())
        replies.initialize(repeating: linux_datagram())
        for index in 0..<Self.capacity {
            let start = bytes.baseAddress! + index * (Self.room + WireSize.datagram)
            questions[index].bytes = start.assumingMemoryBound(to: UInt8.self)
            replies[index].bytes = (start + Self.room).assumingMemoryBound(to: UInt8.self)
        }
    }

    deinit {
        questions.deallocate()
        replies.deallocate()
        bytes.deallocate()
    }

    /// Takes a datagram that somebody else read; one without room is lost.
    func add(_ packet: UnsafeRawBufferPointer, from peer: SocketAddress) {
        guard asked < Self.capacity, packet.count <= Self.room else { return }
        UnsafeMutableRawPointer(questions[asked].bytes).copyMemory(
            from: packet.baseAddress!, byteCount: packet.count)
        questions[asked].size = UInt32(packet.count)
        peer.withSockAddr { address, size in
            questions[asked].peer_length = UInt32(size)
            withUnsafeMutableBytes(of: &questions[asked].peer) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
            }
        }
        asked += 1
    }

    /// Reads what waits at `socket`, behind what was added.
    /// - Returns: whether more may wait.
    func read(from socket: CInt) -> Bool {
        for index in asked..<Self.capacity { questions[index].size = UInt32(Self.room) }
        asked += Int(
            linux_receive_datagrams(socket, questions.baseAddress! + asked, Int32(Self.capacity - asked)))
        return asked == Self.capacity
    }

    /// Gives every question to `answer`, with the room for its reply.
    /// - Parameter answer: returns the size of a reply that is to be sent now, else 0.
    /// - Returns: how many datagrams there were.
    func answerEach(_ answer: (UnsafeRawBufferPointer, Peer, UnsafeMutableRawBufferPointer) -> Int) -> Int {
        let count = asked
        for index in 0..<asked where questions[index].size > 0 {
            let packet = UnsafeRawBufferPointer(
                start: questions[index].bytes, count: Int(questions[index].size))
            let target = UnsafeMutableRawBufferPointer(
                start: replies[answered].bytes, count: WireSize.datagram)
            let size = answer(packet, Peer(storage: questions.baseAddress! + index), target)
            guard size > 0 else { continue }
            replies[answered].peer = questions[index].peer
            replies[answered].peer_length = questions[index].peer_length
            replies[answered].size = UInt32(size)
            answered += 1
        }
        asked = 0
        return count
    }

    /// Sends the replies. What the kernel does not take is lost, as on any network.
    func send(to socket: CInt) {
        if answered > 0 { linux_send_datagrams(socket, replies.baseAddress!, Int32(answered)) }
        answered = 0
    }
}

extension DatagramBatch {
    /// Who sent a question; to be used while it is answered.
    struct Peer {
        fileprivate let storage: UnsafeMutablePointer<linux_datagram>

        private var bytes: UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: storage, count: MemoryLayout<sockaddr_in6>.size)
        }
        private var isV4: Bool { storage.pointee.peer.ss_family == sa_family_t(AF_INET) }

        /// In network order; only its being 0 matters here.
        var port: UInt16 { bytes.load(fromByteOffset: 2, as: UInt16.self) }
        var client: ClientAddress { ClientAddress(socketAddress: bytes, isV4: isV4) }
        var address: SocketAddress {
            isV4
                ? SocketAddress(bytes.load(as: sockaddr_in.self))
                : SocketAddress(bytes.load(as: sockaddr_in6.self))
        }
    }
}
