package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/receivertest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/app"
	"capzone.dev/services/notifications/internal/httpapi"
	"capzone.dev/services/notifications/internal/webhook"
)

// withReceivers starts the service so that it can reach n receivers on this machine.
func withReceivers(t *testing.T, n int) (*bundle, []*receivertest.Receiver) {
	t.Helper()
	b := prepare(t)
	receivers := make([]*receivertest.Receiver, n)
	for i := range receivers {
		receivers[i] = receivertest.New(t)
	}
	b.cfg.Webhooks.TestCA = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(b.cfg.Webhooks.TestCA, receivertest.Certificates(), 0o600))
	require.NoError(t, b.cfg.PublicURL.UnmarshalText([]byte("http://capzone.example")))
	b.URL, b.OpsURL = b.startReplica()
	return b, receivers
}

// newWebhook makes a webhook with a filter in JSON, and returns it with its secret.
func (b *bundle) newWebhook(by event.PlayerState, url, format, filter string) (httpapi.Webhook, string) {
	b.t.Helper()
	a := b.do(by, http.MethodPost, "/webhooks", map[string]any{
		"url": url, "format": format, "filter": json.RawMessage(filter), "description": "mine",
	})
	if a.Status != http.StatusCreated {
		b.t.Fatalf("POST /webhooks: %d %s", a.Status, a.Raw)
	}
	made := servicetest.Data[httpapi.WebhookWithSecret](b.t, a)
	if made.Secret == nil {
		return made.Webhook, ""
	}
	return made.Webhook, *made.Secret
}

// publishEvent publishes a fact and waits until it is in the queues.
func (b *bundle) publishEvent(fact event.Fact) {
	b.t.Helper()
	require.NoError(b.t, b.PublishFact(b.t.Context(), newID(), fact))
	natstest.AwaitSettled(b.t, b.JetStream, event.NotificationsWebhooks)
}

// awaitWebhook waits until a webhook is as a condition says.
func (b *bundle) awaitWebhook(
	by event.PlayerState, id, what string, condition func(httpapi.Webhook) bool,
) (hook httpapi.Webhook) {
	b.t.Helper()
	eventually.WaitFor(b.t, what, func() bool {
		hook = servicetest.Data[httpapi.Webhook](b.t, b.get(by, "/webhooks/"+id))
		return condition(hook)
	})
	return hook
}

const everything = `{"types":["record","worldRecord","map","player"]}`

// verify fails the test unless a message is signed with a secret.
func verify(t *testing.T, m receivertest.Message, secret string) {
	t.Helper()
	verifier, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	require.NoError(t, verifier.Verify([]byte(m.Body), m.Header))
}

func TestWebhooks_record(t *testing.T) {
	t.Parallel()
	b, receivers := withReceivers(t, 1)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", bob)
	b.publishEvent(submitted(m, bob)) // before the webhook was made
	hook, secret := b.newWebhook(ann, receivers[0].URL, "json", everything)

	fact := submitted(m, bob)
	b.publishEvent(fact)
	got := receivers[0].Await(t, 1)[0]
	verify(t, got, secret)
	var body struct {
		Type, Timestamp string
		Data            struct{ RecordID, MapID, PlayerID string }
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
	if body.Type != "record" || body.Data.RecordID != fact.RecordID || body.Data.MapID != m.ID ||
		body.Data.PlayerID != bob.ID || body.Timestamp == "" || strings.Contains(got.Body, "submittedBy") {
		t.Errorf("received %s", got.Body)
	}
	hook = b.awaitWebhook(ann, hook.UnderscoreId, "the outcome",
		func(h httpapi.Webhook) bool { return h.LastDelivery != nil })
	last := *hook.LastDelivery
	if last.State != httpapi.DeliveryDelivered || last.UnderscoreId != got.Header.Get("Webhook-Id") || last.Tries != 1 ||
		*last.Status != 200 || last.Failure != nil || last.NextTryAt != nil || hook.Failures != 0 {
		t.Errorf("last delivery %+v", last)
	}
	exported := servicetest.Export(t, b.URL, b.keys.Token(ann))["webhookDelivery"]
	if len(exported) != 1 || !strings.Contains(exported[0], fact.RecordID) {
		t.Errorf("the player's own file has %v", exported)
	}

	// Again, it is the same event with the same id.
	a := b.do(ann, http.MethodPost, "/webhooks/"+hook.UnderscoreId+"/deliveries/"+last.UnderscoreId+"/send", nil)
	if a.Status != http.StatusAccepted {
		t.Fatalf("%d %s", a.Status, a.Raw)
	}
	again := receivers[0].Await(t, 2)[1]
	verify(t, again, secret)
	if again.Body != got.Body || again.Header.Get("Webhook-Id") != got.Header.Get("Webhook-Id") {
		t.Errorf("sent again: %+v", again)
	}
}

func TestWebhooks_test_and_rotation(t *testing.T) {
	t.Parallel()
	b, receivers := withReceivers(t, 1)
	ann := b.newPlayer("ann")
	hook, first := b.newWebhook(ann, receivers[0].URL, "json", everything)
	path := "/webhooks/" + hook.UnderscoreId
	rotated := servicetest.Data[httpapi.WebhookWithSecret](t, b.do(ann, http.MethodPost, path+"/rotate", nil))
	if rotated.Secret == nil || *rotated.Secret == first || rotated.Webhook.PreviousSecretUntil == nil {
		t.Fatalf("rotated: %+v", rotated.Webhook)
	}
	if a := b.do(ann, http.MethodPost, path+"/test", nil); a.Status != http.StatusAccepted {
		t.Fatalf("%d %s", a.Status, a.Raw)
	}
	got := receivers[0].Await(t, 1)[0]
	verify(t, got, first)
	verify(t, got, *rotated.Secret)
	if !strings.Contains(got.Body, `"type":"test"`) || strings.Count(got.Header.Get("Webhook-Signature"), "v1,") != 2 {
		t.Errorf("received %+v", got)
	}

	for _, a := range []servicetest.Answer{b.get(ann, path), b.get(ann, "/webhooks"), b.get(ann, path+"/deliveries")} {
		if strings.Contains(string(a.Raw), "whsec_") || strings.Contains(string(a.Raw), first[6:]) {
			t.Errorf("the secret is shown: %s", a.Raw)
		}
	}
}

func TestWebhooks_gone(t *testing.T) {
	t.Parallel()
	b, receivers := withReceivers(t, 1)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	receivers[0].Answer(receivertest.Status(http.StatusGone))
	hook, _ := b.newWebhook(ann, receivers[0].URL, "json", everything)
	b.publishEvent(submitted(b.newMap("Skyline Run", bob), bob))
	off := b.awaitWebhook(ann, hook.UnderscoreId, "to be off", func(h httpapi.Webhook) bool { return !h.Enabled })
	if *off.OffReason != httpapi.OffGone || off.LastDelivery.State != httpapi.DeliveryFailed ||
		*off.LastDelivery.Status != http.StatusGone {
		t.Errorf("after 410: %+v", off)
	}
	groups := servicetest.Data[[]httpapi.InboxGroup](t, b.get(ann, "/inbox"))
	if len(groups) != 1 || groups[0].Kind != httpapi.WebhookOff || groups[0].Link.Kind != httpapi.LinkWebhooks {
		t.Errorf("the inbox has %+v", groups)
	}
	path := "/webhooks/" + hook.UnderscoreId
	for _, send := range []string{"/test", "/deliveries/" + off.LastDelivery.UnderscoreId + "/send"} {
		if a := b.do(ann, http.MethodPost, path+send, nil); a.Code != "webhook_off" {
			t.Errorf("%s: %d %s", send, a.Status, a.Raw)
		}
	}
	a := b.do(ann, http.MethodPatch, path, map[string]any{"enabled": true})
	if on := servicetest.Data[httpapi.Webhook](t, a); !on.Enabled || on.Failures != 0 || on.OffReason != nil {
		t.Errorf("switched on: %s", a.Raw)
	}
}

// Ten tests, sends and changes of addresses are possible in a minute.
func TestWebhooks_test_limit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann := b.newPlayer("ann")
	hook, _ := b.newWebhook(ann, "  https://example.org ", "json", everything)
	if hook.Url != "https://example.org" {
		t.Errorf("the address is %q", hook.Url)
	}
	path, change := "/webhooks/"+hook.UnderscoreId, map[string]any{"url": " https://unknown.invalid\n"}
	for range webhook.MaxUses - 1 {
		if a := b.do(ann, http.MethodPatch, path, change); a.Status != http.StatusOK {
			t.Fatalf("%d %s", a.Status, a.Raw)
		}
	}
	for _, refused := range []request{
		{http.MethodPost, path + "/test", nil}, {http.MethodPatch, path, change},
		{http.MethodPost, path + "/deliveries/" + newID() + "/send", nil}, {http.MethodPost, "/webhooks", newHook("", nil)},
	} {
		a := b.do(ann, refused.method, refused.path, refused.body)
		if a.Status != http.StatusTooManyRequests || a.Code != "webhook_too_often" || a.Header.Get("Retry-After") == "" {
			t.Errorf("%s %s: %d %s", refused.method, refused.path, a.Status, a.Raw)
		}
	}
	if a := b.do(ann, http.MethodPatch, path, map[string]any{"description": "mine"}); a.Status != http.StatusOK {
		t.Errorf("a change of something else: %d %s", a.Status, a.Raw)
	}
}

// A test CA lets receivers be on this machine, and is refused beside the address of a real site.
func TestRun_test_CA(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	b.cfg.Webhooks.TestCA = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, b.cfg.PublicURL.UnmarshalText([]byte("https://capzone.example")))
	if err := app.Run(t.Context(), b.cfg); err == nil || !strings.Contains(err.Error(), "WEBHOOK_TEST_CA") {
		t.Errorf("ended with %v", err)
	}
}

// Events that come soon one after the other are sent in the order of their facts.
func TestWebhooks_order(t *testing.T) {
	t.Parallel()
	b, receivers := withReceivers(t, 1)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", bob)
	b.newWebhook(ann, receivers[0].URL, "json", everything)
	const count = 20
	for i := range count {
		fact := submitted(m, bob)
		fact.FinishTime = int64(i)
		require.NoError(t, b.PublishFact(t.Context(), newID(), fact))
	}
	for i, got := range receivers[0].Await(t, count) {
		if !strings.Contains(got.Body, fmt.Sprintf(`"finishTime":%d,`, i)) {
			t.Errorf("message %d is %s", i, got.Body)
		}
	}
}

// A receiver that hangs does not delay others.
func TestWebhooks_hanging_receivers(t *testing.T) {
	t.Parallel()
	b, receivers := withReceivers(t, 2)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", bob)
	hangs, works := receivers[0], receivers[1]
	hangs.Hang(t)
	hook, _ := b.newWebhook(ann, hangs.URL, "json", everything)
	b.newWebhook(ann, works.URL, "json", everything)
	for range 5 {
		b.publishEvent(submitted(m, bob))
	}
	works.Await(t, 5)
	if got := servicetest.Data[httpapi.Webhook](t, b.get(ann, "/webhooks/"+hook.UnderscoreId)); got.Failures > 0 {
		t.Errorf("the others have waited for an attempt that hangs: %+v", got)
	}
}

// Discord gets embeds that name the map, and nothing while it wants to be asked later.
func TestWebhooks_Discord(t *testing.T) {
	t.Parallel()
	b, receivers := withReceivers(t, 1)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", bob)
	b.publish(bob, m)
	discord := receivers[0]
	refused := time.Now()
	discord.Answer(func(w http.ResponseWriter, _ *http.Request) {
		discord.Answer(receivertest.Status(http.StatusNoContent))
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"message":"You are being rate limited.","retry_after":1.5,"global":false}`)
	})
	hook, secret := b.newWebhook(ann, discord.URL+"/api/webhooks/1/token", "discord", everything)
	if secret != "" {
		t.Error("a webhook for Discord has a secret")
	}
	if a := b.do(ann, http.MethodPost, "/webhooks/"+hook.UnderscoreId+"/rotate", nil); a.Code != "webhook_without_secret" {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
	fact := submitted(m, bob)
	b.publishEvent(fact)
	got := discord.Await(t, 2)[1].Body
	if waited := time.Since(refused); waited < time.Second {
		t.Errorf("sent after %s", waited)
	}
	for _, want := range []string{
		`"title":"Personal best on Skyline Run"`, `"url":"http://capzone.example/record/` + fact.RecordID + `"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}

// Only the owner sees and changes a webhook.
func TestWebhooks_of_another_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	hook, _ := b.newWebhook(ann, "https://example.org", "json", everything)
	path := "/webhooks/" + hook.UnderscoreId
	for _, r := range webhookRequests(path, newID()) {
		for _, r := range []request{r, {r.method, strings.Replace(r.path, hook.UnderscoreId, "garbage", 1), r.body}} {
			if a := b.do(bob, r.method, r.path, r.body); a.Status != http.StatusNotFound || a.Code != "webhook_unknown" {
				t.Errorf("%s %s: %d %s", r.method, r.path, a.Status, a.Raw)
			}
		}
	}
	if list := servicetest.Data[[]httpapi.Webhook](t, b.get(bob, "/webhooks")); len(list) != 0 {
		t.Errorf("bob has %+v", list)
	}
	if got := servicetest.Data[httpapi.Webhook](t, b.get(ann, path)); got.Description != "mine" {
		t.Errorf("ann's webhook was changed: %+v", got)
	}
}

// webhookRequests are requests about a webhook under a path and one of its deliveries.
func webhookRequests(path, delivery string) []request {
	return []request{
		{http.MethodGet, path, nil},
		{http.MethodPatch, path, map[string]any{"description": "changed"}},
		{http.MethodPost, path + "/test", nil},
		{http.MethodPost, path + "/rotate", nil},
		{http.MethodGet, path + "/deliveries", nil},
		{http.MethodPost, path + "/deliveries/" + delivery + "/send", nil},
		{http.MethodDelete, path, nil},
	}
}

// newHook returns the body of a webhook with another value of a field.
func newHook(field string, value any) map[string]any {
	body := map[string]any{"url": "https://example.org", "format": "json", "filter": json.RawMessage(everything)}
	if field != "" {
		body[field] = value
	}
	return body
}

func TestWebhooks_refusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann := b.newPlayer("ann")
	m := b.newMap("Skyline Run", ann)
	filter := func(text string) json.RawMessage { return json.RawMessage(text) }
	for _, tt := range []struct {
		field  string
		value  any
		status int
		code   string
	}{
		{"url", "https://127.0.0.1:8443", 422, "webhook_url_refused"},
		{"format", "xml", 400, "webhook_malformed"},
		{"filter", filter(`{"types":[]}`), 400, "webhook_malformed"},
		{"filter", filter(`{"types":["record","points"]}`), 400, "webhook_malformed"},
		{"filter", filter(`{"types":["record"],"mode":"Chess"}`), 400, "webhook_malformed"},
		{"filter", filter(`{"types":["record"],"map":"` + newID() + `"}`), 404, "map_unknown"},
		{"filter", filter(`{"types":["record"],"player":"` + newID() + `"}`), 404, "player_unknown"},
		{"description", strings.Repeat("é", 101), 400, "webhook_malformed"},
		{"description", "a\x00", 400, "webhook_malformed"},
	} {
		a := b.do(ann, http.MethodPost, "/webhooks", newHook(tt.field, tt.value))
		if a.Status != tt.status || a.Code != tt.code {
			t.Errorf("%s %q: %d %s", tt.field, tt.value, a.Status, a.Raw)
		}
	}
	var filtered httpapi.Webhook
	for range 5 {
		filtered, _ = b.newWebhook(ann, "https://example.org", "json",
			`{"types":["worldRecord"],"map":"`+m.ID+`","player":"`+ann.ID+`","mode":"Death Arrows"}`)
	}
	if f := filtered.Filter; f.Map.Name != m.Name || f.Player.Name != ann.Name || *f.Mode != "Death Arrows" ||
		len(f.Types) != 1 || f.Types[0] != httpapi.SelectWorldRecord || filtered.Description != "mine" {
		t.Errorf("filter %+v", f)
	}
	if a := b.do(ann, http.MethodPost, "/webhooks", newHook("", nil)); a.Status != 422 ||
		a.Code != "webhooks_full" {
		t.Errorf("a sixth: %d %s", a.Status, a.Raw)
	}
	path := "/webhooks/" + filtered.UnderscoreId
	if a := b.do(ann, http.MethodPatch, path, map[string]any{"url": "https://10.0.0.1"}); a.Code != "webhook_url_refused" {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
	changed := servicetest.Data[httpapi.Webhook](t, b.do(ann, http.MethodPatch, path, map[string]any{
		"description": "changed", "filter": json.RawMessage(`{"types":["map"]}`),
	}))
	if changed.Description != "changed" || changed.Filter.Map != nil || changed.Filter.Types[0] != httpapi.SelectMap {
		t.Errorf("changed: %+v", changed)
	}
	if a := b.do(ann, http.MethodPost, path+"/deliveries/"+newID()+"/send", nil); a.Code != "delivery_unknown" {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
	if a := b.do(ann, http.MethodDelete, path, nil); a.Status != http.StatusNoContent {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
	if list := servicetest.Data[[]httpapi.Webhook](t, b.get(ann, "/webhooks")); len(list) != 4 {
		t.Errorf("%d webhooks are left", len(list))
	}
}

// The program docs/examples/receiver.mjs runs, and takes what is signed alone.
func TestWebhooks_example(t *testing.T) {
	t.Parallel()
	testdeps.Program(t, "node", "nodejs")
	b, receivers := withReceivers(t, 1)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", bob)
	_, secret := b.newWebhook(ann, receivers[0].URL, "json", everything)

	free, err := freeport.Pick()
	require.NoError(t, err)
	port := strconv.Itoa(free)
	program := exec.CommandContext(t.Context(), "node", filepath.Join(testdeps.Root(t), "docs/examples/receiver.mjs"))
	program.Env = append(os.Environ(), "SECRET="+secret, "PORT="+port)
	output, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	lines := bufio.NewScanner(output)
	next := func() string {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the program has ended: %v", lines.Err())
		}
		return lines.Text()
	}
	if got := next(); got != "ready" {
		t.Fatalf("the program has written %q", got)
	}
	target := &url.URL{Scheme: "http", Host: "127.0.0.1:" + port}
	receivers[0].Answer(httputil.NewSingleHostReverseProxy(target).ServeHTTP)
	if a := servicetest.Do(t, http.MethodPost, target.String(), strings.NewReader("{}"), "webhook-id", "1",
		"webhook-timestamp", strconv.FormatInt(time.Now().Unix(), 10), "webhook-signature", "v1,AAAA"); a.Status != 400 {
		t.Errorf("a wrong signature: %d", a.Status)
	}
	fact := submitted(m, bob)
	b.publishEvent(fact)
	if got, want := next(), fmt.Sprintf("record %s %d", fact.RecordID, fact.FinishTime); got != want {
		t.Errorf("the program has written %q, want %q", got, want)
	}
}
