package upstream

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"capzone.dev/platform/httpserve"
)

const (
	// resolveEvery is how soon replicas that came or went are noticed.
	resolveEvery = 3 * time.Second
	// CheckEvery is the time between two health checks of a replica.
	CheckEvery   = time.Second
	checkTimeout = time.Second
	// maxTimeouts is how many health checks in a row have to time out before a replica is down: one may do so on a busy
	// machine.
	maxTimeouts = 2
)

// Watch keeps the list of replicas and their health current until ctx ends.
func (p *Pool) Watch(ctx context.Context) error {
	resolve, check := time.NewTicker(resolveEvery), time.NewTicker(CheckEvery)
	defer resolve.Stop()
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-resolve.C:
			p.Resolve(ctx)
		case <-check.C:
			p.CheckReplicas(ctx)
		}
	}
}

// Resolve looks the names up again. A name that cannot be looked up keeps its replicas, so that an outage of the
// resolver is not one of the site.
func (p *Pool) Resolve(ctx context.Context) {
	var found []string
	for _, address := range p.addresses {
		resolved, err := p.lookUp(ctx, address)
		if err != nil {
			p.log.WarnContext(ctx, "address cannot be looked up", "address", address, "error", err)
			return
		}
		found = append(found, resolved...)
	}
	slices.Sort(found)
	p.setReplicas(slices.Compact(found))
}

func (p *Pool) lookUp(ctx context.Context, address string) ([]string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if net.ParseIP(host) != nil {
		return []string{address}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	hosts, err := p.resolver.LookupHost(ctx, host)
	if err != nil {
		return nil, err
	}
	for i := range hosts {
		hosts[i] = net.JoinHostPort(hosts[i], port)
	}
	return hosts, nil
}

// setReplicas adds and removes replicas, and keeps what is known of the others.
func (p *Pool) setReplicas(addresses []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	replicas := make([]*replica, len(addresses))
	for i, address := range addresses {
		replicas[i] = &replica{address: address}
		if known := slices.IndexFunc(p.replicas, func(r *replica) bool { return r.address == address }); known >= 0 {
			replicas[i] = p.replicas[known]
		}
	}
	p.replicas = replicas
}

// CheckReplicas is the active health check of all replicas, at the same time.
func (p *Pool) CheckReplicas(ctx context.Context) {
	p.mu.RLock()
	replicas := slices.Clone(p.replicas)
	p.mu.RUnlock()
	var wg sync.WaitGroup
	for _, r := range replicas {
		wg.Go(func() {
			err := p.check(ctx, r)
			switch {
			case ctx.Err() != nil: // the gateway stops
			case !errors.Is(err, context.DeadlineExceeded):
				r.timeouts.Store(0)
				p.setDown(r, err != nil)
			case r.timeouts.Add(1) >= maxTimeouts:
				p.setDown(r, true)
			}
		})
	}
	wg.Wait()
}

func (p *Pool) check(ctx context.Context, r *replica) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.address+httpserve.HealthPath, nil)
	if err != nil {
		return err
	}
	req.Header.Set(httpserve.ServiceHeader, p.name)
	resp, err := p.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("health check: %s", resp.Status)
	}
	return nil
}
