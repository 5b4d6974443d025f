package postgres_test

import (
	"errors"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/moderation"
)

// The texts of a player whose account was deleted go, and that there was a report and an appeal stays.
func TestStore_ApplyPlayer_deleted(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string]func(f *fixture){
		"at once": func(f *fixture) {
			f.apply(moderation.Player{ID: anna, Version: 3, Name: "deleted player 3f2a", Deleted: true})
		},
		"before a merge into the player": func(f *fixture) {
			f.apply(moderation.Player{ID: emil, Version: 3, Name: "deleted player 3f2a", Deleted: true})
			f.merge(anna, emil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			own := f.report(anna, record(1, cloe), minute(0))
			f.report(ben, record(1, cloe), minute(1))
			warning := f.warn(cloe, record(3, anna), 2)
			appeal := f.appeal(warning.ID, 4, "I have a video.")
			steps(f)
			want := []string{"", "It is strange.", "It is strange."}
			got := f.texts("select text from reports order by created_at")
			require.Equal(t, "reports", want, got)
			// What is written afterwards is not stored either.
			if _, err := f.tryReport(anna, record(2, cloe), minute(5)); !errors.Is(err, event.ErrPlayerDeleted) {
				t.Errorf("another report: %v, want %v", err, event.ErrPlayerDeleted)
			}
			message := moderation.AppealMessage{ID: f.newID(), Text: "Here it is.", At: minute(6)}
			if _, err := f.AddAppealMessage(t.Context(), appeal, message); err != nil {
				t.Error(err)
			}
			answer := moderation.AppealMessage{ID: f.newID(), FromModerator: true, Text: "We have seen it.", At: minute(7)}
			require.NoError(t, f.AnswerAppeal(t.Context(), appeal, answer, moderation.OutcomeKept, by(mod)))
			require.Equal(t, "appeals", []string{"", "", ""}, f.texts("select text from appeal_messages"))
			if file, err := f.CaseFile(t.Context(), own); err != nil || len(file.Reported) != 2 {
				t.Errorf("the case has %+v, %v", file.Reported, err)
			}
		})
	}
}
