package app_test

import (
	"net/http"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/app"
)

func TestPermissions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newPlayer("target")
	m := b.newMap("Skyline Run", target)
	through := map[string]string{"through": "1"}
	settings := map[string]any{"settings": []any{}}
	servicetest.Permissions{
		Service: app.Name,
		Player: func(name, role string) event.PlayerState {
			p := b.newPlayer(name)
			pgtest.Exec(t, b.Pool, "insert into inboxes (player_id, last) values ($1, 1)", p.ID) // has been told something
			if role != "" {
				p.Roles, p.Version = []string{role}, 2
				b.publish(p)
			}
			return p
		},
		Revoke: func(p event.PlayerState, _ string) {
			p.Roles, p.Version = nil, p.Version+1
			b.publish(p)
		},
		Ban: func(p event.PlayerState) {
			p.Banned, p.Version = true, p.Version+1
			b.publish(p)
		},
		Limit: b.keys.Limit,
		Attempts: []servicetest.Attempt{
			{Action: access.Follow, Take: b.allOf([]request{
				{http.MethodGet, "/follows", nil},
				{http.MethodGet, "/follows/players/" + target.ID, nil},
				{http.MethodGet, "/follows/maps/" + m.ID, nil},
				{http.MethodPut, "/follows/players/" + target.ID, nil},
				{http.MethodDelete, "/follows/players/" + target.ID, nil},
				{http.MethodPut, "/follows/maps/" + m.ID, nil},
				{http.MethodDelete, "/follows/maps/" + m.ID, nil},
			})},
			{Action: access.ManageWebhooks, Take: b.manageWebhooks},
			{Action: access.ReadInbox, Take: b.allOf([]request{
				{http.MethodGet, "/inbox", nil},
				{http.MethodGet, "/inbox/count", nil},
				{http.MethodPost, "/inbox/read", through},
			})},
			{Action: access.ChangeInboxSettings, Take: b.allOf([]request{
				{http.MethodGet, "/inbox/settings", nil},
				{http.MethodPut, "/inbox/settings", settings},
			})},
		},
	}.Check(t)
}

// request is a request to the API.
type request struct {
	method, path string
	body         any
}

// allOf returns a function that sends requests one after the other, and returns the code with which all were refused.
func (b *bundle) allOf(requests []request) func(by access.Actor) string {
	b.t.Helper()
	return func(by access.Actor) string {
		b.t.Helper()
		var codes []string
		for _, r := range requests {
			take := servicetest.ByToken(b.t, r.method, b.URL+"/api/v1"+r.path, func(p event.PlayerState) servicetest.Answer {
				a := b.do(p, r.method, r.path, r.body)
				if store := a.Header.Get("Cache-Control"); a.Status == http.StatusOK && store != "no-store" {
					b.t.Errorf("%s %s: Cache-Control %q", r.method, r.path, store)
				}
				return a
			})
			code := take(by)
			codes = append(codes, code)
			if code != codes[0] {
				b.t.Errorf("%s %s: refused with %q, the first request with %q", r.method, r.path, code, codes[0])
			}
		}
		return codes[0]
	}
}

// manageWebhooks sends all requests about webhooks, one of which is the player's own, as allOf.
func (b *bundle) manageWebhooks(by access.Actor) string {
	b.t.Helper()
	hook, delivery := newID(), newID()
	if by.Kind == access.KindPlayer {
		pgtest.Exec(b.t, b.Pool, "delete from webhooks where owner_id = $1", by.ID)
		pgtest.Exec(b.t, b.Pool, `
			insert into webhooks (id, owner_id, url, format, description, types, enabled, secret, created_at)
			values ($1, $2, 'https://webhook.invalid', 'json', '', '{record}', true, '', now())`, hook, by.ID)
		pgtest.Exec(b.t, b.Pool, `
			insert into webhook_deliveries (webhook_id, id, type, body, state, created_at)
			values ($1, $2, 'record', '{}', 'delivered', now())`, hook, delivery)
	}
	creation := map[string]any{
		"url": "https://webhook.invalid", "format": "json", "filter": map[string]any{"types": []string{"record"}},
	}
	return b.allOf(append([]request{
		{http.MethodGet, "/webhooks", nil}, {http.MethodPost, "/webhooks", creation},
	}, webhookRequests("/webhooks/"+hook, delivery)...))(by)
}
