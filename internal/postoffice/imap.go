package postoffice

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"log"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

func newIMAP(o *Office, errorLog *log.Logger) *imapserver.Server {
	return imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &session{office: o}, nil, nil
		},
		// IDLE comes with IMAP4rev1. IMAP4rev2 and LIST-STATUS are left out: their answers would carry the
		// memory server's own UIDVALIDITY.
		Caps: imap.CapSet{
			imap.CapIMAP4rev1: {}, imap.CapNamespace: {}, imap.CapUIDPlus: {}, imap.CapMove: {},
		},
		InsecureAuth: true, // loopback only
		Logger:       errorLog,
	})
}

// hash makes passwords of one length.
func hash(password string) [32]byte { return sha256.Sum256([]byte(password)) }

// passwordIs compares in constant time.
func (o *Office) passwordIs(password string) bool {
	given := hash(password)
	return subtle.ConstantTimeCompare(given[:], o.password[:]) == 1
}

// login opens the mailbox a login name stands for; nil when name or password are wrong.
func (o *Office) login(name, password string) *account {
	a, ok := parseAddress(name)
	if !ok {
		a, ok = parseAddress(name + "@" + o.post.own.domain)
		ok = ok && a == o.post.own
	}
	if !o.passwordIs(password) || !ok {
		return nil
	}
	return o.post.account(a)
}

// session is one IMAP connection. It keeps clients clear of what the memory server does not do well; each
// method below says what.
type session struct {
	*imapmemserver.UserSession // nil before the login
	office                     *Office
	account                    *account
}

var (
	_ imapserver.SessionNamespace   = (*session)(nil)
	_ imapserver.SessionMove        = (*session)(nil)
	_ imapserver.SessionAppendLimit = (*session)(nil)
)

// Login opens a mailbox.
func (s *session) Login(name, password string) error {
	acc := s.office.login(name, password)
	if acc == nil {
		return imapserver.ErrAuthFailed
	}
	s.account = acc
	s.UserSession = imapmemserver.NewUserSession(acc.user)
	return nil
}

// validity is what clients see of the memory server's UIDVALIDITY, which counts from 1 in each process.
func (s *session) validity(folder uint32) uint32 {
	if v := s.office.post.validity + folder; v != 0 {
		return v
	}
	return 1 // zero is not allowed (RFC 3501 section 9, nz-number)
}

// Select opens a folder.
func (s *session) Select(folder string, options *imap.SelectOptions) (*imap.SelectData, error) {
	data, err := s.UserSession.Select(folder, options)
	if err != nil {
		return nil, err
	}
	data.UIDValidity = s.validity(data.UIDValidity)
	return data, nil
}

// Status tells about a folder.
func (s *session) Status(folder string, options *imap.StatusOptions) (*imap.StatusData, error) {
	data, err := s.UserSession.Status(folder, options)
	if err != nil {
		return nil, err
	}
	if options.UIDValidity {
		data.UIDValidity = s.validity(data.UIDValidity)
	}
	return data, nil
}

// Create makes a folder.
func (s *session) Create(folder string, options *imap.CreateOptions) error {
	return s.account.change(func() error {
		if s.account.folders >= s.account.limits.folders {
			return refusal(imap.ResponseCodeLimit, "This mailbox has all the folders it may have")
		}
		if err := s.UserSession.Create(folder, options); err != nil {
			return err
		}
		s.account.folders++
		return nil
	})
}

// Delete removes a folder, but never INBOX, where mail arrives (RFC 3501 section 6.3.4).
func (s *session) Delete(folder string) error {
	if folder == inbox {
		return refusal(imap.ResponseCodeCannot, "INBOX cannot be deleted")
	}
	return s.account.change(func() error {
		if err := s.UserSession.Delete(folder); err != nil {
			return err
		}
		s.account.folders--
		return nil
	})
}

// Rename renames a folder, but never INBOX: the memory server would leave none behind.
func (s *session) Rename(from, to string, options *imap.RenameOptions) error {
	if from == inbox {
		return refusal(imap.ResponseCodeCannot, "INBOX cannot be renamed")
	}
	return s.account.change(func() error { return s.UserSession.Rename(from, to, options) })
}

// AppendLimit is the size of a mail that can be put into a folder.
func (s *session) AppendLimit() uint32 { return uint32(s.office.post.limits.mail) }

// Append puts a mail into a folder, at the office's own time unless the client names one.
func (s *session) Append(folder string, r imap.LiteralReader, options *imap.AppendOptions) (*imap.AppendData, error) {
	// The mail is read before the mailbox is locked, so that a slow client holds up nobody.
	var mail bytes.Buffer
	if _, err := mail.ReadFrom(r); err != nil {
		return nil, err
	}
	if options.Time.IsZero() {
		options.Time = s.office.post.now()
	}
	var data *imap.AppendData
	err := s.account.change(func() (err error) {
		if err = s.makeRoom(folder); err == nil {
			data, err = s.UserSession.Append(folder, literal(mail.Bytes()), options)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	data.UIDValidity = s.validity(data.UIDValidity)
	return data, nil
}

// makeRoom readies a folder for more mail.
func (s *session) makeRoom(folder string) error {
	if folder != inbox {
		return s.account.trim(folder)
	}
	if s.account.full(inbox) {
		return refusal(imap.ResponseCodeOverQuota, "INBOX is full")
	}
	return nil
}

// Copy copies mails. The memory server would end the connection when none of them exists.
func (s *session) Copy(mails imap.NumSet, folder string) (*imap.CopyData, error) {
	var data *imap.CopyData
	err := s.account.change(func() (err error) {
		data, err = s.copy(mails, folder)
		return err
	})
	return data, err
}

// copy returns nil when no mail was copied. The account is locked.
func (s *session) copy(mails imap.NumSet, folder string) (*imap.CopyData, error) {
	if err := s.makeRoom(folder); err != nil {
		return nil, err
	}
	data, err := s.UserSession.Copy(mails, folder)
	if err != nil || len(data.SourceUIDs) == 0 {
		return nil, err
	}
	data.UIDValidity = s.validity(data.UIDValidity)
	return data, nil
}

// Move moves mails. The memory server's own answers with wrong sequence numbers, and tells each twice; so mails
// are copied and removed, and the report of what is gone is left to the end of the command.
func (s *session) Move(w *imapserver.MoveWriter, mails imap.NumSet, folder string) error {
	var data *imap.CopyData
	err := s.account.change(func() (err error) {
		data, err = s.copy(mails, folder)
		if err != nil || data == nil {
			return err
		}
		deleted := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
		if err := s.UserSession.Store(nil, data.SourceUIDs, deleted, nil); err != nil {
			return err
		}
		return s.UserSession.Expunge(nil, &data.SourceUIDs)
	})
	if err != nil || data == nil {
		return err
	}
	return w.WriteCopyData(data)
}

// Store changes flags.
func (s *session) Store(w *imapserver.FetchWriter, mails imap.NumSet, flags *imap.StoreFlags, options *imap.StoreOptions) error {
	known, err := s.known(mails)
	if err != nil || known == nil {
		return err
	}
	return s.account.change(func() error { return s.UserSession.Store(w, known, flags, options) })
}

// Expunge removes what is marked deleted.
func (s *session) Expunge(w *imapserver.ExpungeWriter, uids *imap.UIDSet) error {
	return s.account.change(func() error { return s.UserSession.Expunge(w, uids) })
}

// Fetch reads mails.
func (s *session) Fetch(w *imapserver.FetchWriter, mails imap.NumSet, options *imap.FetchOptions) error {
	known, err := s.known(mails)
	if err != nil || known == nil {
		return err
	}
	return s.UserSession.Fetch(w, known, options)
}

// known turns UIDs into the sequence numbers the client was told of, nil if there is none. Of a mail that has
// just arrived the memory server would speak as number 0.
func (s *session) known(mails imap.NumSet) (imap.NumSet, error) {
	uids, ok := mails.(imap.UIDSet)
	if !ok {
		return mails, nil
	}
	found, err := s.UserSession.Search(imapserver.NumKindSeq, &imap.SearchCriteria{UID: []imap.UIDSet{uids}}, &imap.SearchOptions{})
	if err != nil {
		return nil, err
	}
	if nums := found.All.(imap.SeqSet); len(nums) > 0 {
		return nums, nil
	}
	return nil, nil
}

// Idle reports changes until stop. The memory server's own misses those that came between the last command and
// IDLE; here a change is looked for after the wait for the next one is set up.
func (s *session) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	for {
		next := s.account.nextChange()
		if err := s.Poll(w, true); err != nil {
			return err
		}
		select {
		case <-next:
		case <-stop:
			return nil
		}
	}
}

func refusal(code imap.ResponseCode, text string) error {
	return &imap.Error{Type: imap.StatusResponseTypeNo, Code: code, Text: text}
}

// literal is a mail as the memory server wants to read it.
func literal(mail []byte) imap.LiteralReader { return bytes.NewReader(mail) }
