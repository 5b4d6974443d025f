package player

import (
	"context"

	"capzone.dev/platform/access"
	"capzone.dev/platform/language"
)

// AccountStore stores what only the player themselves sees of an account.
type AccountStore interface {
	reader
	// Language returns the language that a player has chosen, or "".
	Language(ctx context.Context, playerID string) (language.Language, error)
	// SetLanguage locks the player and stores a language. It returns an error of Player.CheckAccount.
	SetLanguage(ctx context.Context, playerID string, l language.Language) error
}

// Accounts reads and changes what players have chosen for their own accounts, also those of banned players. Methods
// return access.ErrForbidden, access.ErrScopeMissing, or ErrDeleted for a player who is deleted.
type Accounts struct {
	Players AccountStore
}

// Language returns the language that an actor has chosen, or "".
func (a *Accounts) Language(ctx context.Context, by access.Actor) (language.Language, error) {
	p, err := ownAccount(ctx, access.Attribution{Actor: by}, access.ChangeOwnLanguage, a.Players)
	if err != nil {
		return "", err
	}
	return a.Players.Language(ctx, p.ID)
}

// SetLanguage stores the language with a code for an actor. It returns ErrLanguageUnknown.
func (a *Accounts) SetLanguage(ctx context.Context, by access.Attribution, code string) (language.Language, error) {
	p, err := ownAccount(ctx, by, access.ChangeOwnLanguage, a.Players)
	if err != nil {
		return "", err
	}
	l, known := language.Parse(code)
	if !known {
		return "", ErrLanguageUnknown.About("language")
	}
	return l, a.Players.SetLanguage(ctx, p.ID, l)
}

// ownAccount returns the player who an actor is now, also a banned one, for an action on the account. It returns
// access.ErrForbidden, access.ErrScopeMissing or ErrDeleted.
func ownAccount(ctx context.Context, by access.Attribution, action access.Action, players reader) (Player, error) {
	p, _, err := access.Authorize(ctx, by, action, accountsOf(players))
	if err == nil {
		err = p.CheckAccount()
	}
	return p, err
}

// CheckAccount returns ErrMerged or ErrDeleted for a player who has no account any more.
func (p Player) CheckAccount() error {
	switch {
	case p.MergedInto != "":
		return ErrMerged
	case p.IsDeleted():
		return ErrDeleted
	}
	return nil
}
