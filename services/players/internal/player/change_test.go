package player_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/services/players/internal/player"
)

func TestChange_Next(t *testing.T) {
	t.Parallel()
	before := player.Player{ID: "p", Version: 3, Name: "cloudstep", UpdatedAt: noon}
	later := noon.Add(time.Hour)
	for _, tt := range []struct {
		name   string
		before player.Player
		change func(p *player.Player)
		want   func(p *player.Player)
	}{
		{"nothing", before, func(*player.Player) {}, nil},
		{"a new placeholder", player.Player{ID: "p", UpdatedAt: noon}, func(*player.Player) {}, func(*player.Player) {}},
		{"a level", before, func(p *player.Player) { p.Level = 7 }, func(p *player.Player) { p.UpdatedAt = later }},
		// The profile shows no ban.
		{"a ban", before, func(p *player.Player) { p.Banned, p.Ban.Reason = true, "x" }, func(*player.Player) {}},
	} {
		p := tt.before
		tt.change(&p)
		got, changes := player.Change{Player: p}.Next(tt.before, later)
		want := tt.before
		if tt.want != nil {
			want = p
			want.Version++
			tt.want(&want)
		}
		assert.Equal(t, tt.name, want, got)
		if changes != (tt.want != nil) {
			t.Errorf("%s changes something: %v", tt.name, changes)
		}
	}

	changed := before
	changed.Level = 7
	got, _ := player.Change{Player: changed}.Next(before, noon.Add(-time.Second))
	assert.Equal(t, "time of a change that has waited for another", noon.Add(time.Millisecond), got.UpdatedAt)
}
