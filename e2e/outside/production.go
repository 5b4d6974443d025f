package outside

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"capzone.dev/devstack/realservers"
	"capzone.dev/platform/event"
)

// production are the servers of a deployment, each client of NATS with its own
// credentials and no more rights than it needs.
func production(_ context.Context, folder string) (kind, error) {
	for _, name := range []string{"streams", "redis", "objects"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			return kind{}, err
		}
	}
	passwords, clients := map[string]string{}, map[string]string{}
	users := []string{"provision"}
	for _, program := range event.Programs() {
		users = append(users, program.Name)
	}
	for _, user := range users {
		passwords[user] = "p" + rand.Text()
		clients[fmt.Sprintf("NATS_%s_PASSWORD", strings.ToUpper(user))] = passwords[user]
	}
	return kind{
		postgresqlHome: realservers.PostgreSQLHome,
		nats: func(ctx context.Context, port int) (instance, error) {
			return realservers.StartProductionNATS(ctx, filepath.Join(folder, "streams"), port, passwords)
		},
		redis: func(ctx context.Context, port int) (instance, error) {
			return realservers.StartRedis(ctx, filepath.Join(folder, "redis"), port)
		},
		s3: func(ctx context.Context, port int) (instance, error) {
			return realservers.StartMinIO(ctx, filepath.Join(folder, "objects"), port, StorageKey, StorageKey)
		},
		clients: clients,
	}, nil
}
