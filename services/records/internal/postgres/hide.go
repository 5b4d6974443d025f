package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// appendHidden appends the audit and the fact of a player whose records became hidden or are shown again.
func appendHidden(
	ctx context.Context, tx pgx.Tx, playerID string, by access.Attribution, action access.Action,
	changed []event.MapWorldRecord,
) error {
	isHidden := action == access.HidePlayer
	err := audit.Append(ctx, tx, access.Entry{
		By: by, Action: action, Target: playerID,
		Before: map[string]any{"hidden": !isHidden}, After: map[string]any{"hidden": isHidden},
	})
	if err != nil {
		return err
	}
	fact := event.RecordsHidden{
		PlayerID: playerID, WorldRecords: changed, Reason: string(by.Reason), DecisionID: by.DecisionID, At: postgres.Now(),
	}
	if !isHidden {
		return outbox.Append(ctx, tx, event.RecordsShown(fact))
	}
	return outbox.Append(ctx, tx, fact)
}

// errNewMap is returned where the player has got the first record on another map meanwhile.
var errNewMap = errors.New("the player has a record on another map")

// maxHideAttempts bounds the attempts to lock all maps of a player.
const maxHideAttempts = 5

// ModeratePlayer implements record.ModerationStore. It changes the records on all maps in one transaction.
func (s *Store) ModeratePlayer(
	ctx context.Context, by access.Attribution, action access.Action, playerID string,
) (err error) {
	for range maxHideAttempts {
		err = s.db.InTx(ctx, func(tx pgx.Tx) error {
			current, err := copies.LockCurrent(ctx, tx, playerID)
			if err != nil {
				return err
			}
			changed, err := setHidden(ctx, tx, action, current)
			if err != nil {
				return err
			}
			return appendHidden(ctx, tx, current, by, action, changed)
		})
		if !errors.Is(err, errNewMap) {
			break
		}
	}
	return err
}

const (
	setHiddenSQL    = `update player_totals set hidden = @hidden where player_id = @player`
	isHiddenSQL     = `select coalesce((select hidden from player_totals where player_id = $1), false)`
	forgetHiddenSQL = `update player_totals set hidden = false where player_id = $1 and hidden`
)

// setHidden locks the maps of a player before the player's total, as submissions do. The lock of the total then keeps
// the player from submitting: what was submitted on another map meanwhile is seen after it. It returns the world
// records of others that are in force again, or that the player has broken again, as in event.RecordsHidden.
func setHidden(
	ctx context.Context, tx pgx.Tx, action access.Action, playerID string,
) ([]event.MapWorldRecord, error) {
	maps, err := postgres.Collect(ctx, tx, pgx.RowTo[string], mapsPlayedSQL, playerID)
	if err != nil {
		return nil, fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	if err := lockMaps(ctx, tx, maps...); err != nil {
		return nil, err
	}
	var before record.Hiding
	args := pgx.NamedArgs{"player": playerID}
	if err := tx.QueryRow(ctx, lockPlayerTotalSQL, args).Scan(&before.Hidden); err != nil {
		return nil, fmt.Errorf("total of player %s: %w", playerID, err)
	}
	after, err := before.Moderate(action)
	if err != nil {
		return nil, err
	}
	args["hidden"] = after.Hidden
	if _, err := tx.Exec(ctx, setHiddenSQL, args); err != nil {
		return nil, fmt.Errorf("hide or show player %s: %w", playerID, err)
	}
	locked := maps
	if maps, err = postgres.Collect(ctx, tx, pgx.RowTo[string], mapsPlayedSQL, playerID); err != nil {
		return nil, fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	if !slices.Equal(maps, locked) {
		return nil, errNewMap
	}
	worldRecordsBefore, err := currentWorldRecords(ctx, tx, maps)
	if err != nil {
		return nil, err
	}
	if err := recount(ctx, tx, maps, []string{playerID}); err != nil {
		return nil, err
	}
	worldRecords, err := currentWorldRecords(ctx, tx, maps)
	if err != nil {
		return nil, err
	}
	if after.Hidden {
		return worldRecordsThatDiffer(worldRecords, worldRecordsBefore), nil
	}
	return worldRecordsThatDiffer(worldRecordsBefore, worldRecords), nil
}

// hiddenByMerge attributes what becomes hidden by a merge of two players of whom one is hidden.
var hiddenByMerge = access.Attribution{
	Actor: access.System(record.Service), Reason: "two players were merged, and the records of one of them are hidden",
}

// hideSuccessor hides the player whom a hidden player was merged into.
func (s *Store) hideSuccessor(ctx context.Context, from string) error {
	var into string
	var hidden bool
	err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if into, err = copies.LockCurrent(ctx, tx, from); err != nil {
			return err
		}
		return tx.QueryRow(ctx, isHiddenSQL, from).Scan(&hidden)
	})
	if err != nil || !hidden || into == from {
		return err
	}
	err = s.ModeratePlayer(ctx, hiddenByMerge, access.HidePlayer, into)
	if errors.Is(err, record.ErrAlreadyHidden) {
		return nil
	}
	return err
}
