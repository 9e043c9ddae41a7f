package postoffice

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/google/go-cmp/cmp"
)

func TestIdleTellsOfMail(t *testing.T) {
	o, _ := open(t, defaultLimits)
	c, counts := client(t, o, "gm")
	// One mail comes while the client is between two commands, one while it is idle: it hears of both.
	mustSend(t, o, "", text, "gm@pbem.test")
	idle, err := c.Idle()
	if err != nil {
		t.Fatal(err)
	}
	expect := func(want uint32) {
		t.Helper()
		for {
			select {
			case got := <-counts:
				if got == want {
					return
				}
			case <-time.After(limit):
				t.Fatalf("no word of mail %d", want)
			}
		}
	}
	expect(1)
	mustSend(t, o, "", text, "gm@pbem.test")
	expect(2)
	if err := idle.Close(); err != nil {
		t.Fatal(err)
	}
	if err := idle.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestMoveReportsEachMailOnce(t *testing.T) {
	o, _ := open(t, defaultLimits)
	for i := range 4 {
		mustSend(t, o, "", strings.Replace(text, "orders", fmt.Sprint("mail ", i+1), 1), "gm@pbem.test")
	}
	var mu sync.Mutex
	var gone []uint32
	c, err := imapclient.DialInsecure(o.IMAPAddr(), &imapclient.Options{
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{
			Expunge: func(n uint32) { mu.Lock(); gone = append(gone, n); mu.Unlock() },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Login("gm", password).Wait(); err != nil {
		t.Fatal(err)
	}
	if err := c.Create("Processed", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	data, err := c.Move(imap.UIDSetNum(1, 3), "Processed").Wait()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(data.SourceUIDs, data.DestUIDs); got != "1,3 1:2" {
		t.Errorf("COPYUID says %s", got)
	}
	mu.Lock()
	if diff := cmp.Diff([]uint32{3, 1}, gone); diff != "" {
		t.Errorf("EXPUNGE answers (-want +got):\n%s", diff)
	}
	mu.Unlock()
	if n := count(t, c, "Processed"); n != 2 {
		t.Errorf("%d mails were moved, want 2", n)
	}
	var left []imap.UID
	for _, m := range fetch(t, c, everything) {
		left = append(left, m.UID)
	}
	if diff := cmp.Diff([]imap.UID{2, 4}, left); diff != "" {
		t.Errorf("mails left (-want +got):\n%s", diff)
	}
}

func TestMissingMailsHurtNobody(t *testing.T) {
	o, _ := open(t, defaultLimits)
	mustSend(t, o, "", text, "gm@pbem.test")
	c, _ := client(t, o, "gm")
	if err := c.Create("Processed", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	missing := imap.UIDSetNum(7, 8)
	if _, err := c.Move(missing, "Processed").Wait(); err != nil {
		t.Errorf("move: %v", err)
	}
	if _, err := c.Copy(missing, "Processed").Wait(); err != nil {
		t.Errorf("copy: %v", err)
	}
	if got := fetch(t, c, missing); len(got) != 0 {
		t.Errorf("fetched %v", got)
	}
	flags := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagSeen}}
	if err := c.Store(missing, flags, nil).Close(); err != nil {
		t.Errorf("store: %v", err)
	}
	if n := count(t, c, "INBOX"); n != 1 {
		t.Errorf("the mail there is gone: %d left", n)
	}
}

func TestInboxStays(t *testing.T) {
	o, _ := open(t, defaultLimits)
	c, _ := client(t, o, "gm")
	if err := c.Delete("INBOX").Wait(); err == nil {
		t.Error("INBOX was deleted")
	}
	if err := c.Rename("inbox", "Old", nil).Wait(); err == nil {
		t.Error("INBOX was renamed")
	}
	mustSend(t, o, "", text, "gm@pbem.test")
}

func TestUIDValidity(t *testing.T) {
	validity := func(o *Office, folder string) (bySelect, byStatus uint32) {
		c, _ := client(t, o, "gm")
		if folder != "INBOX" {
			if err := c.Create(folder, nil).Wait(); err != nil {
				t.Fatal(err)
			}
		}
		status, err := c.Status(folder, &imap.StatusOptions{UIDValidity: true}).Wait()
		if err != nil {
			t.Fatal(err)
		}
		selected, err := c.Select(folder, nil).Wait()
		if err != nil {
			t.Fatal(err)
		}
		return selected.UIDValidity, status.UIDValidity
	}
	at := func(now time.Time, given uint32) *Office {
		o, err := Start(Options{Own: own, Password: password, UIDValidity: given, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { o.Close() })
		return o
	}

	first, status := validity(at(noon, 0), "INBOX")
	if first != status {
		t.Errorf("SELECT says %d, STATUS says %d", first, status)
	}
	if later, _ := validity(at(noon.Add(time.Second), 0), "INBOX"); later <= first {
		t.Errorf("the next start's UIDVALIDITY %d is not above %d", later, first)
	}
	o := at(noon, 4294967295)
	if v, _ := validity(o, "INBOX"); v != 1 {
		t.Errorf("UIDVALIDITY after the greatest is %d, want 1: zero is not allowed", v)
	}
	if v, s := validity(at(noon, 70), "Processed"); v != 72 || s != 72 {
		t.Errorf("the second folder's UIDVALIDITY is %d and %d, want 72", v, s)
	}

	// UIDPLUS answers must name the same validity.
	o = at(noon, 70)
	mustSend(t, o, "", text, "gm@pbem.test")
	c, _ := client(t, o, "gm")
	if err := c.Create("Processed", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	copied, err := c.Copy(imap.UIDSetNum(1), "Processed").Wait()
	if err != nil || copied.UIDValidity != 72 {
		t.Errorf("COPYUID %d, %v; want 72", copied.UIDValidity, err)
	}
	moved, err := c.Move(imap.UIDSetNum(1), "Processed").Wait()
	if err != nil || moved.UIDValidity != 72 {
		t.Errorf("COPYUID of MOVE %v, %v; want 72", moved, err)
	}
	appended := put(t, c, "INBOX", text)
	if appended.UIDValidity != 71 {
		t.Errorf("APPENDUID %d, want 71", appended.UIDValidity)
	}
}

func put(t *testing.T, c *imapclient.Client, folder, mail string) *imap.AppendData {
	t.Helper()
	cmd := c.Append(folder, int64(len(mail)), nil)
	if _, err := cmd.Write([]byte(mail)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := cmd.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAppendUsesTheOfficesClock(t *testing.T) {
	o, _ := open(t, defaultLimits)
	c, _ := client(t, o, "gm")
	put(t, c, "INBOX", text)
	if diff := cmp.Diff([]fetched{{1, noon, int64(len(text)), text}}, fetch(t, c, everything)); diff != "" {
		t.Errorf("mail (-want +got):\n%s", diff)
	}
}

// TestManyAtOnce has senders, readers and movers work on one mailbox, two of them in opposite directions.
func TestManyAtOnce(t *testing.T) {
	const senders, each = 4, 15
	o, deliveries := open(t, defaultLimits)
	setup, _ := client(t, o, "gm")
	if err := setup.Create("Processed", nil).Wait(); err != nil {
		t.Fatal(err)
	}

	var work sync.WaitGroup
	for i := range senders {
		work.Go(func() {
			for j := range each {
				if err := send(o, "", text, fmt.Sprintf("gm+%d.%d@pbem.test", i, j), "all@players.test"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, way := range [][2]string{{"INBOX", "Processed"}, {"Processed", "INBOX"}} {
		c, _ := client(t, o, "gm")
		work.Go(func() {
			for range 3 * each {
				if _, err := c.Select(way[0], nil).Wait(); err != nil {
					t.Error(err)
					return
				}
				if _, err := c.Move(everything, way[1]).Wait(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	reader, _ := client(t, o, "all@players.test")
	work.Go(func() {
		for range each {
			idle, err := reader.Idle()
			if err != nil {
				t.Error(err)
				return
			}
			if err := idle.Close(); err != nil {
				t.Error(err)
			}
			if err := idle.Wait(); err != nil {
				t.Error(err)
			}
			if _, err := reader.Fetch(everything, &imap.FetchOptions{UID: true, Flags: true}).Collect(); err != nil {
				t.Error(err)
			}
		}
	})
	work.Wait()

	if n := len(deliveries); n != 2*senders*each {
		t.Errorf("%d deliveries, want %d", n, 2*senders*each)
	}
	if n := count(t, setup, "INBOX") + count(t, setup, "Processed"); n != senders*each {
		t.Errorf("%d mails in both folders, want %d", n, senders*each)
	}
	if n := count(t, reader, "INBOX"); n != senders*each {
		t.Errorf("%d mails for all, want %d", n, senders*each)
	}
}

// A mail the client has not been told of has no sequence number yet; it must not be spoken of as number 0.
func TestNewMailIsAnnouncedFirst(t *testing.T) {
	o, _ := open(t, defaultLimits)
	c, counts := client(t, o, "gm")
	mustSend(t, o, "", text, "gm@pbem.test")
	if early := fetch(t, c, everything); len(early) != 0 {
		t.Errorf("fetched %v before it was announced", early)
	}
	select {
	case n := <-counts:
		if n != 1 {
			t.Errorf("announced %d mails, want 1", n)
		}
	default:
		t.Error("the mail was not announced with the command's end")
	}
	if got := fetch(t, c, everything); len(got) != 1 {
		t.Errorf("fetched %d mails, want 1", len(got))
	}
}
