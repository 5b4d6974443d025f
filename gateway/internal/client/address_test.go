package client_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/client"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	proxies := client.TrustedProxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, tt := range []struct {
		name      string
		trusted   client.TrustedProxies
		peer      string
		forwarded []string
		want      string
	}{
		{"a direct visitor is the connection", proxies, "203.0.113.7:5000", nil, "203.0.113.7"},
		{"a direct visitor's header is ignored", proxies, "203.0.113.7:5000", []string{"1.2.3.4"}, "203.0.113.7"},
		{"without trusted proxies the header is ignored", nil, "10.0.0.1:5000", []string{"1.2.3.4"}, "10.0.0.1"},
		{"the address that a proxy appended", proxies, "10.0.0.1:5000", []string{"198.51.100.4"}, "198.51.100.4"},
		{"an address that the client sent before it is ignored", proxies, "10.0.0.1:5000", []string{"1.2.3.4, 198.51.100.4"},
			"198.51.100.4"},
		{"the same in two header lines", proxies, "10.0.0.1:5000", []string{"1.2.3.4", "198.51.100.4"}, "198.51.100.4"},
		{"two proxies in a row", proxies, "10.0.0.1:5000", []string{"198.51.100.4, 10.9.9.9"}, "198.51.100.4"},
		{"only trusted proxies: the first", proxies, "10.0.0.1:5000", []string{"10.2.2.2, 10.9.9.9"}, "10.2.2.2"},
		{"a proxy without a header", proxies, "10.0.0.1:5000", nil, "10.0.0.1"},
		{"an entry that is no address", proxies, "10.0.0.1:5000", []string{"198.51.100.4, unknown"}, "10.0.0.1"},
		{"an address with its port", proxies, "10.0.0.1:5000", []string{"198.51.100.4:1234"}, "198.51.100.4"},
		{"IPv6 counts by its /64", proxies, "[2001:db8:1:2:aaaa::1]:5000", nil, "2001:db8:1:2::"},
		{"IPv6 from a proxy", proxies, "[fd00::1]:5000", []string{"[2001:db8:1:2:bbbb::9]:443"}, "2001:db8:1:2::"},
		{"an IPv4 address mapped to IPv6", proxies, "[::ffff:203.0.113.7]:5000", nil, "203.0.113.7"},
		{"a proxy mapped to IPv6", proxies, "[::ffff:10.0.0.1]:5000", []string{"198.51.100.4"}, "198.51.100.4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = tt.peer
			for _, line := range tt.forwarded {
				r.Header.Add("X-Forwarded-For", line)
			}
			got, err := client.Address(r, tt.trusted)
			if err != nil || got != tt.want {
				t.Errorf("got %q (%v), want %s", got, err, tt.want)
			}
		})
	}
}

func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{"", "198.51.100.4", "1.2.3.4, 10.0.0.1", "[2001:db8::1]:443,fe80::1%eth0",
		"unknown, _hidden", ",,,", "::ffff:1.2.3.4"} {
		f.Add(seed)
	}
	trusted := client.TrustedProxies{netip.MustParsePrefix("10.0.0.0/8")}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "10.0.0.1:5000"
		r.Header.Set("X-Forwarded-For", header)
		got, err := client.Address(r, trusted)
		require.NoError(t, err)
		addr, err := netip.ParseAddr(got)
		if err != nil || addr.Zone() != "" || addr.Is4In6() {
			t.Errorf("%q is %q", header, got)
		}
	})
}
