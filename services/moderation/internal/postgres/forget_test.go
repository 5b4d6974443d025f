package postgres_test

import (
	"errors"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
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
			f := setup(t)
			own := f.report(anna, record(1, cloe), minute(0))
			f.report(ben, record(1, cloe), minute(1))
			warning := f.warn(cloe, record(3, anna), 2)
			appeal := f.appeal(warning.ID, 4)
			steps(f)
			want := []string{"", "It is strange.", "It is strange."}
			got := f.texts("select text from reports order by created_at")
			require.Equal(t, "reports", want, got)
			// What is written afterwards is not stored either.
			if _, err := f.tryReport(anna, record(2, cloe), minute(5)); !errors.Is(err, access.ErrDeleted) {
				t.Errorf("another report: %v, want %v", err, access.ErrDeleted)
			}
			message := moderation.AppealMessage{ID: f.newID(), Text: "Here it is.", At: minute(6)}
			if _, err := f.AddAppealMessage(t.Context(), by(anna), appeal, message); !errors.Is(err, access.ErrDeleted) {
				t.Errorf("another message: %v, want %v", err, access.ErrDeleted)
			}
			answer := moderation.AppealMessage{ID: f.newID(), FromModerator: true, Text: "We have seen it.", At: minute(7)}
			require.NoError(t, f.AnswerAppeal(t.Context(), by(mod), appeal, moderation.AppealKept, answer))
			require.Equal(t, "appeals", []string{"", ""}, f.texts("select text from appeal_messages"))
			if file, err := f.CaseFile(t.Context(), own); err != nil || len(file.Reported) != 2 {
				t.Errorf("the case has %+v, %v", file.Reported, err)
			}
		})
	}
}

// A player who is deleted while a change waits for that changes nothing. One who is merged does so as the player merged
// into.
func TestStore_writers_meanwhile_deleted_or_merged(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(f *fixture) (write func() error){
		"a report": func(f *fixture) func() error {
			return func() error {
				_, err := f.tryReport(mod, record(1, anna), minute(0))
				return err
			}
		},
		"a claim": func(f *fixture) func() error {
			caseID := f.report(ben, record(1, anna), minute(0))
			return func() error {
				_, err := f.Claim(t.Context(), by(mod), caseID, false, "", minute(1))
				return err
			}
		},
		"a decision": func(f *fixture) func() error {
			d := f.decision(moderation.Warn, player(anna), "", mod, 0)
			return func() error {
				_, err := f.tryDecide(d)
				return err
			}
		},
		"an undoing": func(f *fixture) func() error {
			undo := f.undoOf(f.warn(ben, record(1, anna), 0))
			return func() error {
				_, err := f.Undo(t.Context(), newDecision(undo))
				return err
			}
		},
		"an appeal": func(f *fixture) func() error {
			appeal := f.newAppeal(f.warn(ben, record(1, mod), 0).ID, 2)
			return func() error {
				_, err := f.AddAppeal(t.Context(), by(mod), appeal)
				return err
			}
		},
		"an answer": func(f *fixture) func() error {
			appealID := f.appeal(f.warn(ben, record(1, anna), 0).ID, 2)
			answer := moderation.AppealMessage{ID: f.newID(), FromModerator: true, Text: "It is so.", At: minute(3)}
			return func() error { return f.AnswerAppeal(t.Context(), by(mod), appealID, moderation.AppealKept, answer) }
		},
	} {
		for _, state := range []moderation.Player{
			{ID: mod, Version: 3, Name: "deleted player 3f2a", Deleted: true},
			{ID: mod, Version: 3, Removed: true, MergedInto: emil},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := setup(t)
				write := prepare(f)
				pgtest.Exec(t, f.pool, "delete from audit")
				applying, err := f.pool.Begin(t.Context())
				require.NoError(t, err)
				require.NoError(t, f.In(applying).ApplyPlayer(t.Context(), state))
				written := make(chan error)
				go func() { written <- write() }()
				eventually.WaitFor(t, "the change to wait", func() bool { return pgtest.Waiting(t, f.pool) > 0 })
				require.NoError(t, applying.Commit(t.Context()))
				var want []string
				if err = <-written; state.Deleted {
					if !errors.Is(err, access.ErrDeleted) {
						t.Errorf("by who is deleted: %v, want %v", err, access.ErrDeleted)
					}
				} else {
					require.NoError(t, err)
					want = []string{emil}
				}
				require.Equal(t, "actors in the audit log", want, f.texts("select actor as text from audit"))
			})
		}
	}
}
