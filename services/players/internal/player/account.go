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
	p, _, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ChangeOwnLanguage, accountsOf(a.Players))
	if err != nil {
		return "", err
	}
	return a.Players.Language(ctx, p.ID)
}

// SetLanguage stores the language with a code for an actor. It returns ErrLanguageUnknown.
func (a *Accounts) SetLanguage(ctx context.Context, by access.Attribution, code string) (language.Language, error) {
	p, _, err := access.Authorize(ctx, by, access.ChangeOwnLanguage, accountsOf(a.Players))
	if err != nil {
		return "", err
	}
	l, known := language.Parse(code)
	if !known {
		return "", ErrLanguageUnknown.About("language")
	}
	return l, a.Players.SetLanguage(ctx, p.ID, l)
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
