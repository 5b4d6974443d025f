package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Hide implements record.ModerationStore.
func (s *Store) Hide(ctx context.Context, playerID string, by access.Attribution) error {
	err := s.setHidden(ctx, playerID, true, func(tx pgx.Tx, changed []event.MapWorldRecord) error {
		if err := appendHiddenAudit(ctx, tx, playerID, true, audit.Entry{By: by, Action: access.HidePlayer}); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, event.RecordsHidden{
			PlayerID: playerID, WorldRecords: changed, Reason: string(by.Reason), DecisionID: by.DecisionID, At: now(),
		})
	})
	if errors.Is(err, errHiddenUnchanged) {
		return record.ErrAlreadyHidden
	}
	return err
}

// Show implements record.ModerationStore.
func (s *Store) Show(ctx context.Context, playerID string, by access.Attribution) error {
	err := s.setHidden(ctx, playerID, false, func(tx pgx.Tx, changed []event.MapWorldRecord) error {
		if err := appendHiddenAudit(ctx, tx, playerID, false, audit.Entry{By: by, Action: access.ShowPlayer}); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, event.RecordsShown{
			PlayerID: playerID, WorldRecords: changed, Reason: string(by.Reason), DecisionID: by.DecisionID, At: now(),
		})
	})
	if errors.Is(err, errHiddenUnchanged) {
		return record.ErrNotHidden
	}
	return err
}

// appendHiddenAudit appends an entry of the audit log, whose target and values it sets.
func appendHiddenAudit(ctx context.Context, tx pgx.Tx, playerID string, hidden bool, entry audit.Entry) error {
	entry.Target = playerID
	entry.Before, entry.After = map[string]any{"hidden": !hidden}, map[string]any{"hidden": hidden}
	return audit.Append(ctx, tx, entry)
}

var (
	// errHiddenUnchanged is returned for a player who is hidden, or not, as wanted.
	errHiddenUnchanged = errors.New("the player's records are hidden or shown already")
	// errNewMap is returned where the player has got the first record on another map meanwhile.
	errNewMap = errors.New("the player has a record on another map")
)

// maxHideAttempts bounds the attempts to lock all maps of a player.
const maxHideAttempts = 5

// setHidden hides or shows the records of a player on all maps, and calls done, in one transaction. done gets the world
// records of others that are in force again, or that the player has broken again, as in event.RecordsHidden. setHidden
// returns errHiddenUnchanged or event.ErrPlayerMerged.
func (s *Store) setHidden(
	ctx context.Context, playerID string, hidden bool, done func(tx pgx.Tx, changed []event.MapWorldRecord) error,
) (err error) {
	for range maxHideAttempts {
		err = s.db.InTx(ctx, func(tx pgx.Tx) error {
			changed, err := setHidden(ctx, tx, playerID, hidden)
			if err != nil {
				return err
			}
			return done(tx, changed)
		})
		if !errors.Is(err, errNewMap) {
			break
		}
	}
	return err
}

const (
	insertPlayerTotalSQL = `
		insert into player_totals (player_id, version, records) values (@player, 0, 0) on conflict do nothing`
	setHiddenSQL = `
		update player_totals set hidden = @hidden where player_id = @player and hidden <> @hidden`
	isHiddenSQL     = `select coalesce((select hidden from player_totals where player_id = $1), false)`
	forgetHiddenSQL = `update player_totals set hidden = false where player_id = $1 and hidden`
)

// setHidden locks the maps of a player before the player's total, as submissions do. The lock of the total then keeps
// the player from submitting: what was submitted on another map meanwhile is seen after it.
func setHidden(ctx context.Context, tx pgx.Tx, playerID string, hidden bool) ([]event.MapWorldRecord, error) {
	maps, err := postgres.Collect(ctx, tx, pgx.RowTo[string], mapsPlayedSQL, playerID)
	if err != nil {
		return nil, fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	if err := lockMaps(ctx, tx, maps...); err != nil {
		return nil, err
	}
	into, err := mergedInto(ctx, tx, playerID)
	if err != nil {
		return nil, err
	}
	if into != playerID {
		return nil, event.ErrPlayerMerged
	}
	args := pgx.NamedArgs{"player": playerID, "hidden": hidden}
	if _, err := tx.Exec(ctx, insertPlayerTotalSQL, args); err != nil {
		return nil, fmt.Errorf("total of player %s: %w", playerID, err)
	}
	tag, err := tx.Exec(ctx, setHiddenSQL, args)
	if err != nil {
		return nil, fmt.Errorf("hide player %s: %w", playerID, err)
	}
	if tag.RowsAffected() == 0 {
		return nil, errHiddenUnchanged
	}
	locked := maps
	if maps, err = postgres.Collect(ctx, tx, pgx.RowTo[string], mapsPlayedSQL, playerID); err != nil {
		return nil, fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	if !slices.Equal(maps, locked) {
		return nil, errNewMap
	}
	before, err := currentWorldRecords(ctx, tx, maps)
	if err != nil {
		return nil, err
	}
	if err := recount(ctx, tx, maps, []string{playerID}); err != nil {
		return nil, err
	}
	after, err := currentWorldRecords(ctx, tx, maps)
	if err != nil {
		return nil, err
	}
	if hidden {
		return worldRecordsThatDiffer(after, before), nil
	}
	return worldRecordsThatDiffer(before, after), nil
}

// mergedHiddenReason is why records become hidden by a merge of two players of whom one is hidden.
const mergedHiddenReason = "two players were merged, and the records of one of them are hidden"

// hideSuccessor hides the player whom a hidden player was merged into.
func (s *Store) hideSuccessor(ctx context.Context, from string) error {
	var into string
	var hidden bool
	err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if into, err = mergedInto(ctx, tx, from); err != nil {
			return err
		}
		return tx.QueryRow(ctx, isHiddenSQL, from).Scan(&hidden)
	})
	if err != nil || !hidden || into == from {
		return err
	}
	err = s.setHidden(ctx, into, true, func(tx pgx.Tx, changed []event.MapWorldRecord) error {
		return outbox.Append(ctx, tx, event.RecordsHidden{
			PlayerID: into, WorldRecords: changed, Reason: mergedHiddenReason, At: now(),
		})
	})
	if errors.Is(err, errHiddenUnchanged) {
		return nil
	}
	return err
}
