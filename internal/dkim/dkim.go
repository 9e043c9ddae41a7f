// Package dkim checks the signatures of a mail (RFC 6376) where the receiving
// server does not say what it thinks of them. It imports nothing of the project.
package dkim

import (
	"bytes"
	"context"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// Lookup finds the TXT records of a name, as net.Resolver's LookupTXT does.
type Lookup func(ctx context.Context, name string) ([]string, error)

// Bounds on the work that one mail can ask for.
const (
	maxSignatures = 5
	maxTime       = 10 * time.Second
)

// Signers lists the domains whose signatures hold. A signature that covers only
// part of the body, or that cannot be checked, counts for nothing.
func Signers(ctx context.Context, raw []byte, lookup Lookup) []string {
	if !bytes.Contains(raw, []byte("DKIM-Signature")) && !bytes.Contains(bytes.ToLower(raw[:min(len(raw), 1<<16)]), []byte("dkim-signature")) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	// Mailers sign CRLF lines; a Maildir may hold the mail with LF alone.
	wire := bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	found, err := dkim.VerifyWithOptions(bytes.NewReader(wire), &dkim.VerifyOptions{
		LookupTXT:        func(name string) ([]string, error) { return lookup(ctx, name) },
		MaxVerifications: maxSignatures,
	})
	if err != nil && len(found) == 0 {
		return nil
	}
	var out []string
	for _, v := range found {
		if v.Err == nil {
			out = append(out, v.Domain)
		}
	}
	return out
}
