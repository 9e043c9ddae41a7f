package letter

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// ContentKey is the hex SHA-256 by which the same mail delivered again is known: from
// another folder, with header fields added on the way, with other line ends. It
// covers From, Date, Message-ID, Subject and the raw body, so that another mail under
// the same Message-ID has another key.
func ContentKey(raw []byte) string {
	head, body := splitMail(foldLineEnds(raw))
	return key(head, body)
}

// HeadKey is ContentKey for a mail of which only the beginning is there: the body is
// left out.
func HeadKey(beginning []byte) string {
	head, _ := splitMail(foldLineEnds(beginning))
	return key(head, nil)
}

func key(head header, body []byte) string {
	hash := sha256.New()
	for _, name := range []string{"from", "date", "message-id", "subject"} {
		for _, value := range head.all(name) {
			fmt.Fprintf(hash, "%s %d %s\n", name, len(value), value)
		}
	}
	hash.Write([]byte("\n"))
	hash.Write(bytes.TrimRight(body, " \t\n")) // some stores add or drop line ends at the end
	return hex.EncodeToString(hash.Sum(nil))
}
