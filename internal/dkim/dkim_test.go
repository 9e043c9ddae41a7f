package dkim

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

func signed(t *testing.T, raw string) (mail []byte, lookup Lookup) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	var out bytes.Buffer
	err := dkim.Sign(&out, strings.NewReader(raw), &dkim.SignOptions{Domain: "players.example", Selector: "s1", Signer: key,
		HeaderKeys: []string{"From", "Subject"}})
	if err != nil {
		t.Fatal(err)
	}
	record := "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
	return out.Bytes(), func(_ context.Context, name string) ([]string, error) {
		if name != "s1._domainkey.players.example" {
			return nil, errors.New("no such name")
		}
		return []string{record}, nil
	}
}

func TestSigners(t *testing.T) {
	raw := "From: <a@players.example>\r\nSubject: Zug\r\n\r\nNAME Joe\r\nZUG 1/1 1/1 1/1 1/1 1/1\r\n"
	mail, lookup := signed(t, raw)
	want := []string{"players.example"}
	if got := Signers(t.Context(), mail, lookup); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Signers(t.Context(), bytes.ReplaceAll(mail, []byte("\r\n"), []byte("\n")), lookup); !slices.Equal(got, want) {
		t.Errorf("with LF: %v", got)
	}
	for name, bad := range map[string][]byte{
		"changed body":   bytes.Replace(mail, []byte("1/1"), []byte("9/9"), 1),
		"changed sender": bytes.Replace(mail, []byte("<a@"), []byte("<b@"), 1),
		"unsigned":       []byte(raw),
		"empty":          nil,
		"another's key":  bytes.Replace(mail, []byte("d=players.example"), []byte("d=evil.example"), 1),
		"broken":         []byte("DKIM-Signature: v=1; a=\r\n\r\n"),
	} {
		if got := Signers(t.Context(), bad, lookup); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSignersWhenNamesCannotBeLookedUp(t *testing.T) {
	mail, _ := signed(t, "From: <a@players.example>\r\nSubject: Zug\r\n\r\nx\r\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := Signers(ctx, mail, func(ctx context.Context, _ string) ([]string, error) { return nil, ctx.Err() })
	if len(got) != 0 {
		t.Errorf("%v", got)
	}
}
