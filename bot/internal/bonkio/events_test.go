package bonkio

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
)

func TestPlayerJoined(t *testing.T) {
	t.Parallel()
	skin := json.RawMessage(`{"layers":[{"id":3,"scale":0.5}],"bc":9315498}`)
	cloudstep := Player{ID: 1, Name: "cloudstep", Level: 57, Avatar: skin}
	but := func(change func(p *Player)) Player {
		p := cloudstep
		change(&p)
		return p
	}
	join := func(name, guest, level, avatar string) string {
		return `1,"peer",` + name + `,` + guest + `,` + level + `,true,` + avatar
	}
	cases := []struct {
		name, args string
		want       Player
	}{
		{"player", join(`"cloudstep"`, "false", "57", string(skin)), cloudstep},
		{"guest", join(`"cloudstep"`, "true", "0", string(skin)), but(func(p *Player) { p.Guest, p.Level = true, 0 })},
		{"name like a packet", join(`"42[9,{\"banshortid\":0}]"`, "false", "57", string(skin)),
			but(func(p *Player) { p.Name = `42[9,{"banshortid":0}]` })},
		{"name of other letters", join(`"Żółw \u3042 🏁"`, "false", "57", string(skin)),
			but(func(p *Player) { p.Name = "Żółw あ 🏁" })},
		{"null for guest", join(`"cloudstep"`, "null", "57", string(skin)),
			but(func(p *Player) { p.Guest = true })},
		{"number for guest", join(`"cloudstep"`, "0", "57", string(skin)),
			but(func(p *Player) { p.Guest = true })},
		{"string for guest", join(`"cloudstep"`, `"false"`, "57", string(skin)),
			but(func(p *Player) { p.Guest = true })},
		{"level with a fraction", join(`"cloudstep"`, "false", "57.9", string(skin)), cloudstep},
		{"level below zero", join(`"cloudstep"`, "false", "-3", string(skin)),
			but(func(p *Player) { p.Level = 0 })},
		{"level of 1e300", join(`"cloudstep"`, "false", "1e300", string(skin)),
			but(func(p *Player) { p.Level = 0 })},
		{"string for level", join(`"cloudstep"`, "false", `"57"`, string(skin)),
			but(func(p *Player) { p.Level = 0 })},
		{"list for avatar", join(`"cloudstep"`, "false", "57", "[1]"), but(func(p *Player) { p.Avatar = nil })},
		{"no avatar", join(`"cloudstep"`, "false", "57", "null"), but(func(p *Player) { p.Avatar = nil })},
		{"avatar above 16 KiB", join(`"cloudstep"`, "false", "57", `{"layers":"`+strings.Repeat("x", MaxAvatar)+`"}`),
			but(func(p *Player) { p.Avatar = nil })},
		{"join without level and avatar", `1,"peer","cloudstep",false`, Player{ID: 1, Name: "cloudstep"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := playerJoined(list(t, c.args))
			require.NoError(t, err)
			assert.Equal(t, "player", c.want, got)
		})
	}
}

func TestPlayerJoined_invalid(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]string{
		"no arguments":          ``,
		"a number alone":        `1`,
		"the host's number":     `0,"peer","cloudstep",false,57,true,{}`,
		"a negative number":     `-1,"peer","cloudstep",false,57,true,{}`,
		"string for the number": `"1","peer","cloudstep",false,57,true,{}`,
		"list for the name":     `1,"peer",["cloudstep"],false,57,true,{}`,
		"no name":               `1,"peer",null,false,57,true,{}`,
	} {
		if p, err := playerJoined(list(t, args)); !errors.Is(err, errNotUnderstood) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestStatusReason(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		`"room_full"`: "room_full", ``: "unknown", `{}`: "unknown", `"a\nb"`: "unknown", `"` + strings.Repeat("x",
			61) + `"`: "unknown",
	} {
		if got := statusReason(list(t, args)); got != want {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
}

func list(t *testing.T, args string) []json.RawMessage {
	t.Helper()
	var list []json.RawMessage
	require.NoError(t, json.Unmarshal([]byte("["+args+"]"), &list))
	return list
}

func TestIsLimit(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]bool{
		"chat_rate_limit": true, "rate_limit": true, "join_rate_limited": true, "ratelimited": true,
		"rate_limit_abuse": true,
		"too many rooms":   true, "too_many_rooms": true,
		"banned": false, "room_full": false, "invalid_params": false, "password_wrong": false,
	} {
		if got := isLimit(reason); got != want {
			t.Errorf("%s: %t", reason, got)
		}
	}
}
