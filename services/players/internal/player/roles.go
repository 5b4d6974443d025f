package player

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

const maxRoles = 10

// roleForm allows letters of any script and single spaces.
var roleForm = regexp.MustCompile(`^[\p{L}\p{M}\p{Nd}-]+( [\p{L}\p{M}\p{Nd}-]+)*$`)

const maxRoleLength = 24 // characters

// ParseRole returns a role trimmed and in lower case, or ErrRoleInvalid.
func ParseRole(text string) (string, error) {
	role := strings.ToLower(strings.TrimSpace(text))
	if len([]rune(role)) > maxRoleLength || !roleForm.MatchString(role) {
		return "", ErrRoleInvalid.WithField("roles", ErrRoleInvalid.Message)
	}
	return role, nil
}

// ParseRoles reads a JSON list of roles, which may be empty. It returns ErrRolesUnreadable, ErrRoleInvalid,
// ErrTooManyRoles or ErrRoleTwice.
func ParseRoles(text string) ([]string, error) {
	var list []string
	// Unmarshal reads null as an empty list, which would remove all roles.
	if err := json.Unmarshal([]byte(text), &list); err != nil || list == nil {
		return nil, ErrRolesUnreadable.WithField("roles", ErrRolesUnreadable.Message)
	}
	if len(list) > maxRoles {
		return nil, ErrTooManyRoles.WithField("roles", ErrTooManyRoles.Message)
	}
	roles := []string{}
	for _, item := range list {
		role, err := ParseRole(item)
		if err != nil {
			return nil, err
		}
		if slices.Contains(roles, role) {
			return nil, ErrRoleTwice.WithField("roles", ErrRoleTwice.Message)
		}
		roles = append(roles, role)
	}
	return roles, nil
}
