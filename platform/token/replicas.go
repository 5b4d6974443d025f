package token

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

const (
	// replicaTimeout bounds the wait for one replica, so that there is time for the others.
	replicaTimeout = time.Second
	// maxKeys bounds a replica's answer, in bytes.
	maxKeys = 64 << 10
)

// replicas is a transport to replicas of one service. It asks the one that answered last first, and
// the others where that does not answer with 200.
type replicas struct {
	addresses []*url.URL
	last      atomic.Int64 // index of the replica to ask first
}

func parseReplicas(addresses []string) (*replicas, error) {
	if len(addresses) == 0 {
		return nil, errors.New("there is no address")
	}
	r := &replicas{}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("%q is no http(s)://HOST/PATH", address)
		}
		r.addresses = append(r.addresses, u)
	}
	return r, nil
}

// RoundTrip implements http.RoundTripper.
func (r *replicas) RoundTrip(req *http.Request) (*http.Response, error) {
	first := r.last.Load()
	var failures []error
	for i := range r.addresses {
		turn := (first + int64(i)) % int64(len(r.addresses))
		resp, err := ask(req, r.addresses[turn])
		if err == nil {
			r.last.Store(turn)
			return resp, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// ask sends the request to one replica and reads the whole answer.
func ask(req *http.Request, address *url.URL) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), replicaTimeout)
	defer cancel()
	req = req.Clone(ctx)
	req.URL, req.Host = address, address.Host
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address.Host, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", address.Host, resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxKeys))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address.Host, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}
