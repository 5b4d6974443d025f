package s3test_test

import (
	"bytes"
	"io"
	"net/url"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/s3test"
)

func TestOpen_stores_objects(t *testing.T) {
	server := s3test.Config(t)
	endpoint, err := url.Parse(server.Endpoint)
	require.NoError(t, err)
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(server.AccessKey, server.SecretKey, ""),
	})
	require.NoError(t, err)
	bucket := server.Bucket
	require.NoError(t, client.MakeBucket(t.Context(), bucket, minio.MakeBucketOptions{}))
	stored := []byte("a replay")
	_, err = client.PutObject(t.Context(), bucket, "ab/cd.lbReplay", bytes.NewReader(stored), int64(len(stored)),
		minio.PutObjectOptions{ContentType: "text/plain", UserMetadata: map[string]string{"Name": "run"}})
	require.NoError(t, err)
	object, err := client.GetObject(t.Context(), bucket, "ab/cd.lbReplay", minio.GetObjectOptions{})
	require.NoError(t, err)
	got, err := io.ReadAll(object)
	require.NoError(t, err)
	if !bytes.Equal(got, stored) {
		t.Errorf("read %q, stored %q", got, stored)
	}
	info, err := object.Stat()
	require.NoError(t, err)
	if info.ContentType != "text/plain" || info.UserMetadata["Name"] != "run" {
		t.Errorf("metadata came back as %q, %v", info.ContentType, info.UserMetadata)
	}
}
