package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const tokens = "address='a@b.example'\n[imap]\nhost='h'\nuser='u'\n[oauth]\n"

func TestProviders(t *testing.T) {
	c, err := load(t, tokens+"provider='google'\nclient_id='id'\nclient_secret_file='pw'\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := OAuth{Provider: "google", ClientID: "id", ClientSecretFile: "pw", ClientSecret: "from file",
		AuthURL: "https://accounts.google.com/o/oauth2/v2/auth", TokenURL: "https://oauth2.googleapis.com/token",
		Scopes: []string{"https://mail.google.com/"}, AuthParams: map[string]string{"access_type": "offline", "prompt": "consent"}, RedirectHost: "127.0.0.1"}
	if diff := cmp.Diff(want, *c.OAuth); diff != "" {
		t.Errorf("Google (-want +got):\n%s", diff)
	}

	// What is set counts more than what is known.
	c, err = load(t, tokens+"provider='microsoft'\nclient_id='id'\ntoken_url='https://login.microsoftonline.com/mine/oauth2/v2.0/token'\nscopes=['x']\nauth_params={}\n",
		map[string]string{"RINGPOST_OAUTH_CLIENT_SECRET": "from variable"})
	if err != nil {
		t.Fatal(err)
	}
	want = OAuth{Provider: "microsoft", ClientID: "id", ClientSecret: "from variable",
		AuthURL:  "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
		TokenURL: "https://login.microsoftonline.com/mine/oauth2/v2.0/token", DeviceURL: "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
		Scopes: []string{"x"}, AuthParams: map[string]string{}, RedirectHost: "localhost"}
	if diff := cmp.Diff(want, *c.OAuth); diff != "" {
		t.Errorf("Microsoft (-want +got):\n%s", diff)
	}

	c, err = load(t, tokens+"client_id='id'\ntoken_url='http://127.0.0.1:80/t'\ndevice_url='https://p.example/d'\nscopes=['x']\n", nil)
	if err != nil || c.OAuth.AuthURL != "" || c.OAuth.RedirectHost != "127.0.0.1" || c.IMAP.Password != "" {
		t.Errorf("a provider of one's own: %+v, %v", c.OAuth, err)
	}
}

func TestOAuthRefuses(t *testing.T) {
	const google = "provider='google'\nclient_id='id'\n"
	for toml, want := range map[string]string{
		"":                           "client_id",
		"provider='yahoo'":           "none of [google microsoft]",
		"provider='google'":          "client_id",
		"client_id='id'":             "set a provider",
		google + "redirect_host='h'": "redirect_host",
		google + "scopes=[]":         "scopes",
		google + "auth_uri='x'":      "oauth.auth_uri is no setting",
		google + "token_url='x'":     "token_url",
		google + "token_url='http://p.example/t'":            "https",
		google + "token_url='https://me:pw@p.example'":       "no address",
		google + "auth_url='ftp://p.example/'":               "https",
		google + "device_url='https://'":                     "no address",
		google + "client_secret_file='missing'":              "oauth: reading the client's secret",
		google + "[smtp]\nhost='h'\n[sendmail]\ncommand='x'": "more than one",
	} {
		if _, err := load(t, tokens+toml, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", toml, err, want)
		}
	}
	for toml, want := range map[string]string{
		"[oauth]\n" + google:                                                   "no account",
		"[smtp]\nhost='h'\n[oauth]\n" + google:                                 "no account", // it does not log in
		"[imap]\nhost='h'\nuser='u'\npassword_file='pw'\n[oauth]\n" + google:   "no account",
		"[imap]\nhost='h'\nuser='u'\n[smtp]\nhost='h'\nuser='u'":               "or fill in [oauth]",
		"[imap]\nhost='h'\nuser='u'\npassword_file='pw'\n[lmtp]\nlisten='1:2'": "more than one of [imap], [maildir] and [lmtp]",
		"[lmtp]\n":            "lmtp.listen",
		"[lmtp]\nlisten=2424": "reading",
	} {
		if _, err := load(t, "address='a@b.example'\n"+toml, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", toml, err, want)
		}
	}
}

// TestOneOfTwo: an account with a password keeps it, the other takes tokens.
func TestOneOfTwo(t *testing.T) {
	c, err := load(t, tokens+"provider='google'\nclient_id='id'\n[smtp]\nhost='h'\nuser='u'\npassword_file='pw'\n", nil)
	if err != nil || c.IMAP.Password != "" || c.SMTP.Password != "from file" {
		t.Errorf("got %+v, %+v, %v", c.IMAP, c.SMTP, err)
	}
}
