package siege_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/httpget"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

// addPlayersSQL adds registered players, because the rooms of a deployment would take hours for as many logins.
const addPlayersSQL = `
	with added as (
		insert into players (id, version, name, name_key, level, registered, created_at, updated_at, search_key)
		select format('01970000-0000-7002-8000-%s', lpad(to_hex(n), 12, '0'))::uuid, 1, 'preview ' || n, 'preview' || n,
		       1, true, now(), now(), 'preview' || n
		from generate_series(0, @count - 1) n
		returning id
	)
	insert into player_totals (player_id, maps, records, records_version)
	select id, 0, 0, 1 from added
	on conflict do nothing`

func addPlayers(t *testing.T, count int) {
	t.Helper()
	_, err := database(t, "players").Exec(t.Context(), addPlayersSQL, pgx.NamedArgs{"count": count})
	require.NoError(t, err)
}

func playerPath(n int) string { return fmt.Sprintf("/players/01970000-0000-7002-8000-%012x", n) }

// previewAnswers are the answers to requests for previews.
type previewAnswers struct {
	mu       sync.Mutex
	statuses map[int]int
	slowest  map[int]time.Duration // by status
}

// ask asks for the preview of a player. Only a picture and a refusal that names the time of the next try are right.
func (a *previewAnswers) ask(t *testing.T, address string, player int) {
	t.Helper()
	attacker, began := system.Site.From(address).Visitor(), time.Now()
	answer, err := attacker.Send(t.Context(), site.Request{Path: playerPath(player) + "/preview.png"})
	took := time.Since(began)
	if err != nil {
		t.Errorf("the preview of player %d: %v after %s", player, err, took)
		return
	}
	switch answer.Status {
	case http.StatusOK:
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		if answer.Header.Get("Retry-After") == "" {
			t.Errorf("a refused preview without Retry-After: %d %s", answer.Status, answer.Body)
		}
	default:
		t.Errorf("the preview of player %d: %d %s", player, answer.Status, answer.Body)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.statuses[answer.Status]++
	a.slowest[answer.Status] = max(a.slowest[answer.Status], took)
}

// replicaMetric matches what changes where the gateway takes a replica for failed.
var replicaMetric = regexp.MustCompile(`(?m)^gateway_(replica_up|retries_total|unanswered_total)\{.*$`)

// replicas returns what the gateway's metrics say about replicas.
func replicas(t *testing.T) string {
	t.Helper()
	for _, p := range system.Processes {
		if p.Kind != "gateway" {
			continue
		}
		metrics, err := httpget.Body(t.Context(), p.Ops+"/metrics")
		require.NoError(t, err)
		return strings.Join(replicaMetric.FindAllString(metrics, -1), "\n")
	}
	t.Fatal("the stack has no gateway")
	return ""
}

func TestPreviews_in_masses(t *testing.T) {
	const perAddress = 150
	addPlayers(t, perAddress*9)
	for i, addresses := range [][]string{newAddresses(1), newAddresses(8)} {
		t.Run(fmt.Sprintf("from %d addresses", len(addresses)), func(t *testing.T) {
			before := replicas(t)
			answers := previewAnswers{statuses: map[int]int{}, slowest: map[int]time.Duration{}}
			visitor := newVisitor()
			readWhile(t, patience, func(context.Context) {
				var group sync.WaitGroup
				for a, address := range addresses {
					for n := range perAddress {
						group.Go(func() { answers.ask(t, address, (i+a)*perAddress+n) })
					}
				}
				for n := range 20 { // of the same service, and not in the cache
					answer, err := visitor.Send(t.Context(), site.Request{Path: playerPath(i*8*perAddress + n)})
					if err != nil || answer.Status != http.StatusOK {
						t.Errorf("a visitor's page of a player: %d, %v", answer.Status, err)
					}
				}
				group.Wait()
			})
			t.Logf("%d requests are answered %v, the slowest of each %v", perAddress*len(addresses), answers.statuses,
				answers.slowest)
			if answers.statuses[http.StatusOK] == 0 || answers.statuses[http.StatusServiceUnavailable] == 0 {
				t.Errorf("the answers are %v, want pictures and refusals", answers.statuses)
			}
			if after := replicas(t); after != before {
				t.Errorf("the gateway takes replicas for failed:\n%s\nbefore:\n%s", after, before)
			}
			if status := get(t, visitor, playerPath(i)+"/preview.png"); status != http.StatusOK {
				t.Errorf("a preview afterwards: %d", status)
			}
		})
	}
}
