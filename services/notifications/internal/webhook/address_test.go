package webhook_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"capzone.dev/platform/problem"
	"capzone.dev/services/notifications/internal/webhook"
)

func TestAddresses_Allows(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254", "169.254.169.254",
		"172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
		"198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "168.63.129.16",
		"::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1",
		"2001::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1",
		"fe80::1%eth0", "2606:4700::1%eth0", "fec0::1", "ff02::1",
	} {
		ip := netip.MustParseAddr(address)
		if (webhook.Addresses{}).Allows(netip.AddrPortFrom(ip, 443)) {
			t.Errorf("%s is allowed", address)
		}
		if got := (webhook.Addresses{Loopback: true}).Allows(netip.AddrPortFrom(ip, 443)); got != ip.IsLoopback() {
			t.Errorf("in tests %s is allowed: %t", address, got)
		}
	}
	for _, address := range []string{"8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1", "2a00:1450::1"} {
		for port, want := range map[uint16]bool{443: true, 1024: true, 65535: true, 80: false, 22: false, 0: false} {
			if got := (webhook.Addresses{}).Allows(netip.AddrPortFrom(netip.MustParseAddr(address), port)); got != want {
				t.Errorf("%s port %d is allowed: %t", address, port, got)
			}
		}
	}
}

func TestAddresses_CheckURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, reason string }{
		{"https://example.org/hook?a=b", ""},
		{"https://example.org:443", ""},
		{"https://example.org:1024/", ""},
		{"https://8.8.8.8/", ""},
		{"https://[2606:4700::1]:8443/", ""},
		{"https://discord.com/api/webhooks/1/token?thread_id=2", ""},
		{"http://example.org", "must begin with https://"},
		{"ftp://example.org", "must begin with https://"},
		{"example.org", "is no address"},
		{"https:example.org", "is no address"},
		{"https://", "is no address"},
		{"https://:443", "is no address"},
		{"https://exa\nmple.org", "is no address"},
		{"https://a:b@example.org", "must not have a name or a password"},
		{"https://example.org/#a", "must not have a part after #"},
		{"https://example.org:80", "must have the port 443, or one from 1024"},
		{"https://example.org:22", "must have the port 443, or one from 1024"},
		{"https://example.org:99999", "must have the port 443, or one from 1024"},
		{"https://127.0.0.1", "is not on the public Internet"},
		{"https://169.254.169.254/latest/meta-data", "is not on the public Internet"},
		{"https://[::1]", "is not on the public Internet"},
		{"https://[::ffff:10.0.0.1]", "is not on the public Internet"},
		{"https://localhost", "is not on the public Internet"},
		{"https://postgres:5432", "is not on the public Internet"},
		{"https://2130706433", "is not on the public Internet"},
		{"https://example.org/" + strings.Repeat("a", 500), "is longer than 500 characters"},
	} {
		err := webhook.Addresses{}.CheckURL(tt.url, webhook.JSON)
		got := ""
		if p, ok := errors.AsType[*problem.Problem](err); ok && errors.Is(err, webhook.ErrURLRefused) {
			got = p.Fields[0].Message
		}
		if got != tt.reason {
			t.Errorf("%q: %v, want %q", tt.url, err, tt.reason)
		}
	}
	for _, url := range []string{"https://127.0.0.1:8443", "https://localhost:8443", "https://[::1]:8443"} {
		if err := (webhook.Addresses{Loopback: true}).CheckURL(url, webhook.JSON); err != nil {
			t.Errorf("in tests %q: %v", url, err)
		}
	}
}

// Discord takes messages of Slack and GitHub at addresses of their own.
func TestAddresses_CheckURL_Discord(t *testing.T) {
	t.Parallel()
	const address = "https://discord.com/api/webhooks/1/token"
	for url, want := range map[string]bool{
		address: true, address + "?thread_id=2": true, address + "/": true, address + "/slack": false,
		address + "/slack/?wait=true": false, address + "/github": false, address + "/%73lack": false,
	} {
		if err := (webhook.Addresses{}).CheckURL(url, webhook.Discord); (err == nil) != want {
			t.Errorf("%s: %v", url, err)
		}
	}
	if err := (webhook.Addresses{}).CheckURL("https://example.org/slack", webhook.JSON); err != nil {
		t.Errorf("a program: %v", err)
	}
}
