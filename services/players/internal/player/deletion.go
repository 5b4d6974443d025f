package player

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// Deletion is a deletion that a player has asked for. It has zero times where there is none.
type Deletion struct {
	RequestedAt, ScheduledFor time.Time
}

// DeletionStore stores the deletions that players have asked for, and carries them out.
type DeletionStore interface {
	// Get is as in ModerationStore.
	Get(ctx context.Context, id string) (Player, error)
	// Deletion returns the deletion that a player has asked for.
	Deletion(ctx context.Context, playerID string) (Deletion, error)
	// ScheduleDeletion locks the player and stores the deletion, unless the player has asked before. It returns the stored
	// one, and reports whether that is new. It returns an error of Locked.CheckDeletion.
	ScheduleDeletion(ctx context.Context, playerID string, d Deletion) (Deletion, bool, error)
	// CancelDeletion locks the player and deletes the deletion, if there is one. It returns an error of
	// Player.CheckAccount.
	CancelDeletion(ctx context.Context, playerID string) error
	// Delete locks the player, stores what Locked.Delete returns, and deletes the deletion that was asked for. It returns
	// ErrUnknown or an error of Locked.Delete.
	Delete(ctx context.Context, by access.Attribution, playerID string, at time.Time) (Player, error)
	// DeletionsDue returns the ids of at most limit players whose deletions were due by now, those of the earliest first.
	DeletionsDue(ctx context.Context, now time.Time, limit int) ([]string, error)
	// DeleteDue is Delete of a player whose deletion is due. It reports false where it is not due any more.
	DeleteDue(ctx context.Context, by access.Attribution, playerID string, at time.Time) (deleted bool, err error)
	// PostponeDeletion stores that a deletion is due at a time.
	PostponeDeletion(ctx context.Context, playerID string, dueAt time.Time) error
}

// CheckDeletion returns why the player cannot be deleted: ErrMerged, ErrDeleted or ErrLastAdmin.
func (l Locked) CheckDeletion() error {
	if err := l.Player.CheckAccount(); err != nil {
		return err
	}
	if l.OnlyAdmin {
		return ErrLastAdmin
	}
	return nil
}

// Deleter deletes the accounts of players who have asked for it. A banned player may ask, too. Methods with an actor
// return access.ErrForbidden, or ErrDeleted for a player who is deleted already.
type Deleter struct {
	Players DeletionStore
	// Delay is the time in which a player can change their mind.
	Delay time.Duration
	Now   func() time.Time
	Log   *slog.Logger
}

// Get returns the deletion that an actor has asked for.
func (d *Deleter) Get(ctx context.Context, by access.Actor) (Deletion, error) {
	p, err := ownAccount(ctx, by, access.DeleteOwnAccount, d.Players)
	if err != nil {
		return Deletion{}, err
	}
	return d.Players.Deletion(ctx, p.ID)
}

// Schedule stores that an actor, who repeats the own name, asks for the deletion. It reports whether the actor has not
// asked before. It returns ErrNameDiffers or ErrLastAdmin.
func (d *Deleter) Schedule(ctx context.Context, by access.Actor, name string) (Deletion, bool, error) {
	p, err := ownAccount(ctx, by, access.DeleteOwnAccount, d.Players)
	if err != nil {
		return Deletion{}, false, err
	}
	if !playername.Same(p.Name, name) {
		return Deletion{}, false, ErrNameDiffers.About("name")
	}
	now := inMillis(d.Now())
	return d.Players.ScheduleDeletion(ctx, p.ID, Deletion{now, now.Add(d.Delay)})
}

// Cancel deletes the deletion that an actor has asked for, if there is one. At the last moment either this or the
// deletion comes first.
func (d *Deleter) Cancel(ctx context.Context, by access.Actor) error {
	p, err := ownAccount(ctx, by, access.DeleteOwnAccount, d.Players)
	if err != nil {
		return err
	}
	return d.Players.CancelDeletion(ctx, p.ID)
}

// Resolve returns the id of the player whom a player was merged into, or the player's own. It returns ErrUnknown or
// ErrDeleted.
func (d *Deleter) Resolve(ctx context.Context, id string) (string, error) {
	p, err := resolveMerged(ctx, d.Players, id)
	if err == nil {
		err = p.CheckAccount()
	}
	return p.ID, err
}

// Delete deletes an account at once. It returns access.ErrForbidden, access.ErrReasonMissing, access.ErrReasonInvalid,
// ErrUnknown, ErrMerged, ErrDeleted or ErrLastAdmin.
func (d *Deleter) Delete(ctx context.Context, by access.Attribution, id string) (Player, error) {
	_, by, err := access.Authorize(ctx, by, access.DeletePlayer, accountsOf(d.Players))
	if err != nil {
		return Player{}, err
	}
	return d.Players.Delete(ctx, by, id, inMillis(d.Now()))
}

const (
	// retryDeletion is how long the deletion of the only admin waits for another admin.
	retryDeletion = 24 * time.Hour
	// dueDeletions is how many deletions DeleteDue reads at once.
	dueDeletions = 100
)

// DeleteDue deletes the accounts of which the deletion is due, as the service itself, and returns how many. Of several
// that do it at once, one deletes an account.
func (d *Deleter) DeleteDue(ctx context.Context) (deleted int, err error) {
	by := access.Attribution{Actor: access.System(Service), Reason: "The player has asked for it."}
	if _, by, err = access.Authorize(ctx, by, access.DeletePlayer, accountsOf(d.Players)); err != nil {
		return 0, err
	}
	for {
		now := inMillis(d.Now())
		ids, err := d.Players.DeletionsDue(ctx, now, dueDeletions)
		if err != nil {
			return deleted, err
		}
		for _, id := range ids {
			isDeleted, err := d.Players.DeleteDue(ctx, by, id, now)
			if errors.Is(err, ErrLastAdmin) {
				d.Log.WarnContext(ctx, "the only admin cannot be deleted yet", "player", id)
				err = d.Players.PostponeDeletion(ctx, id, now.Add(retryDeletion))
			}
			if err != nil {
				return deleted, err
			}
			if isDeleted {
				deleted++
			}
		}
		if len(ids) < dueDeletions {
			return deleted, nil
		}
	}
}

// IsDeleted reports whether the account was deleted.
func (p Player) IsDeleted() bool { return !p.DeletedAt.IsZero() }

// DeletedNames returns the names that a deleted player may have, the shortest first. They end with the end of the id.
func DeletedNames(id string) (names []string) {
	digits := strings.ReplaceAll(id, "-", "")
	for n := 4; n <= len(digits); n += 4 {
		names = append(names, playername.OfDeleted+digits[len(digits)-n:])
	}
	return names
}

// DeletedNameKey returns the key of a name of DeletedNames. No other name has it: playername.Check refuses them, so
// that nobody can prove it.
func DeletedNameKey(name string) string {
	return playername.KeyOfDeleted + strings.TrimPrefix(name, playername.OfDeleted)
}

// NameKey returns the key by which the player alone has the name, and "" for a player who was merged.
func (p Player) NameKey() string {
	switch {
	case p.MergedInto != "":
		return ""
	case p.IsDeleted():
		return DeletedNameKey(p.Name)
	}
	return playername.Key(p.Name)
}

// Delete returns the change that deletes the player at a time, who then has the shortest of DeletedNames of which the
// key is not taken. A ban stays. It returns the errors of CheckDeletion.
func (l Locked) Delete(by access.Attribution, takenKeys []string, at time.Time) (Change, error) {
	if err := l.CheckDeletion(); err != nil {
		return Change{}, err
	}
	p := l.Player
	names := DeletedNames(p.ID)
	i := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(takenKeys, DeletedNameKey(name)) })
	if i < 0 {
		return Change{}, fmt.Errorf("no name is free for deleted player %s", p.ID)
	}
	deleted := Player{
		ID: p.ID, Version: p.Version, Name: names[i], Registered: p.Registered, Banned: p.Banned, Ban: p.Ban,
		DeletedAt: at, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	return Change{
		Player: deleted, Facts: []event.Fact{event.PlayerDeleted{PlayerID: p.ID, Name: deleted.Name}},
		Entries: []access.Entry{entry(by, access.DeletePlayer, p, deleted)},
	}, nil
}

// BannedNames returns the hashes of the names that no login may take while the player is banned.
func (p Player) BannedNames() (hashes [][]byte) {
	if !p.Banned {
		return nil
	}
	for _, name := range append([]string{p.Name}, p.FormerNames...) {
		hashes = append(hashes, NameHash(name))
	}
	return hashes
}

// NameHash returns the SHA-256 of a name's key. It does not show the name, but whoever knows a name can compare.
func NameHash(name string) []byte {
	hash := sha256.Sum256([]byte("banned name of capzone: " + playername.Key(name)))
	return hash[:]
}
