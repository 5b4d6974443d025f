package natsapi

import (
	"os"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
)

func TestContract_is_documented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/bot.md")
	require.NoError(t, err)
	document := string(text)
	for _, subject := range []string{
		event.RoomOpenSubject, event.RoomWaitSubject, event.RoomSaySubject("<bot>"), event.RoomStateSubject("<bot>"),
		event.RoomCloseSubject("<bot>"), event.RoomEventSubject("<room>"),
	} {
		if !strings.Contains(document, "| `"+subject+"` |") {
			t.Errorf("the table of subjects has no %s", subject)
		}
	}
	for _, kind := range []event.RoomReportKind{event.RoomJoined, event.RoomLeft, event.RoomRenamed, event.RoomClosed,
		event.RoomLost, event.RoomTaken, event.RoomQueued, event.RoomReady} {
		if !strings.Contains(document, "| `"+string(kind)+"` |") {
			t.Errorf("the table of reports has no %s", kind)
		}
	}
	for _, word := range []string{"`" + event.RoomOpenQueue + "`", "`" + event.RoomsStream.Name + "`",
		"`Nats-Msg-Id: <room>.<number>`"} {
		if !strings.Contains(document, word) {
			t.Errorf("%s is not in the document", word)
		}
	}
}
