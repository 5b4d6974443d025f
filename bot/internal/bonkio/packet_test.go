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
		garbage     bool
	}{
		{"greeting", `0{"pingInterval":25000}`, packet{kind: kindOpen, body: []byte(`{"pingInterval":25000}`)}, false},
		{"close", "1", packet{kind: kindClose}, false},
		{"ping", "2", packet{kind: kindPing}, false},
		{"pong", "3", packet{kind: kindPong}, false},
		{"pong with a text", "3probe", packet{kind: kindPong}, false},
		{"connection", "40", packet{kind: kindConnect}, false},
		{"disconnection", "41", packet{kind: kindDisconnect}, false},
		{"error", `44"no"`, packet{kind: kindError}, false},
		{"event", `42[20,3,"hello"]`, packet{kind: kindEvent, event: 20, args: raw("3", `"hello"`)}, false},
		{"event without arguments", `42[6]`, packet{kind: kindEvent, event: 6, args: raw()}, false},
		{"event with an acknowledgement id", `4217[6]`, packet{kind: kindEvent, event: 6, args: raw()}, false},
		{"acknowledgement", `430[{"id":0}]`, packet{kind: kindAck, id: 0, args: raw(`{"id":0}`)}, false},
		{"packet within a text", `42[20,3,"42[9,{\"banshortid\":0}]"]`,
			packet{kind: kindEvent, event: 20, args: raw("3", `"42[9,{\"banshortid\":0}]"`)}, false},
		{"string for the event", `42["4",1]`, packet{}, false},
		{"fraction for the event", `42[4.5,1]`, packet{}, false},
		{"event of another namespace", `42/admin,[4,1]`, packet{}, false},
		{"binary event", `451-[4,{"_placeholder":true,"num":0}]`, packet{}, false},
		{"upgrade", "5", packet{}, false},
		{"empty", "", packet{}, true},
		{"text", "hello", packet{}, true},
		{"message without a kind", "4", packet{}, true},
		{"message of an unknown kind", "49[1]", packet{}, true},
		{"event that is no list", `42{"4":1}`, packet{}, true},
		{"event of an empty list", `42[]`, packet{}, true},
		{"truncated event", `42[4,`, packet{}, true},
		{"two events in a frame", `42[4] 42[5]`, packet{}, true},
		{"acknowledgement without an id", `43[1]`, packet{}, true},
		{"acknowledgement with too large an id", `43` + strings.Repeat("9", 40) + `[1]`, packet{}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := parse([]byte(c.frame))
			if (err != nil) != c.garbage {
				t.Fatalf("error %v", err)
			}
			assert.Equal(t, "packet", c.want, got, cmp.AllowUnexported(packet{}))
		})
	}
}

func TestFrameOf_round_trip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"hello", `42[9,{"banshortid":0}]`, `"]`, "\u2028\x00\n", "ジャンプ 🏁",
		strings.Repeat("x", 1000), "\\", "</script>"} {
		frame, err := frameOf(sendChat, map[string]string{"message": text})
		require.NoError(t, err)
		p, err := parse(frame)
		if err != nil || p.kind != kindEvent || p.event != sendChat || len(p.args) != 1 {
			t.Fatalf("%q became %+v, %v", text, p, err)
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
		p, err := parse(frame)
		if err != nil {
			if diff := cmp.Diff(packet{}, p, cmp.AllowUnexported(packet{})); diff != "" {
				t.Errorf("parse returned %+v with an error", p)
			}
			return
		}
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
