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

// cookiePath keeps the cookies from everything but login and refresh.
const cookiePath = "/api/v1/auth"

// cookies are the two cookies of the site: the one that binds a login to its
// browser, and the one that holds the refresh token.
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

// loginKey returns what the browser holds of a login, zero when it holds nothing.
func (k cookies) loginKey(ctx context.Context) login.Key {
	id, secret, whole := strings.Cut(value(ctx, k.login), ".")
	if !whole {
		return login.Key{}
	}
	return login.Key{SessionID: id, Secret: secret}
}

func (k cookies) setLoginKey(ctx context.Context, key login.Key, lifetime time.Duration) {
	k.set(ctx, k.login, key.SessionID+"."+key.Secret, lifetime)
}

// refreshToken returns the refresh token that the browser holds, or "".
func (k cookies) refreshToken(ctx context.Context) string { return value(ctx, k.refresh) }

func (k cookies) setRefreshToken(ctx context.Context, token string) {
	k.set(ctx, k.refresh, token, session.Lifetime)
}

// clear has the browser forget both.
func (k cookies) clear(ctx context.Context) {
	k.set(ctx, k.login, "", -time.Second)
	k.set(ctx, k.refresh, "", -time.Second)
}

func (k cookies) set(ctx context.Context, name, value string, lifetime time.Duration) {
	answer := httpserve.AnswerHeader(ctx)
	if answer == nil {
		return // there is nobody to answer
	}
	cookie := http.Cookie{
		Name: name, Value: value, Path: cookiePath, MaxAge: int(lifetime.Seconds()),
		HttpOnly: true, Secure: k.secure, SameSite: http.SameSiteStrictMode,
	}
	answer.Add("Set-Cookie", cookie.String())
}

func value(ctx context.Context, name string) string {
	request := httpserve.Request(ctx)
	if request == nil {
		return ""
	}
	cookie, err := request.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
