package letter

import (
	"bytes"
	"regexp"
	"strings"
)

// inline is the text found in a mail, and why there may be none.
type inline struct {
	rows      []row
	rich      bool   // some of it was HTML
	problem   string // a limit was exceeded
	report    bool   // the mail holds a delivery or disposition report
	encrypted bool   // a part of it is encrypted
	tnef      bool   // a part of it is winmail.dat
	garbled   bool   // a text part was there and nothing could be read of it
}

func (in inline) whyEmpty() string {
	switch {
	case in.encrypted:
		return ProblemEncrypted
	case in.tnef:
		return ProblemTNEF
	case in.garbled:
		return ProblemUnread
	}
	return ProblemEmpty
}

// inlineText collects the text of a mail's inline text parts in their order.
func inlineText(root entity) inline {
	var c collector
	c.left = MaxText
	return c.collect(root, alone)
}

// place is where a part stands: a file name means something else in each.
type place int

const (
	alone   place = iota // the whole mail, or one of several alternatives
	leading              // the first part of several
	later
)

// collector walks the MIME tree; left is how much more text it may decode.
type collector struct{ left int }

func (c *collector) collect(e entity, at place) inline {
	switch {
	case strings.HasPrefix(e.kind, "multipart/"):
		return c.multipart(e)
	case e.kind == "message/delivery-status", e.kind == "message/disposition-notification", e.kind == "message/feedback-report":
		return inline{report: true}
	case e.kind == "application/pkcs7-mime", e.kind == "application/x-pkcs7-mime", e.kind == "application/pgp-encrypted":
		return inline{encrypted: true}
	case e.kind == "application/ms-tnef", strings.EqualFold(e.fileName(), "winmail.dat"):
		return inline{tnef: true}
	case e.attached(at):
		return inline{}
	case e.kind == "text/plain", e.kind == "text/html", e.kind == "text/markdown", e.kind == "text/enriched":
		return c.text(e)
	}
	return inline{}
}

func (c *collector) multipart(e entity) inline {
	all := inline{report: e.kind == "multipart/report", encrypted: e.kind == "multipart/encrypted"}
	var plain, rich []row // of an alternative
	for i, child := range e.children {
		alternative := e.kind == "multipart/alternative"
		at := later
		switch {
		case alternative:
			at = alone
		case i == 0:
			at = leading
		}
		in := c.collect(child, at)
		all.report = all.report || in.report
		all.encrypted = all.encrypted || in.encrypted
		all.tnef = all.tnef || in.tnef
		all.garbled = all.garbled || in.garbled
		if all.problem == "" {
			all.problem = in.problem
		}
		switch {
		case !alternative:
			all.rows = append(all.rows, in.rows...)
			all.rich = all.rich || in.rich
		case in.rich && allBlank(rich):
			rich = in.rows
		case !in.rich && allBlank(plain):
			plain = in.rows
		}
	}
	if e.kind == "multipart/alternative" {
		all.rows, all.rich = chooseAlternative(plain, rich)
	}
	return all
}

// text decodes a text part.
func (c *collector) text(e entity) inline {
	if len(e.body) > MaxSize {
		return inline{problem: ProblemTooLarge}
	}
	raw := decodeTransfer(e.body, e.head.get("content-transfer-encoding"))
	charset := e.params["charset"]
	if charset == "" && (e.kind == "text/html" || isHTML(string(raw))) {
		charset = declaredInHTML(raw)
	}
	text := decodeText(raw, charset)
	if e.kind == "text/html" && hasTags(text) || isHTML(text) {
		rows, size := htmlRows(text, c.left)
		if c.left -= size; c.left < 0 {
			return inline{problem: ProblemTooLarge}
		}
		return inline{rows: rows, rich: true}
	}
	if len(raw) > c.left {
		return inline{problem: ProblemTooLarge}
	}
	c.left -= len(raw)
	flowed := strings.EqualFold(e.params["format"], "flowed")
	rows := plainRows(text, flowed, strings.EqualFold(e.params["delsp"], "yes"))
	rows, encrypted := removeArmor(rows)
	return inline{rows: rows, encrypted: encrypted, garbled: allBlank(rows) && len(bytes.TrimSpace(raw)) > 0}
}

// attached reports whether a part is a file rather than text of the letter: it says
// so, or it has a file name. A body that stands alone may have one, and some
// programs name the leading part's Content-Type.
func (e entity) attached(at place) bool {
	disposition, params := mediaType(e.head.get("content-disposition"))
	switch {
	case disposition == "attachment":
		return true
	case at == alone:
		return false
	case at == leading:
		return params["filename"] != ""
	}
	return e.fileName() != ""
}

func (e entity) fileName() string {
	if _, params := mediaType(e.head.get("content-disposition")); params["filename"] != "" {
		return params["filename"]
	}
	return e.params["name"]
}

// isHTML recognises HTML that is declared as something else.
func isHTML(text string) bool {
	start := strings.ToLower(strings.TrimSpace(text[:min(len(text), 512)]))
	return strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html")
}

var tag = regexp.MustCompile(`(?i)<(?:!doctype|/?(?:html|head|body|style|meta|div|p|br|span|font|table|tr|td|pre|blockquote|ul|ol|li|h[1-6]|hr|center|b|i|u|em|strong|a|img))\b`)

// hasTags tells HTML from plain text that is declared as HTML.
func hasTags(text string) bool { return tag.MatchString(text) }

func allBlank(rows []row) bool {
	for _, r := range rows {
		if !r.blank() {
			return false
		}
	}
	return true
}

// removeArmor takes OpenPGP's armour (RFC 9580 sections 6.2 and 7) away: of signed
// text the frame and the signature, of encrypted text all. Line numbers stay.
func removeArmor(rows []row) (out []row, encrypted bool) {
	const (
		outside = iota
		signedHead
		signed
		armored
	)
	state := outside
	for i, r := range rows {
		if r.depth > 0 {
			continue
		}
		marker := strings.HasPrefix(r.text, "-----BEGIN PGP ")
		switch {
		case marker && strings.HasPrefix(r.text, "-----BEGIN PGP SIGNED MESSAGE-----"):
			state, rows[i].text = signedHead, ""
		case marker && armorEnds(rows[i+1:]):
			encrypted = encrypted || strings.HasPrefix(r.text, "-----BEGIN PGP MESSAGE-----")
			state, rows[i].text = armored, ""
		case state == signedHead:
			rows[i].text = ""
			if r.blank() {
				state = signed
			}
		case state == signed:
			rows[i].text = strings.TrimPrefix(r.text, "- ")
			if rows[i].text == "--" { // "- -- " lost its trailing blank to cleaning
				rows[i].text = "-- "
			}
		case state == armored:
			rows[i].text = ""
			if strings.HasPrefix(r.text, "-----END PGP ") {
				state = outside
			}
		}
	}
	return rows, encrypted
}

// armorEnds reports whether an armour begun is closed; if not, text below a stray
// line would be lost.
func armorEnds(rows []row) bool {
	for _, r := range rows {
		if strings.HasPrefix(r.text, "-----END PGP ") {
			return true
		}
		if strings.HasPrefix(r.text, "-----BEGIN PGP ") {
			return false
		}
	}
	return false
}
