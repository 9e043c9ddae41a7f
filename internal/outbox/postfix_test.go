package outbox_test

import (
	"net"
	"strconv"
	"strings"
	"testing"

	"ringpost/internal/mailtest"
	"ringpost/internal/outbox"
)

// TestPostfix hands mails in as a provider's submission port wants them: STARTTLS, login,
// and a server that knows who exists.
func TestPostfix(t *testing.T) {
	servers := mailtest.Start(t, mailtest.Options{})
	_, port, err := net.SplitHostPort(servers.Submission)
	if err != nil {
		t.Fatal(err)
	}
	tr := &outbox.SMTP{Host: "localhost", Security: outbox.StartTLS, TLS: servers.TLS(), HelloAs: "ringpost.test"}
	if tr.Port, err = strconv.Atoi(port); err != nil {
		t.Fatal(err)
	}

	tr.Auth = outbox.Password("gm", "wrong")
	if err := flush(t, by(tr, 1).Sender, 0, 0, 0); err == nil || !strings.Contains(err.Error(), "535 5.7.8") {
		t.Errorf("error %v with a wrong password", err)
	}

	tr.Auth = outbox.Password("gm", mailtest.Password)
	r := by(tr, 4)
	for i, to := range []string{servers.Box() + "@" + mailtest.Domain, "nobody@" + mailtest.Domain, "a@example.org", "somebody@" + mailtest.PlayerDomain} {
		r.queue.mails[i].item.To = to
	}
	if err := flush(t, r.Sender, 2, 0, 2); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{2, 3} {
		if got := r.queue.result(id); got.State != outbox.Failed || !strings.HasPrefix(got.Answer, "5") {
			t.Errorf("mail %d: %+v", id, got)
		}
	}
}
