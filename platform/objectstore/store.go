// Package objectstore stores files in S3 under the hash of their content. Each service writes only its own bucket.
//
// The file comes first, the row that names it second: Uploads inserts a pending row and stores the file, Attach deletes
// the pending row in the transaction of the row that names the file, and the Sweeper removes the files that no row
// names.
package objectstore

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"capzone.dev/platform/storedfile"
	"capzone.dev/platform/telemetry"
)

// ErrNotFound is returned for an object that does not exist.
var ErrNotFound = errors.New("objectstore: no such object")

// Config locates a bucket.
type Config struct {
	// Endpoint is http://host:port or https://host:port.
	Endpoint             string
	AccessKey, SecretKey string
	Bucket               string
	// Registerer registers the metrics of requests, unless it is nil.
	Registerer prometheus.Registerer
}

// Store is one bucket.
type Store struct {
	client *minio.Client
	bucket string
}

const (
	// openTimeout is how long Open waits for a server that does not answer.
	openTimeout = time.Minute
	openRetry   = 250 * time.Millisecond
)

// Open returns the bucket of cfg, which it creates if it does not exist. It waits for the server
// for a minute, or until ctx ends. A refusal, as of a wrong key, is returned at once.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	endpoint, err := url.Parse(cfg.Endpoint)
	if err != nil || endpoint.Host == "" || (endpoint.Scheme != "http" && endpoint.Scheme != "https") {
		return nil, fmt.Errorf("object storage: endpoint %q is no http or https address", cfg.Endpoint)
	}
	transport, err := minio.DefaultTransport(endpoint.Scheme == "https")
	if err != nil {
		return nil, fmt.Errorf("object storage: %w", err)
	}
	transport.MaxIdleConnsPerHost = 64
	transport.ResponseHeaderTimeout = 10 * time.Second
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, ""),
		Secure: endpoint.Scheme == "https",
		// The region is known, so no request is spent to ask for it.
		Region:       "us-east-1",
		BucketLookup: minio.BucketLookupPath,
		Transport:    measured{telemetry.Transport(transport), newRequests(cfg.Registerer)},
		MaxRetries:   3,
	})
	if err != nil {
		return nil, fmt.Errorf("object storage: %w", err)
	}
	s := &Store{client: client, bucket: cfg.Bucket}
	if err := s.waitForBucket(ctx); err != nil {
		return nil, fmt.Errorf("object storage: bucket %s: %w", cfg.Bucket, err)
	}
	return s, nil
}

// waitForBucket creates the bucket if it does not exist. It tries again while the server does not answer.
func (s *Store) waitForBucket(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	var last error // more informative than the end of ctx
	ensure := func() (struct{}, error) {
		err := s.ensureBucket(ctx)
		if last == nil || ctx.Err() == nil {
			last = err
		}
		if err != nil && isRefusal(minio.ToErrorResponse(err).StatusCode) {
			return struct{}{}, backoff.Permanent(err)
		}
		return struct{}{}, err
	}
	_, err := backoff.Retry(ctx, ensure,
		backoff.WithBackOff(backoff.NewConstantBackOff(openRetry)), backoff.WithMaxElapsedTime(0))
	if err != nil {
		return last
	}
	return nil
}

// isRefusal reports whether a status means that the request is at fault, as with an unknown key,
// so that a repetition would be refused too. Servers differ in the codes of their errors.
func isRefusal(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests,
		http.StatusConflict: // another replica creates the bucket
		return false
	}
	return status >= 400 && status < 500
}

func (s *Store) ensureBucket(ctx context.Context) error {
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil || exists {
		return err
	}
	err = s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{})
	switch minio.ToErrorResponse(err).Code {
	case minio.BucketAlreadyOwnedByYou, minio.BucketAlreadyExists: // by a replica
		return nil
	}
	return err
}

// Bucket returns the bucket's name.
func (s *Store) Bucket() string { return s.bucket }

// Check returns an error if the bucket cannot be reached.
func (s *Store) Check(ctx context.Context) error {
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err == nil && !exists {
		err = fmt.Errorf("bucket %s does not exist", s.bucket)
	}
	return err
}

// Hash returns the hexadecimal SHA-256 of data.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Key returns the key of data: prefix, a slash, its hash, and the suffix.
func Key(prefix string, data []byte, suffix string) string {
	return prefix + "/" + Hash(data) + suffix
}

// Open opens an object, which the caller closes. It returns storedfile.ErrUnknown or ErrStorageUnavailable.
func (s *Store) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	return s.OpenFrom(ctx, s.bucket, key)
}

// OpenFrom is Open for the named bucket, which may be another service's. An empty name is the own one.
func (s *Store) OpenFrom(ctx context.Context, bucket, key string) (io.ReadSeekCloser, error) {
	object, err := s.client.GetObject(ctx, cmp.Or(bucket, s.bucket), key, minio.GetObjectOptions{})
	if err != nil {
		return nil, ErrStorageUnavailable.Wrap(err)
	}
	if _, err := object.Stat(); err != nil { // the first request
		_ = object.Close()
		if err = translate(err); errors.Is(err, ErrNotFound) {
			return nil, storedfile.ErrUnknown
		}
		return nil, ErrStorageUnavailable.Wrap(err)
	}
	return object, nil
}

// GetFrom reads a whole object of another service's bucket, of at most limit bytes. It returns ErrNotFound.
func (s *Store) GetFrom(ctx context.Context, bucket, key string, limit int64) ([]byte, error) {
	object, err := s.client.GetObject(ctx, bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, translate(err)
	}
	defer object.Close()
	data, err := io.ReadAll(io.LimitReader(object, limit+1))
	if err != nil {
		return nil, translate(err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("objectstore: %s/%s is larger than %d bytes", bucket, key, limit)
	}
	return data, nil
}

func (s *Store) put(ctx context.Context, key, contentType string, data []byte) error {
	// The object is small, and signed as a whole. To sign it in chunks costs both sides more.
	_, err := minio.Core{Client: s.client}.PutObject(ctx, s.bucket, key, bytes.NewReader(data), int64(len(data)), "",
		Hash(data),
		minio.PutObjectOptions{ContentType: contentType, DisableContentSha256: true})
	if err != nil {
		return fmt.Errorf("objectstore: put %s: %w", key, err)
	}
	return nil
}

// streamPart is the size of the parts in which putStream uploads, of which it holds one in memory, in bytes. 10,000 of
// them make an object.
const streamPart = 5 << 20

// putStream stores what r returns until its end, in parts. Where the process ends before it does, the parts stay until
// the storage ends uploads that are old.
func (s *Store) putStream(ctx context.Context, key, contentType string, r io.Reader) error {
	_, err := s.client.PutObject(ctx, s.bucket, key, r, -1, minio.PutObjectOptions{
		ContentType: contentType, PartSize: streamPart, NumThreads: 1,
	})
	if err != nil {
		return fmt.Errorf("objectstore: put %s: %w", key, err)
	}
	return nil
}

func (s *Store) remove(ctx context.Context, key string) error {
	if err := s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("objectstore: remove %s: %w", key, err)
	}
	return nil
}

func translate(err error) error {
	// A missing bucket is a fault, not a missing object.
	if resp := minio.ToErrorResponse(err); resp.StatusCode == http.StatusNotFound && resp.Code != minio.NoSuchBucket {
		return ErrNotFound
	}
	return fmt.Errorf("objectstore: %w", err)
}

func newRequests(registerer prometheus.Registerer) *prometheus.HistogramVec {
	return promauto.With(registerer).NewHistogramVec(prometheus.HistogramOpts{
		Name:    "objectstore_request_duration_seconds",
		Help:    "Duration of requests to the object storage, by method and status (error if there was no answer).",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"method", "status"})
}

// measured measures the requests of next.
type measured struct {
	next     http.RoundTripper
	requests *prometheus.HistogramVec
}

func (m measured) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	resp, err := m.next.RoundTrip(r)
	status := "error"
	if err == nil {
		status = strconv.Itoa(resp.StatusCode)
	}
	m.requests.WithLabelValues(r.Method, status).Observe(time.Since(began).Seconds())
	return resp, err
}
