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

// AccountDeletion is the deletion of the account of the player with PlayerID.
type AccountDeletion struct {
	PlayerID string
	// OnlyDue is true where the player has to have asked for it, and it has to be due.
	OnlyDue bool
	By      access.Attribution
	At      time.Time
}

// LockedAccount is what decides about the deletion of an account.
type LockedAccount struct {
	Locked

	// Deletion is the one that the player has asked for.
	Deletion Deletion
	// TakenKeys are the keys of DeletedNames that other players have.
	TakenKeys []string
}

// DeletionStore stores the deletions that players have asked for, and carries them out.
type DeletionStore interface {
	reader
	// Deletion returns the deletion that a player has asked for.
	Deletion(ctx context.Context, playerID string) (Deletion, error)
	// ScheduleDeletion locks the player and stores the deletion, unless the player has asked before. It returns the stored
	// one, and reports whether that is new. It returns an error of Locked.CheckDeletion.
	ScheduleDeletion(ctx context.Context, playerID string, d Deletion) (Deletion, bool, error)
	// CancelDeletion locks the player and deletes the deletion, if there is one. It returns an error of
	// Player.CheckAccount.
	CancelDeletion(ctx context.Context, playerID string) error
	// Delete locks the player, stores what LockedAccount.Delete returns, and deletes what belongs to the account. It
	// returns ErrUnknown or an error of LockedAccount.Delete.
	Delete(ctx context.Context, d AccountDeletion) (Player, error)
	// DeletionsDue returns the ids of at most limit players whose deletions were due by now, those of the earliest first.
	DeletionsDue(ctx context.Context, now time.Time, limit int) ([]string, error)
	// PostponeDeletion stores that a deletion is due at a time, unless it is due later.
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
// return access.ErrForbidden, or ErrDeleted for a player who is deleted already. Delete needs neither Delay nor Log.
type Deleter struct {
	Players DeletionStore
	// Delay is the time in which a player can change their mind.
	Delay time.Duration
	Now   func() time.Time
	Log   *slog.Logger
}

// Get returns the deletion that an actor has asked for.
func (d *Deleter) Get(ctx context.Context, by access.Actor) (Deletion, error) {
	p, _, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.DeleteOwnAccount, accountsOf(d.Players))
	if err != nil {
		return Deletion{}, err
	}
	return d.Players.Deletion(ctx, p.ID)
}

// Schedule stores that an actor, who repeats the own name, asks for the deletion. It reports whether the actor has not
// asked before. It returns ErrNameDiffers or ErrLastAdmin.
func (d *Deleter) Schedule(ctx context.Context, by access.Attribution, name string) (Deletion, bool, error) {
	p, _, err := access.Authorize(ctx, by, access.DeleteOwnAccount, accountsOf(d.Players))
	if err != nil {
		return Deletion{}, false, err
	}
	if !playername.Same(p.Name, name) {
		return Deletion{}, false, ErrNameDiffers.About("name")
	}
	now := event.InMillis(d.Now())
	return d.Players.ScheduleDeletion(ctx, p.ID, Deletion{now, now.Add(d.Delay)})
}

// Cancel deletes the deletion that an actor has asked for, if there is one. At the last moment either this or the
// deletion comes first.
func (d *Deleter) Cancel(ctx context.Context, by access.Attribution) error {
	p, _, err := access.Authorize(ctx, by, access.DeleteOwnAccount, accountsOf(d.Players))
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
	if !event.IsID(id) {
		return Player{}, ErrUnknown
	}
	return d.Players.Delete(ctx, AccountDeletion{PlayerID: id, By: by, At: event.InMillis(d.Now())})
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
		now := event.InMillis(d.Now())
		ids, err := d.Players.DeletionsDue(ctx, now, dueDeletions)
		if err != nil {
			return deleted, err
		}
		for _, id := range ids {
			_, err := d.Players.Delete(ctx, AccountDeletion{PlayerID: id, OnlyDue: true, By: by, At: now})
			switch {
			case err == nil:
				deleted++
			case errors.Is(err, errNotDue), errors.Is(err, ErrMerged): // meanwhile, and a merged player is not deleted
			case errors.Is(err, ErrLastAdmin):
				d.Log.WarnContext(ctx, "the only admin cannot be deleted yet", "player", id)
				if err := d.Players.PostponeDeletion(ctx, id, now.Add(retryDeletion)); err != nil {
					return deleted, err
				}
			default:
				return deleted, err
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

// Delete returns the change that deletes the player, who then has the shortest of DeletedNames of which the key is not
// taken. A ban stays. It returns errNotDue or the errors of CheckDeletion.
func (l LockedAccount) Delete(d AccountDeletion) (Change, error) {
	if d.OnlyDue && (l.Deletion.ScheduledFor.IsZero() || d.At.Before(l.Deletion.ScheduledFor)) {
		return Change{}, errNotDue
	}
	if err := l.CheckDeletion(); err != nil {
		return Change{}, err
	}
	p := l.Player
	names := DeletedNames(p.ID)
	i := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(l.TakenKeys, DeletedNameKey(name)) })
	if i < 0 {
		return Change{}, fmt.Errorf("no name is free for deleted player %s", p.ID)
	}
	deleted := Player{
		ID: p.ID, Version: p.Version, Name: names[i], Registered: p.Registered, Banned: p.Banned, Ban: p.Ban,
		DeletedAt: d.At, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	return Change{
		Player: deleted, Facts: []event.Fact{event.PlayerDeleted{PlayerID: p.ID, Name: deleted.Name}},
		Entries: []access.Entry{entry(d.By, access.DeletePlayer, p, deleted)},
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
