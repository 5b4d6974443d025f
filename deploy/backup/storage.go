package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// storage is the S3 storage with all buckets.
type storage struct{ client *minio.Client }

func openStorage(cfg Config) (storage, error) {
	endpoint, err := url.Parse(cfg.Endpoint)
	if err != nil || endpoint.Host == "" {
		return storage{}, fmt.Errorf("S3_ENDPOINT is %q: it is http(s)://host:port", cfg.Endpoint)
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, ""),
		Secure: endpoint.Scheme == "https", Region: "us-east-1", BucketLookup: minio.BucketLookupPath,
	})
	return storage{client}, err
}

// each calls do for each object of a bucket.
func (s storage) each(ctx context.Context, bucket string, do func(key string, size int64) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for object := range s.client.ListObjects(ctx, bucket, minio.ListObjectsOptions{Recursive: true}) {
		if object.Err != nil {
			return object.Err
		}
		if err := do(object.Key, object.Size); err != nil {
			return err
		}
	}
	return nil
}

// fetch writes an object to a file, which is whole or not there. What was swept
// away since it was listed is no error: no row named it.
func (s storage) fetch(ctx context.Context, bucket, key, file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	err := s.client.FGetObject(ctx, bucket, key, file, minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil
	}
	return err
}

func (s storage) makeBucket(ctx context.Context, bucket string) error {
	exists, err := s.client.BucketExists(ctx, bucket)
	if err != nil || exists {
		return err
	}
	return s.client.MakeBucket(ctx, bucket, minio.MakeBucketOptions{})
}

func (s storage) put(ctx context.Context, bucket, key, file string) error {
	_, err := s.client.FPutObject(ctx, bucket, key, file, minio.PutObjectOptions{ContentType: contentType(key), DisableMultipart: true})
	return err
}

// contentType is what the services store a file as.
func contentType(key string) string {
	if filepath.Ext(key) == ".webp" {
		return "image/webp"
	}
	return "text/plain; charset=utf-8"
}
