package service

import (
	"cmp"
	"os"
	"os/user"
)

// Operator returns the name of the person who runs this process: the user behind
// sudo, else the account, else "unknown" (a container without a name for its
// user id).
func Operator() string {
	if u, err := user.Current(); err == nil {
		return cmp.Or(os.Getenv("SUDO_USER"), u.Username)
	}
	return cmp.Or(os.Getenv("SUDO_USER"), os.Getenv("USER"), "unknown")
}
