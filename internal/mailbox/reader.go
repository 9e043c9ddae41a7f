package mailbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// Stdin is the Mailbox of mails read one at a time.
const Stdin = "stdin"

// Read takes one mail from r, which arrived at the moment received. Its name is a digest of its content, so that
// the same mail given twice is known again. Of one of more than maxSize bytes the first HeadSize are kept; it is
// read to its end all the same, as whoever writes it expects.
func Read(r io.Reader, received time.Time, maxSize int64) (Mail, error) {
	digest := sha256.New()
	var raw bytes.Buffer
	size, err := raw.ReadFrom(io.TeeReader(io.LimitReader(r, maxSize+1), digest))
	if err != nil {
		return Mail{}, fmt.Errorf("read mail: %w", err)
	}
	m := Mail{Mailbox: Stdin, Received: received, Size: size, Raw: raw.Bytes()}
	if size > maxSize {
		rest, err := io.Copy(digest, r)
		if err != nil {
			return Mail{}, fmt.Errorf("read mail: %w", err)
		}
		m.Size += rest
		m.Raw = bytes.Clone(m.Raw[:headSize(maxSize)]) // the buffer is let go
	}
	m.Name = "sha256:" + hex.EncodeToString(digest.Sum(nil))
	return m, nil
}
