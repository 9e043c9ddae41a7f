package mailbox

import (
	"context"
	"errors"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// Wait returns nil when the server speaks of new mail (IDLE) or the poll interval is over. When ctx ends the
// connection stays good.
func (s *IMAP) Wait(ctx context.Context) error {
	c := s.current()
	if c == nil {
		return s.explain(nil, errors.New("wait: not connected"))
	}
	if c.at != s.inbox.folder {
		return nil // a poll selects it
	}
	work, leave := s.enter(context.WithoutCancel(ctx))
	defer leave()
	defer s.release(c)
	return s.explain(c, s.wait(ctx, work, c))
}

func (s *IMAP) wait(ctx, work context.Context, c *conn) error {
	over := s.config.Clock.After(s.config.Interval)
	for {
		select {
		case <-c.news: // spoken of since the last poll looked
			return nil
		default:
		}
		began := s.config.Clock.Now()
		idle, err := s.idle(work, c)
		if err = s.doWithoutIdle(c, err); err != nil {
			s.lostIdling(work, c, began)
			return err
		}
		var renew <-chan time.Time
		if idle != nil {
			renew = s.config.Clock.After(idleRenewal)
		}
		var again bool
		var result error
		select {
		case <-c.news:
		case <-over:
		case <-renew:
			again = true
		case <-ctx.Done():
			result = ctx.Err()
		case <-work.Done():
			c.dead = true
			return context.Cause(work)
		case <-c.client.Closed():
			c.dead = true
			if idle != nil {
				s.lostIdling(work, c, began)
			}
			return errors.New("connection lost while waiting for mail")
		}
		if idle != nil {
			_, err := ask(work, c, "end IDLE", func() (none, error) { return none{}, errors.Join(idle.Close(), idle.Wait()) })
			if err = s.doWithoutIdle(c, err); err != nil {
				return err
			}
			s.cutShort = 0
		}
		if !again {
			return result
		}
	}
}

// idle begins IDLE; it returns nil when the server does not have it, or it is left alone.
func (s *IMAP) idle(ctx context.Context, c *conn) (*imapclient.IdleCommand, error) {
	if !c.caps.Has(imap.CapIdle) || c.noIdle || !passed(s.idleAgain, s.config.Clock.Now(), idleRest) {
		return nil, nil
	}
	return ask(ctx, c, "begin IDLE", c.client.Idle)
}

// Some servers, and what watches over lines to them, cut each connection that idles. Connected to anew after each
// poll, they would take that for an attack.
const (
	idleCutShort = time.Minute // what lasted longer was not cut for its idling
	mostCutShort = 3           // in a row
	idleRest     = time.Hour   // for which there is no IDLE then
)

// lostIdling counts connections lost over IDLE.
func (s *IMAP) lostIdling(ctx context.Context, c *conn, began time.Time) {
	now := s.config.Clock.Now()
	if !c.dead || ctx.Err() != nil || now.Sub(began) > idleCutShort {
		return
	}
	if s.cutShort++; s.cutShort == mostCutShort {
		s.cutShort, s.idleAgain = 0, now.Add(idleRest)
		s.config.Logger.Warn("the connection breaks at each IDLE: new mail is seen at the next poll only, for now",
			"mailbox", s.Name(), "until", s.idleAgain)
	}
}

// doWithoutIdle takes the refusal of a server that announces IDLE for a word of it, and asks no more on this
// connection; the polls go on.
func (s *IMAP) doWithoutIdle(c *conn, err error) error {
	if err == nil || c.dead || throttled(err) {
		return err
	}
	if !c.noIdle {
		s.config.Logger.Info("the server refuses IDLE: new mail is seen at the next poll only", "mailbox", s.Name(), "err", err)
	}
	c.noIdle = true
	return nil
}
