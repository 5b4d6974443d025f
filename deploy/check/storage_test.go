package check

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
	"capzone.dev/platform/objectstore"
)

// TestBuckets runs provision-storage on a MinIO server. It finds a service that reaches more of another one's
// bucket than it needs, or less of its own.
func TestBuckets(t *testing.T) {
	t.Parallel()
	if !testservers.Real() {
		t.Skip("the server is not installed: make test-real installs it")
	}
	d := shared(t)
	containers := d.project().Services
	env := containers["minio"].Environment
	port, err := freeport.Pick()
	require.NoError(t, err)
	options := testservers.Options{Port: port, Dir: t.TempDir()}
	server, err := testservers.StartS3(t.Context(), options,
		testservers.Keys{Access: *env["MINIO_ROOT_USER"], Secret: *env["MINIO_ROOT_PASSWORD"]})
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Kill() })
	address := options.Address()
	provision := func(changes ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), program(t, "provision-storage"))
		for _, variable := range append(d.inContainer(containers["provision-storage"]), changes...) {
			command.Env = append(command.Env, strings.ReplaceAll(variable, "minio:9000", address))
		}
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
	provision()
	provision() // the second time it finds all in place
	root := storageClient(t, address, *env["MINIO_ROOT_USER"], *env["MINIO_ROOT_PASSWORD"])
	const replay, picture, other, put = "replays/ab12.lbReplay", "maps/ab12.webp", "other/ab12", "put/here"
	names := serviceNames(t, hasBucket)
	for _, service := range names {
		for _, key := range []string{replay, picture, other} {
			require.NoError(t, store(t.Context(), root, "capzone-"+service, key, "of "+service))
		}
	}

	for _, service := range names {
		settings := containers[service].Environment
		user, password := *settings["S3_ACCESS_KEY"], *settings["S3_SECRET_KEY"]
		// As the program opens it, which may make a bucket where there is none.
		if _, err := objectstore.Open(t.Context(), objectstore.Config{
			Endpoint: "http://" + address, AccessKey: user, SecretKey: password, Bucket: *settings["S3_BUCKET"],
		}); err != nil {
			t.Errorf("%s opens its bucket: %v", service, err)
		}
		client := storageClient(t, address, user, password)
		for _, owner := range names {
			bucket, own := "capzone-"+owner, owner == service
			readsMaps := service == "records" && owner == "maps"
			for what, c := range map[string]struct {
				may bool
				err error
			}{
				"puts a file":      {own, store(t.Context(), client, bucket, put, "anything")},
				"gets a replay":    {own || readsMaps, fetched(t.Context(), client, bucket, replay, "of "+owner)},
				"gets a picture":   {own || readsMaps, fetched(t.Context(), client, bucket, picture, "of "+owner)},
				"gets another":     {own, fetched(t.Context(), client, bucket, other, "of "+owner)},
				"lists":            {own || readsMaps, listed(t.Context(), client, bucket)},
				"removes a file":   {own, client.RemoveObject(t.Context(), bucket, put, minio.RemoveObjectOptions{})},
				"removes a bucket": {false, client.RemoveBucket(t.Context(), bucket)},
				"sets a policy":    {false, client.SetBucketPolicy(t.Context(), bucket, `{"Version":"2012-10-17","Statement":[]}`)},
				"makes a bucket":   {false, client.MakeBucket(t.Context(), "capzone-"+service+"-more", minio.MakeBucketOptions{})},
			} {
				refused := minio.ToErrorResponse(c.err).StatusCode == http.StatusForbidden
				if c.may && c.err != nil || !c.may && !refused {
					t.Errorf("%s %s of %s: %v", service, what, owner, c.err)
				}
			}
		}
		// An absent object is reported as absent, not as forbidden.
		if err := fetched(t.Context(), client, "capzone-"+service, "replays/absent",
			""); minio.ToErrorResponse(err).Code != minio.NoSuchKey {
			t.Errorf("%s gets what is not there: %v", service, err)
		}
	}

	t.Run("a file of several parts", func(t *testing.T) {
		settings := containers["maps"].Environment
		client := storageClient(t, address, *settings["S3_ACCESS_KEY"], *settings["S3_SECRET_KEY"])
		large := strings.Repeat("0123456789abcdef", 11<<16) // 11 MiB
		require.NoError(t, store(t.Context(), client, "capzone-maps", "large", large))
		if err := fetched(t.Context(), client, "capzone-maps", "large", large); err != nil {
			t.Error(err)
		}
	})

	t.Run("a changed password", func(t *testing.T) {
		before := *containers["maps"].Environment["S3_SECRET_KEY"]
		provision("MINIO_MAPS_PASSWORD=changed-" + before)
		if err := listed(t.Context(), storageClient(t, address, "maps", "changed-"+before), "capzone-maps"); err != nil {
			t.Errorf("the new one: %v", err)
		}
		if err := listed(t.Context(), storageClient(t, address, "maps", before), "capzone-maps"); err == nil {
			t.Error("the old one still counts")
		}
	})
}

func storageClient(t *testing.T, address, user, password string) *minio.Client {
	t.Helper()
	client, err := minio.New(address, &minio.Options{
		Creds: credentials.NewStaticV4(user, password,
			""), Region: "us-east-1", BucketLookup: minio.BucketLookupPath, MaxRetries: 1,
	})
	require.NoError(t, err)
	return client
}

// store puts a file, in parts of 5 MiB where it is larger.
func store(ctx context.Context, client *minio.Client, bucket, key, content string) error {
	_, err := client.PutObject(ctx, bucket, key, strings.NewReader(content), int64(len(content)),
		minio.PutObjectOptions{PartSize: 5 << 20})
	return err
}

// fetched returns an error unless a file is what it should be.
func fetched(ctx context.Context, client *minio.Client, bucket, key, want string) error {
	object, err := client.GetObject(ctx, bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return err
	}
	defer object.Close()
	got, err := io.ReadAll(object)
	if err == nil && !bytes.Equal(got, []byte(want)) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func listed(ctx context.Context, client *minio.Client, bucket string) error {
	for object := range client.ListObjects(ctx, bucket, minio.ListObjectsOptions{Recursive: true}) {
		if object.Err != nil {
			return object.Err
		}
	}
	return nil
}
