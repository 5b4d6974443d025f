package gametest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Certificates are a root, an intermediate and a certificate for the loopback
// address. The stand-in sends its certificate alone, as the game's servers have done.
type Certificates struct {
	// RootFile and IntermediateFile are PEM files.
	RootFile, IntermediateFile string
	// CertFile and KeyFile are the server's own.
	CertFile, KeyFile string
	// Roots holds the root.
	Roots *x509.CertPool
	// Intermediate completes the chain.
	Intermediate *x509.Certificate

	chainFile string // root and intermediate, for the stand-in's players
}

// NewCertificates makes certificates for one test.
func NewCertificates(tb testing.TB) *Certificates {
	tb.Helper()
	root, rootKey := issue(tb, "root", nil, nil)
	intermediate, intermediateKey := issue(tb, "intermediate", root, rootKey)
	leaf, leafKey := issue(tb, "server", intermediate, intermediateKey)
	private, err := x509.MarshalPKCS8PrivateKey(leafKey)
	check(tb, err)
	folder := tb.TempDir()
	write := func(name string, blocks ...*pem.Block) string {
		var text []byte
		for _, block := range blocks {
			text = append(text, pem.EncodeToMemory(block)...)
		}
		path := filepath.Join(folder, name)
		check(tb, os.WriteFile(path, text, 0o600))
		return path
	}
	block := func(c *x509.Certificate) *pem.Block { return &pem.Block{Type: "CERTIFICATE", Bytes: c.Raw} }
	c := &Certificates{
		RootFile:         write("root.pem", block(root)),
		IntermediateFile: write("intermediate.pem", block(intermediate)),
		CertFile:         write("cert.pem", block(leaf)),
		KeyFile:          write("key.pem", &pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		Roots:            x509.NewCertPool(),
		Intermediate:     intermediate,
		chainFile:        write("chain.pem", block(root), block(intermediate)),
	}
	c.Roots.AddCert(root)
	return c
}

// issue makes a certificate that parent signs; without a parent, one that signs itself.
func issue(
	tb testing.TB, name string, parent *x509.Certificate, signer *ecdsa.PrivateKey,
) (*x509.Certificate, *ecdsa.PrivateKey) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(tb, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "stand-in " + name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: name != "server", BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if name == "server" {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
		template.KeyUsage = x509.KeyUsageDigitalSignature
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	check(tb, err)
	certificate, err := x509.ParseCertificate(der)
	check(tb, err)
	return certificate, key
}

// transport trusts the certificates, and the system's where c is nil.
func (c *Certificates) transport() *http.Transport {
	if c == nil {
		return &http.Transport{}
	}
	trusted := c.Roots.Clone()
	trusted.AddCert(c.Intermediate)
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}}
}
