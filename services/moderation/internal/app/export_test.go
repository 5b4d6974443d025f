package app_test

import (
	"strings"
	"testing"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// The file of a moderator has what the moderator has decided and changed, without the names of others.
func TestExport_of_a_moderator(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mod, other, ann := b.moderator("mod"), b.moderator("other"), b.newPlayer("ann")
	for _, by := range []event.PlayerState{mod, other} {
		b.decideAbout(by, ann.ID, map[string]any{
			"kind": "warn", "publicReason": "other", "text": "A warning by " + by.Name + ".",
		})
	}
	b.tell(event.AuditWritten{
		Attribution: access.Attribution{
			Actor: access.Actor{Kind: access.KindPlayer, ID: mod.ID, Name: mod.Name}, Reason: "Spam.",
		},
		Action: access.RemoveMap, TargetID: newID(), Before: []byte(`{"name": "ann"}`), After: []byte(`{}`),
	})
	b.awaitAudit(mod, "actor="+mod.ID, 2)
	things := servicetest.Export(t, b.URL, b.keys.Token(mod))
	made, changes := strings.Join(things["decisionMade"], "\n"), strings.Join(things["loggedChange"], "\n")
	if len(things["decisionMade"]) != 1 || !strings.Contains(made, "A warning by mod.") {
		t.Errorf("decisions: %s", made)
	}
	if !strings.Contains(changes, `"remove map"`) || !strings.Contains(changes, `"decide"`) ||
		strings.Contains(changes, `"ann"`) {
		t.Errorf("changes: %s", changes)
	}
}
