package config

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// OAuth says how tokens are got for the accounts that have no password.
type OAuth struct {
	Provider         string            `toml:"provider"` // whose addresses and scopes to take; "" when they are set here
	ClientID         string            `toml:"client_id"`
	ClientSecretFile string            `toml:"client_secret_file"`
	ClientSecret     string            `toml:"-"` // from RINGPOST_OAUTH_CLIENT_SECRET or the file; not every provider gives one
	AuthURL          string            `toml:"auth_url"`
	TokenURL         string            `toml:"token_url"`
	DeviceURL        string            `toml:"device_url"` // "" where there is no device login for mail
	Scopes           []string          `toml:"scopes"`
	AuthParams       map[string]string `toml:"auth_params"`   // added to auth_url
	RedirectHost     string            `toml:"redirect_host"` // this machine's name for the browser: 127.0.0.1 or localhost
}

//go:embed providers.toml
var providers string

// complete takes from the provider what is not set, and checks the whole.
func (o *OAuth) complete() error {
	known := map[string]OAuth{}
	if _, err := toml.Decode(providers, &known); err != nil {
		return fmt.Errorf("reading the list of providers: %w", err)
	}
	preset, ok := known[o.Provider]
	if o.Provider != "" && !ok {
		return fmt.Errorf("provider: %q is none of %v; leave it out and set auth_url, token_url and scopes", o.Provider, slices.Sorted(maps.Keys(known)))
	}
	orString(&o.AuthURL, preset.AuthURL)
	orString(&o.TokenURL, preset.TokenURL)
	orString(&o.DeviceURL, preset.DeviceURL)
	orString(&o.RedirectHost, preset.RedirectHost)
	orString(&o.RedirectHost, "127.0.0.1")
	if o.Scopes == nil {
		o.Scopes = preset.Scopes
	}
	if o.AuthParams == nil {
		o.AuthParams = preset.AuthParams
	}
	switch {
	case o.ClientID == "":
		return errors.New("client_id is not set: the provider gives one when you register Ringpost there, see the README")
	case o.TokenURL == "" || o.AuthURL == "" && o.DeviceURL == "":
		return errors.New("set a provider, or token_url and one of auth_url and device_url")
	case len(o.Scopes) == 0:
		return errors.New("scopes is not set: the provider's names for IMAP and SMTP")
	case o.RedirectHost != "127.0.0.1" && o.RedirectHost != "localhost":
		return fmt.Errorf("redirect_host: %q is neither 127.0.0.1 nor localhost", o.RedirectHost)
	}
	for name, address := range map[string]string{"auth_url": o.AuthURL, "token_url": o.TokenURL, "device_url": o.DeviceURL} {
		if err := checkURL(address); address != "" && err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// checkURL wants an address that secrets can be sent to.
func checkURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return fmt.Errorf("%q is no address such as https://provider.example/token", address)
	}
	ip, err := netip.ParseAddr(u.Hostname())
	local := err == nil && ip.IsLoopback() || strings.EqualFold(u.Hostname(), "localhost")
	if u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return fmt.Errorf("%s would show secrets to the network: it must begin with https", address)
	}
	return nil
}
