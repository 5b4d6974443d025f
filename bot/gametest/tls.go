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

// Certificate makes a certificate for the loopback address, which vouches for
// itself, and returns the files with it and its key.
func Certificate(tb testing.TB) (certFile, keyFile string) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(tb, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "stand-in for the game"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check(tb, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	check(tb, err)
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(tb.TempDir(), name)
		check(tb, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return path
	}
	return write("cert.pem", "CERTIFICATE", certificate), write("key.pem", "PRIVATE KEY", private)
}

// trusting is a transport that trusts the certificate in a file, and the system's where there is none.
func trusting(tb testing.TB, certFile string) *http.Transport {
	tb.Helper()
	if certFile == "" {
		return &http.Transport{}
	}
	text, err := os.ReadFile(certFile)
	check(tb, err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
}
