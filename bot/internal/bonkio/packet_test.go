package bonkio

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	raw := func(texts ...string) []json.RawMessage {
		list := []json.RawMessage{}
		for _, text := range texts {
			list = append(list, json.RawMessage(text))
		}
		return list
	}
	cases := []struct {
		name, frame string
		want        packet
	}{
		{"greeting", `0{"pingInterval":25000}`, packet{kind: kindOpen, body: []byte(`{"pingInterval":25000}`)}},
		{"close", "1", packet{kind: kindClose}},
		{"ping", "2", packet{kind: kindPing}},
		{"pong", "3", packet{kind: kindPong}},
		{"pong with a text", "3probe", packet{kind: kindPong}},
		{"connection", "40", packet{kind: kindConnect}},
		{"disconnection", "41", packet{kind: kindDisconnect}},
		{"error", `44"no"`, packet{kind: kindError}},
		{"event", `42[20,3,"hello"]`, packet{kind: kindEvent, event: 20, args: raw("3", `"hello"`)}},
		{"event without arguments", `42[6]`, packet{kind: kindEvent, event: 6, args: raw()}},
		{"event with an acknowledgement id", `4217[6]`, packet{kind: kindEvent, event: 6, args: raw()}},
		{"acknowledgement", `430[{"id":0}]`, packet{kind: kindAck}},
		{"packet within a text", `42[20,3,"42[9,{\"banshortid\":0}]"]`,
			packet{kind: kindEvent, event: 20, args: raw("3", `"42[9,{\"banshortid\":0}]"`)}},
		{"string for the event", `42["4",1]`, packet{}},
		{"fraction for the event", `42[4.5,1]`, packet{}},
		{"event of another namespace", `42/admin,[4,1]`, packet{}},
		{"binary event", `451-[4,{"_placeholder":true,"num":0}]`, packet{}},
		{"upgrade", "5", packet{}},
		{"empty", "", packet{}},
		{"text", "hello", packet{}},
		{"message without a kind", "4", packet{}},
		{"message of an unknown kind", "49[1]", packet{}},
		{"event that is no list", `42{"4":1}`, packet{}},
		{"event of an empty list", `42[]`, packet{}},
		{"truncated event", `42[4,`, packet{}},
		{"two events in a frame", `42[4] 42[5]`, packet{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, "packet", c.want, parse([]byte(c.frame)), cmp.AllowUnexported(packet{}))
		})
	}
}

func TestFrameOf_round_trip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"hello", `42[9,{"banshortid":0}]`, `"]`, "\u2028\x00\n", "ジャンプ 🏁",
		strings.Repeat("x", 1000), "\\", "</script>"} {
		frame, err := frameOf("", sendChat, map[string]string{"message": text})
		require.NoError(t, err)
		p := parse(frame)
		if p.kind != kindEvent || p.event != sendChat || len(p.args) != 1 {
			t.Fatalf("%q became %+v", text, p)
		}
		var payload struct{ Message string }
		if err := json.Unmarshal(p.args[0], &payload); err != nil || payload.Message != text {
			t.Errorf("%q became %q, %v", text, payload.Message, err)
		}
	}
}

// FuzzParse parses random frames and reads their events.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`0{"sid":"a","pingInterval":25000,"pingTimeout":5000}`, "2", "40",
		`42[4,1,"peer","cloudstep",false,57,true,{"layers":[],"bc":9315498}]`,
		`42[12,1,"mossfoot"]`, `42[49,17,"abcdef"]`, `42[16,"room_full"]`, `42[5,1,100]`, `430[{"id":0}]`,
		`42[4,1,{},[],null,"x",1e99]`, `42/a,[1]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		p := parse(frame)
		if player, err := playerJoined(p.args); err == nil {
			if player.ID <= hostID || player.Level < 0 || len(player.Avatar) > MaxAvatar ||
				(player.Avatar != nil && !json.Valid(player.Avatar)) {
				t.Errorf("invalid player: %+v", player)
			}
		}
		if id, _, err := playerRenamed(p.args); err == nil && id <= hostID {
			t.Errorf("player %d was renamed", id)
		}
		if word := statusReason(p.args); !plainWords.MatchString(word) {
			t.Errorf("a reason %q", word)
		}
	})
}
