package cli

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ringpost/internal/config"
	"ringpost/internal/mailtest"
)

// certificate is one that is good for a name until a moment, and the file by which it
// is trusted.
func certificate(t *testing.T, name string, until time.Time) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: until.Add(-48 * time.Hour), NotAfter: until,
		DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// greeter is a server that says one thing to each who comes, and listens on.
func greeter(t *testing.T, says string, secured *tls.Config) (port int) {
	t.Helper()
	return mailtest.Listen(t, func(c net.Conn) {
		if secured != nil {
			c = tls.Server(c, secured)
		}
		fmt.Fprint(c, says)
		io.Copy(io.Discard, c)
	}).Port
}

// TestAdvice: what is wrong with an account's lines in ringpost.toml, or with its
// server, is told with what to do, for mails in and out alike.
func TestAdvice(t *testing.T) {
	now := time.Now()
	expired, trustExpired := certificate(t, "localhost", now.Add(-24*time.Hour))
	good, trustGood := certificate(t, "localhost", now.Add(24*time.Hour))
	other, trustOther := certificate(t, "mail.provider.example", now.Add(24*time.Hour))
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	_, nobody, err := net.SplitHostPort(closed.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	nobodyThere, err := strconv.Atoi(nobody)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		host string
		port int
		tls  string
		ca   string
		says string
	}{
		"expired":       {"localhost", greeter(t, "", &tls.Config{Certificates: []tls.Certificate{expired}}), "tls", trustExpired, "must renew it"},
		"another name":  {"localhost", greeter(t, "", &tls.Config{Certificates: []tls.Certificate{other}}), "tls", trustOther, "set host to a name"},
		"not trusted":   {"localhost", greeter(t, "", &tls.Config{Certificates: []tls.Certificate{good}}), "tls", "", "ca_file"},
		"no TLS there":  {"localhost", greeter(t, "* OK 220 ready\r\n", nil), "tls", "", `set tls to "starttls"`},
		"no such host":  {"mail.invalid", 993, "tls", "", "is host spelt"},
		"nobody there":  {"localhost", nobodyThere, "tls", "", "nobody listens there"},
		"TLS, not said": {"localhost", greeter(t, "", &tls.Config{Certificates: []tls.Certificate{good}}), "starttls", trustGood, "check host, port and tls"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no such host" {
				if _, err := net.LookupHost(tc.host); err != nil && !strings.Contains(err.Error(), "no such host") {
					t.Skipf("names are not looked up here: %v", err)
				}
			}
			c := config.Config{IMAP: &config.IMAP{Host: tc.host, Port: tc.port, User: "gm", Password: "secret", TLS: tc.tls, CAFile: tc.ca, Folder: "INBOX", Processed: "Processed"},
				SMTP: &config.SMTP{Host: tc.host, Port: tc.port, User: "gm", Password: "secret", TLS: tc.tls, CAFile: tc.ca}}
			ctx, cancel := context.WithTimeout(t.Context(), patience(tc.tls))
			defer cancel()
			box, err := imapOf(t.TempDir(), c, nil, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			_, in := box.Probe(ctx)
			transport, err := transportOf(t.TempDir(), c, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			_, out := transport.Open(ctx)
			for _, err := range []error{in, out} {
				if err == nil || !strings.Contains(advised(err), tc.says) {
					t.Errorf("%v: is not told %q", err, tc.says)
				}
			}
		})
	}
}

// patience is how long to wait for a server that waits for us: not long.
func patience(security string) time.Duration {
	if security == "starttls" {
		return time.Second / 4
	}
	return 30 * time.Second
}
