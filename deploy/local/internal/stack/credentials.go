package stack

import (
	"maps"
	"net/url"
	"regexp"
	"strings"
)

// natsPassword is the environment's name for the password of a user of NATS, as the server's own configuration has it.
var natsPassword = regexp.MustCompile(`^NATS_([A-Z]+)_PASSWORD$`)

// takePasswords takes the passwords of NATS out of the environment, so that each process gets its own only.
func takePasswords(environment map[string]string) (rest, passwords map[string]string) {
	rest, passwords = maps.Clone(environment), map[string]string{}
	for name, value := range environment {
		if user := natsPassword.FindStringSubmatch(name); user != nil {
			passwords[strings.ToLower(user[1])] = value
			delete(rest, name)
		}
	}
	return rest, passwords
}

// natsURL is where a user finds NATS, with the credentials that there are.
func (s *Stack) natsURL(user string) string {
	password, ok := s.natsPasswords[user]
	address, err := url.Parse(s.servers.NATS)
	if !ok || err != nil {
		return s.servers.NATS
	}
	address.User = url.UserPassword(user, password)
	return address.String()
}
