package service

import (
	"errors"
	"net/url"
	"strings"
)

// SiteURL is the site's address as browsers see it. It decides about Secure
// cookies, the cookies' names and which origins are the site's own.
type SiteURL struct{ url.URL }

// UnmarshalText accepts http://host[:port] and https://host[:port].
func (u *SiteURL) UnmarshalText(text []byte) error {
	parsed, err := url.Parse(string(text))
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") ||
		strings.Trim(parsed.Path, "/") != "" {
		return errors.New("must be http://HOST[:PORT] or https://HOST[:PORT]")
	}
	parsed.Path = ""
	u.URL = *parsed
	return nil
}

// Secure reports whether the site is served over TLS.
func (u SiteURL) Secure() bool { return u.Scheme == "https" }

// Origin returns the site's origin as browsers send it.
func (u SiteURL) Origin() string { return u.Scheme + "://" + u.Host }

// IsOrigin reports whether an Origin header names the site. For a site at localhost, 127.0.0.1 on
// the same port is the site too, and the other way round: both addresses are this machine's.
func (u SiteURL) IsOrigin(origin string) bool {
	if origin == u.Origin() {
		return true
	}
	loopback := map[string]string{"localhost": "127.0.0.1", "127.0.0.1": "localhost"}[u.Hostname()]
	if loopback == "" {
		return false
	}
	if port := u.Port(); port != "" {
		loopback += ":" + port
	}
	return origin == u.Scheme+"://"+loopback
}

// CookieName returns the name of a cookie of the site. The name carries the port if there is one,
// because browsers share cookies between ports and two stacks may run on one host. Under TLS it has
// the prefix __Host-, with which a browser accepts the cookie from this host alone and only with
// the path "/".
func (u SiteURL) CookieName(name string) string {
	if port := u.Port(); port != "" {
		name += "_" + port
	}
	if u.Secure() {
		return "__Host-" + name
	}
	return name
}
