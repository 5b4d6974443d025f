package outside

import (
	"context"
	"path/filepath"
	"syscall"

	"capzone.dev/devstack/localnats"
	"capzone.dev/devstack/localredis"
	"capzone.dev/devstack/locals3"
)

// embedded are the servers that the launcher would start itself.
func embedded(ctx context.Context, folder string) (kind, error) {
	program := filepath.Join(folder, "s3-server")
	if err := locals3.Build(ctx, program); err != nil {
		return kind{}, err
	}
	return kind{
		nats: func(_ context.Context, port int) (instance, error) {
			server, err := localnats.Start(localnats.Options{Dir: filepath.Join(folder, "streams"), Port: port})
			if err != nil {
				return nil, err
			}
			return inside{server.Stop}, nil
		},
		redis: func(_ context.Context, port int) (instance, error) {
			server, err := localredis.Start(port)
			if err != nil {
				return nil, err
			}
			return inside{server.Stop}, nil
		},
		s3: func(ctx context.Context, port int) (instance, error) {
			server, err := locals3.Start(ctx, locals3.Options{
				Program: program, Dir: filepath.Join(folder, "objects"), Port: port, AccessKey: StorageKey, SecretKey: StorageKey,
			})
			return storage{server}, err
		},
		clients: map[string]string{},
	}, nil
}

// storage is an object storage.
type storage struct{ *locals3.Server }

// Kill implements instance.
func (s storage) Kill() error {
	if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
		return err
	}
	<-s.Done()
	return nil
}

// inside is a server inside this process.
type inside struct{ stop func() }

// Stop implements instance.
func (i inside) Stop(context.Context) error {
	i.stop()
	return nil
}

// Kill implements instance.
func (i inside) Kill() error { return i.Stop(context.Background()) }

// PID implements instance.
func (inside) PID() int { return 0 }
