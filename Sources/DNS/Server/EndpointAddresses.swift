/// The addresses that one endpoint's sockets on one event loop answer with; they change with the machine's addresses.
final class EndpointAddresses {
    var own = OwnAddresses()
}
