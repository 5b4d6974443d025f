// Package realservers runs the servers that a deployment runs, for tests that
// are to meet them instead of the embedded ones: PostgreSQL and Redis from the
// system's packages, nats-server and MinIO built from their modules. They listen
// on the loopback address and end with the process that started them.
//
// TEST_SERVERS=real asks for them; `make test-real` sets it.
package realservers

import "os"

// Wanted reports whether tests are to use real servers.
func Wanted() bool { return os.Getenv("TEST_SERVERS") == "real" }
