package player

import (
	"errors"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// The errors of the use cases.
var (
	ErrUnknown = event.ErrPlayerUnknown
	ErrBanned  = event.ErrPlayerBanned
	ErrDeleted = access.ErrDeleted

	ErrNameDiffers = problem.Unprocessable("name_differs", "That is not your name. Nothing was changed.")
	ErrLastAdmin   = problem.Unprocessable("last_admin",
		"This account is the only admin. Make another player an admin first.")

	// errNotDue is returned for a deletion that the player has cancelled, or that is carried out or postponed.
	errNotDue = errors.New("the deletion is not due any more")

	ErrLanguageUnknown = problem.Unprocessable("language_unknown", "The site does not have this language.")

	ErrNotAllowed = access.ErrForbidden.WithMessage("not_your_profile",
		"Only the player and moderators may change this profile.")
	ErrAdminsOnly  = problem.Forbidden("admins_only", "Only an admin may change a player's roles.")
	ErrFromTheGame = problem.Forbidden("comes_from_game",
		"Name and level come from the game. They change with the next login.")
	ErrNothingGiven = problem.InvalidArgument("nothing_to_change", "Send a skinImage or roles to change.").
			WithReason("no_player_change")
	ErrChanged = problem.Conflict("player_changed",
		"The player was changed after you opened the profile. Please load it again and repeat your change.")
	ErrUpdatedAtUnreadable = problem.InvalidArgument("updated_at_malformed", "The updatedAt must be a time in RFC 3339.")
	ErrTimeMalformed       = problem.InvalidArgument("time_malformed",
		"A time is written as 2027-01-31 or as 2027-01-31T18:00:00Z.")
	ErrOwnRoles = problem.Unprocessable("own_roles",
		"An admin cannot change their own roles. Another admin can.")

	ErrRolesUnreadable = problem.InvalidArgument("roles_malformed", "The roles must be a JSON list of strings.")
	ErrRoleInvalid     = problem.Unprocessable("role_invalid", "A role has 1 to 24 letters, digits, hyphens or spaces.")
	ErrTooManyRoles    = problem.Unprocessable("too_many_roles", "A player can have at most 10 roles.")
	ErrRoleTwice       = problem.Unprocessable("role_twice", "The same role is listed twice.")

	ErrSkinInvalid = problem.Unprocessable("skin_invalid", "The skin must be a JSON object of at most 16 KiB.")

	ErrSortUnknown = problem.InvalidArgument("sort_unknown",
		"Players can be sorted by name, level, createdAt or updatedAt, asc or desc.").
		WithReason("player_sort_unknown")
	ErrTermTooLong = problem.InvalidArgument("name_too_long", "A name to search for has at most 64 characters.")

	ErrMerged        = event.ErrPlayerMerged
	ErrMergeSelf     = problem.Conflict("merge_self", "A player cannot be merged into themselves.")
	ErrMergeUnproved = problem.Conflict("merge_unproved",
		"The player to merge into has never logged in. Let them log in under that name first.")

	ErrHasRole       = problem.Conflict("has_role", "The player has this role already.")
	ErrLacksRole     = problem.Conflict("lacks_role", "The player does not have this role.")
	ErrAlreadyBanned = problem.Conflict("banned_already", "The player is banned already.")
	ErrBanOver       = problem.Unprocessable("ban_over", "The end of a ban is a time in the future.")
	ErrNotBanned     = problem.Conflict("not_banned", "The player is not banned.")
	ErrBusy          = problem.Unavailable("player_busy", "This player is being changed. Please try again.").
				WithRetryAfter(time.Second)
	ErrNotFormer = problem.Conflict("not_former",
		"This is the player's present name. Only a former name can be released.")
)
