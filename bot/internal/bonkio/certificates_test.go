package bonkio_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"capzone.dev/devstack/gametest"
	"capzone.dev/devstack/require"
)

// certificates are a root, an intermediate, and the files of a server with a certificate for the
// loopback address.
type certificates struct {
	server       gametest.TLS
	roots        *x509.CertPool
	intermediate *x509.Certificate
}

func newCertificates(t *testing.T) certificates {
	t.Helper()
	root, rootKey := issue(t, "root", nil, nil)
	intermediate, intermediateKey := issue(t, "intermediate", root, rootKey)
	leaf, leafKey := issue(t, "server", intermediate, intermediateKey)
	private, err := x509.MarshalPKCS8PrivateKey(leafKey)
	require.NoError(t, err)
	folder := t.TempDir()
	write := func(name string, blocks ...*pem.Block) string {
		var text []byte
		for _, block := range blocks {
			text = append(text, pem.EncodeToMemory(block)...)
		}
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, text, 0o600))
		return path
	}
	block := func(c *x509.Certificate) *pem.Block { return &pem.Block{Type: "CERTIFICATE", Bytes: c.Raw} }
	c := certificates{roots: x509.NewCertPool(), intermediate: intermediate, server: gametest.TLS{
		CertFile:  write("cert.pem", block(leaf)),
		KeyFile:   write("key.pem", &pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		ChainFile: write("chain.pem", block(root), block(intermediate)),
		Trusted:   x509.NewCertPool(),
	}}
	c.roots.AddCert(root)
	c.server.Trusted.AddCert(root)
	c.server.Trusted.AddCert(intermediate)
	return c
}

// issue returns a certificate that parent signs; without a parent it is self-signed.
func issue(
	t *testing.T, name string, parent *x509.Certificate, signer *ecdsa.PrivateKey,
) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "stand-in " + name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: name != "server", BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
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
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return certificate, key
}
