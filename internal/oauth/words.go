package oauth

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"golang.org/x/oauth2"

	"ringpost/internal/secret"
)

// refusal is the provider's No.
type refusal struct {
	code   string // RFC 6749 section 5.2, "" if the answer had none
	status int    // of HTTP
	said   string // in one line, without secrets
}

func (r *refusal) Error() string { return r.said }

// passing tells whether the same request may succeed later.
func passing(err error) bool {
	var r *refusal
	return !errors.As(err, &r) || r.status >= 500 || r.status == http.StatusTooManyRequests
}

// explain words an error of the library and says what to do. The library quotes the provider's whole answer,
// which can hold what was asked; here only the standard fields count, and the secrets given are struck out.
func (a *Account) explain(err error, secrets ...string) error {
	var answer *oauth2.RetrieveError
	if !errors.As(err, &answer) {
		return err
	}
	said := fmt.Sprintf("the provider answers %s", answer.Response.Status)
	if answer.ErrorCode != "" {
		said = "the provider says " + answer.ErrorCode
		if answer.ErrorDescription != "" {
			said += " (" + answer.ErrorDescription + ")"
		}
	}
	switch answer.ErrorCode {
	case "invalid_grant", "expired_token":
		said += "; the consent has expired or was withdrawn: run `" + a.Renew + "` again"
	case "access_denied":
		said += "; the consent was refused: run `" + a.Renew + "` again"
	case "invalid_client", "unauthorized_client":
		said += "; check client_id and the client's secret in [oauth]"
	case "invalid_scope":
		said += "; check scopes in [oauth]"
	}
	return &refusal{code: answer.ErrorCode, status: answer.Response.StatusCode, said: secret.Strike(oneLine(said), append(secrets, a.Secret)...)}
}

// oneLine makes of foreign words one line that no terminal takes for commands.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.Join(strings.Fields(s), " ")
}
