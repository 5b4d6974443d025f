// Package client determines which address a request comes from.
package client

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// TrustedProxies are the networks of proxies whose X-Forwarded-For is trusted.
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

// Contain reports whether the address is a trusted proxy's.
func (t TrustedProxies) Contain(addr netip.Addr) bool {
	return slices.ContainsFunc(t, func(prefix netip.Prefix) bool { return prefix.Contains(addr) })
}

// networkBits is the part of an IPv6 address that providers give to one customer, who chooses the rest.
const networkBits = 64

// Network returns the address by which a client is counted: an IPv4 address itself, of an IPv6 address its /64
// network.
func Network(addr netip.Addr) netip.Addr {
	if addr.Is6() {
		if network, err := addr.WithZone("").Prefix(networkBits); err == nil {
			return network.Addr()
		}
	}
	return addr
}

// Address returns the Network of a client's address. The address is the connection's or, where that is a trusted
// proxy's, the rightmost of X-Forwarded-For that is not.
func Address(r *http.Request, trusted TrustedProxies) (string, error) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "", fmt.Errorf("address of the connection: %w", err)
	}
	return Network(forwarded(r, plain(peer.Addr()), trusted)).String(), nil
}

// forwarded follows X-Forwarded-For from the right, from proxy to proxy. An entry that cannot be read ends it: the
// proxy that wrote it is then the client.
func forwarded(r *http.Request, addr netip.Addr, trusted TrustedProxies) netip.Addr {
	if !trusted.Contain(addr) {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && trusted.Contain(addr); i-- {
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

// WithAddress returns a context that carries the client's address.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// AddressOf returns the client's address, "" for none.
func AddressOf(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}
