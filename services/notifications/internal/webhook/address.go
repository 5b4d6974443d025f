package webhook

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxURL is the length of an address.
const maxURL = 500

// refusedPrefixes are ranges that are not on the public Internet, or lead elsewhere than to the address itself. Of IPv6
// everything outside of 2000::/3 is refused besides.
var refusedPrefixes = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4",
	"168.63.129.16/32",           // the metadata of virtual machines at Azure
	"2001::/23",                  // Teredo, benchmarks, ORCHID
	"2001:db8::/32", "3fff::/20", // documentation
	"2002::/16", // 6to4
)

var globalUnicast = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// otherFormat matches the paths at which Discord takes messages of another service.
var otherFormat = regexp.MustCompile(`/(slack|github)/*$`)

// Addresses says which addresses receivers may have.
type Addresses struct {
	// Loopback is true in tests and development, where receivers may be on this machine.
	Loopback bool
}

// Allows reports whether a connection may be made to an address and port.
func (a Addresses) Allows(address netip.AddrPort) bool {
	return allowsPort(address.Port()) && a.allows(address.Addr())
}

func (a Addresses) allows(ip netip.Addr) bool {
	if a.Loopback && ip.IsLoopback() {
		return true
	}
	if ip.Is4In6() || ip.Zone() != "" || ip.Is6() && !globalUnicast.Contains(ip) {
		return false
	}
	return ip.IsValid() && !slices.ContainsFunc(refusedPrefixes, func(p netip.Prefix) bool { return p.Contains(ip) })
}

func allowsPort(port uint16) bool { return port == 443 || port >= 1024 }

// CheckURL returns ErrURLRefused, with the reason, for an address to which nothing can be sent in a format. Names are
// resolved when something is sent.
func (a Addresses) CheckURL(text string, format Format) error {
	if code, reason := a.reasonAgainst(text, format); code != "" {
		return ErrURLRefused.WithField("url", code, reason)
	}
	return nil
}

func (a Addresses) reasonAgainst(text string, format Format) (code, reason string) {
	parsed, err := url.Parse(text)
	switch {
	case len(text) > maxURL:
		return "too_long", "is longer than 500 characters"
	case err != nil || parsed.Hostname() == "" || parsed.Opaque != "":
		return "no_address", "is no address"
	case parsed.Scheme != "https":
		return "not_https", "must begin with https://"
	case parsed.User != nil:
		return "with_password", "must not have a name or a password"
	case parsed.Fragment != "":
		return "with_fragment", "must not have a part after #"
	case format == Discord && otherFormat.MatchString(parsed.Path):
		return "other_format", "is for messages of Slack or GitHub; leave out what follows the token"
	}
	if port := parsed.Port(); port != "" {
		if number, err := strconv.ParseUint(port, 10, 16); err != nil || !allowsPort(uint16(number)) {
			return "port_refused", "must have the port 443, or one from 1024"
		}
	}
	host := parsed.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		if !a.allows(ip) {
			return "not_public", "is not on the public Internet"
		}
		return "", ""
	}
	if strings.Contains(strings.Trim(host, "."), ".") || a.Loopback && host == "localhost" {
		return "", ""
	}
	return "not_public", "is not on the public Internet"
}
