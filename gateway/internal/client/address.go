// Package client judges which address a request comes from.
package client

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// TrustedProxies are the networks whose X-Forwarded-For is believed.
type TrustedProxies []netip.Prefix

// UnmarshalText reads networks or single addresses, comma-separated.
func (t *TrustedProxies) UnmarshalText(text []byte) error {
	var list TrustedProxies
	for field := range strings.SplitSeq(string(text), ",") {
		field = strings.TrimSpace(field)
		if field == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(field)
		if addr, addrErr := netip.ParseAddr(field); addrErr == nil {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return fmt.Errorf("%q is no network such as 10.0.0.0/8", field)
		}
		list = append(list, prefix.Masked())
	}
	*t = list
	return nil
}

func (t TrustedProxies) contain(addr netip.Addr) bool {
	for _, prefix := range t {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// wholeNetwork is the part of an IPv6 address that names one customer: within
// it anybody picks addresses at will.
const wholeNetwork = 64

// Address returns the address by which a client is counted: its IPv4 address or
// the /64 network of its IPv6 address. It is the connection's, or, where that
// is a trusted proxy's, the rightmost of X-Forwarded-For that is none.
func Address(r *http.Request, trusted TrustedProxies) (string, error) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "", fmt.Errorf("address of the connection: %w", err)
	}
	addr := forwarded(r, plain(peer.Addr()), trusted)
	if addr.Is6() {
		network, err := addr.Prefix(wholeNetwork)
		if err != nil {
			return "", fmt.Errorf("network of %s: %w", addr, err)
		}
		addr = network.Addr()
	}
	return addr.String(), nil
}

// forwarded walks X-Forwarded-For from the right, from proxy to proxy. What
// cannot be read ends the walk: whoever wrote it is then the client.
func forwarded(r *http.Request, addr netip.Addr, trusted TrustedProxies) netip.Addr {
	if !trusted.contain(addr) {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && trusted.contain(addr); i-- {
		hop, ok := parseHop(hops[i])
		if !ok {
			break
		}
		addr = hop
	}
	return addr
}

// parseHop reads an address with or without a port.
func parseHop(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if addr, err := netip.ParseAddr(strings.Trim(hop, "[]")); err == nil {
		return plain(addr), true
	}
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return plain(withPort.Addr()), true
	}
	return netip.Addr{}, false
}

func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

type addressKey struct{}

// WithAddress returns a context that carries the judged address.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// AddressOf returns the judged address, "" for none.
func AddressOf(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}
