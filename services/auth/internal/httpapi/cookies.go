package httpapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/session"
)

// cookies are the site's two cookies: one binds a login to its browser, the other holds the refresh token.
type cookies struct {
	login, refresh string
	secure         bool
}

func cookiesOf(site service.SiteURL) cookies {
	return cookies{
		login:   site.CookieName("capzone_login"),
		refresh: site.CookieName("capzone_refresh"),
		secure:  site.Secure(),
	}
}

// loginKey returns the key of the browser's login, the zero Key where it has none.
func (k cookies) loginKey(ctx context.Context) login.Key {
	id, secret, found := strings.Cut(value(ctx, k.login), ".")
	if !found {
		return login.Key{}
	}
	return login.Key{SessionID: id, Secret: secret}
}

func (k cookies) setLoginKey(ctx context.Context, key login.Key, lifetime time.Duration) {
	k.set(ctx, k.login, key.SessionID+"."+key.Secret, lifetime)
}

// refreshToken returns the browser's refresh token, or "".
func (k cookies) refreshToken(ctx context.Context) string { return value(ctx, k.refresh) }

func (k cookies) setRefreshToken(ctx context.Context, token string) {
	k.set(ctx, k.refresh, token, session.Lifetime)
}

// clear removes both cookies from the browser.
func (k cookies) clear(ctx context.Context) {
	k.set(ctx, k.login, "", -time.Second)
	k.set(ctx, k.refresh, "", -time.Second)
}

func (k cookies) set(ctx context.Context, name, value string, lifetime time.Duration) {
	cookie := http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(lifetime.Seconds()),
		HttpOnly: true, Secure: k.secure, SameSite: http.SameSiteStrictMode,
	}
	httpserve.ResponseHeader(ctx).Add("Set-Cookie", cookie.String())
}

func value(ctx context.Context, name string) string {
	cookie, err := httpserve.Request(ctx).Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
