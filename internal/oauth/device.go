package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/oauth2"
)

// AskDevice gets the owner's consent by a code that he enters on any machine (RFC 8628) and keeps the token. show
// is given the address to open and the code to enter there.
func (a *Account) AskDevice(ctx context.Context, show func(address, code string)) error {
	if a.DeviceURL == "" {
		return fmt.Errorf("the provider offers no mail by device codes: run `%s` without --device; the browser may be on another machine", a.Renew)
	}
	config := a.config("")
	began, err := config.DeviceAuth(a.reach(ctx))
	if err != nil {
		return fmt.Errorf("asking for a device code: %w", a.explain(err))
	}
	show(oneLine(began.VerificationURI), oneLine(began.UserCode))
	token, err := a.await(ctx, config, began)
	if err != nil {
		return fmt.Errorf("waiting for the consent: %w", a.explain(err, began.DeviceCode))
	}
	return a.keep(ctx, token)
}

// errExpired is an error of our own, since not every provider says expired_token before the time is over.
var errExpired = errors.New("the code was not entered in time: begin again")

// await asks the provider again and again, at his pace, until the owner has decided.
func (a *Account) await(ctx context.Context, config *oauth2.Config, began *oauth2.DeviceAuthResponse) (*oauth2.Token, error) {
	until := began.Expiry
	if until.IsZero() { // required by RFC 8628 section 3.2
		return nil, errors.New("the provider does not say how long its code is good")
	}
	ctx, cancel := context.WithDeadlineCause(ctx, until, errExpired)
	defer cancel()
	began.Expiry = time.Time{} // or the library would end its waiting by a deadline of its own
	for {
		token, err := config.DeviceAccessToken(a.reach(ctx), began)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var unreachable *url.Error
		var answer *oauth2.RetrieveError
		if !errors.As(err, &unreachable) && (!errors.As(err, &answer) || answer.Response.StatusCode < http.StatusInternalServerError) {
			return token, err
		}
		// RFC 8628 section 3.5: a provider out of reach, or out of order, is asked less often.
		began.Interval += int64((5 * time.Second).Seconds())
	}
}
