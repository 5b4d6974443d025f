package bonkio

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"a player", join(`"cloudstep"`, "false", "57", string(skin)), cloudstep},
		{"a guest", join(`"cloudstep"`, "true", "0", string(skin)), but(func(p *Player) { p.Guest, p.Level = true, 0 })},
		{"a name like a packet", join(`"42[9,{\"banshortid\":0}]"`, "false", "57", string(skin)),
			but(func(p *Player) { p.Name = `42[9,{"banshortid":0}]` })},
		{"a name of other letters", join(`"Żółw \u3042 🏁"`, "false", "57", string(skin)),
			but(func(p *Player) { p.Name = "Żółw あ 🏁" })},
		{"no word on being a guest is a guest", join(`"cloudstep"`, "null", "57", string(skin)),
			but(func(p *Player) { p.Guest = true })},
		{"a number for not being a guest is a guest", join(`"cloudstep"`, "0", "57", string(skin)),
			but(func(p *Player) { p.Guest = true })},
		{"a word for not being a guest is a guest", join(`"cloudstep"`, `"false"`, "57", string(skin)),
			but(func(p *Player) { p.Guest = true })},
		{"a level with a fraction", join(`"cloudstep"`, "false", "57.9", string(skin)), cloudstep},
		{"a level below zero is none", join(`"cloudstep"`, "false", "-3", string(skin)),
			but(func(p *Player) { p.Level = 0 })},
		{"an endless level is none", join(`"cloudstep"`, "false", "1e300", string(skin)),
			but(func(p *Player) { p.Level = 0 })},
		{"a level in words is none", join(`"cloudstep"`, "false", `"57"`, string(skin)),
			but(func(p *Player) { p.Level = 0 })},
		{"a list for an avatar is none", join(`"cloudstep"`, "false", "57", "[1]"), but(func(p *Player) { p.Avatar = nil })},
		{"no avatar", join(`"cloudstep"`, "false", "57", "null"), but(func(p *Player) { p.Avatar = nil })},
		{"a huge avatar is none", join(`"cloudstep"`, "false", "57", `{"layers":"`+strings.Repeat("x", MaxAvatar)+`"}`),
			but(func(p *Player) { p.Avatar = nil })},
		{"a short join", `1,"peer","cloudstep",false`, Player{ID: 1, Name: "cloudstep"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := playerJoined(list(t, c.args))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("player (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlayerJoined_invalid(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]string{
		"nobody":              ``,
		"a number alone":      `1`,
		"the host again":      `0,"peer","cloudstep",false,57,true,{}`,
		"a negative number":   `-1,"peer","cloudstep",false,57,true,{}`,
		"a word for a number": `"1","peer","cloudstep",false,57,true,{}`,
		"a list for a name":   `1,"peer",["cloudstep"],false,57,true,{}`,
		"no name":             `1,"peer",null,false,57,true,{}`,
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
	list, err := parseList([]byte("[" + args + "]"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestIsLimit(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]bool{
		"chat_rate_limit": true, "rate_limit": true, "join_rate_limited": true, "ratelimited": true, "rate_limit_abuse": true,
		"too many rooms": true, "too_many_rooms": true,
		"banned": false, "room_full": false, "invalid_params": false, "password_wrong": false,
	} {
		if got := isLimit(reason); got != want {
			t.Errorf("%s: %t", reason, got)
		}
	}
}
