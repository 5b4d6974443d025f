package upstream

import (
	"context"
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
	// CheckEvery is how soon a replica that answers again is taken back in.
	CheckEvery   = time.Second
	checkTimeout = time.Second
)

// Watch keeps the replicas and their health current until ctx ends.
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
			p.CheckReplicas(ctx) // also those that came
		case <-check.C:
			p.CheckReplicas(ctx)
		}
	}
}

// Resolve looks the names up again. A name that cannot be looked up keeps its
// replicas: a resolver that is away must not take the site down.
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
	p.setTargets(slices.Compact(found))
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

// setTargets takes new replicas in and lets go of those that are gone, keeping
// what is known of the others.
func (p *Pool) setTargets(addresses []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	targets := make([]*target, 0, len(addresses))
	for _, address := range addresses {
		i := slices.IndexFunc(p.targets, func(t *target) bool { return t.address == address })
		if i >= 0 {
			targets = append(targets, p.targets[i])
		} else {
			targets = append(targets, newTarget(address))
		}
	}
	for _, t := range p.targets {
		if !slices.Contains(targets, t) {
			t.client.CloseIdleConnections()
		}
	}
	p.targets = targets
}

// CheckReplicas asks every replica's health, all at once.
func (p *Pool) CheckReplicas(ctx context.Context) {
	p.mu.RLock()
	targets := slices.Clone(p.targets)
	p.mu.RUnlock()
	var wg sync.WaitGroup
	for _, t := range targets {
		wg.Go(func() {
			err := p.ask(ctx, t)
			if ctx.Err() == nil {
				p.setDown(t, err != nil)
			}
		})
	}
	wg.Wait()
}

func (p *Pool) ask(ctx context.Context, t *target) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+t.address+httpserve.HealthPath, nil)
	if err != nil {
		return err
	}
	resp, err := p.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("health check: %s", resp.Status)
	}
	if id := resp.Header.Get(httpserve.ReplicaHeader); id != "" {
		t.replica.Store(&id)
	} else {
		t.replica.Store(nil)
	}
	return nil
}
