package compose

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"strings"
)

// writeBody writes the Content-Type field and everything after it.
func (m Mail) writeBody(out *bytes.Buffer) error {
	var alternative bytes.Buffer
	if err := m.writeAlternative(&alternative); err != nil {
		return err
	}
	if len(m.Attachments) == 0 {
		field(out, "Content-Type", m.multipart("alternative")...)
		out.WriteString("\r\n")
		_, err := alternative.WriteTo(out)
		return err
	}

	field(out, "Content-Type", m.multipart("mixed")...)
	out.WriteString("\r\n")
	mixed := multipart.NewWriter(out)
	if err := mixed.SetBoundary(m.boundary("mixed")); err != nil {
		return err
	}
	part, err := mixed.CreatePart(textproto.MIMEHeader{
		"Content-Type": {strings.Join(m.multipart("alternative"), "\r\n ")},
	})
	if err != nil {
		return err
	}
	if _, err := alternative.WriteTo(part); err != nil {
		return err
	}
	for _, a := range m.Attachments {
		if err := a.write(mixed); err != nil {
			return fmt.Errorf("attachment %q: %w", a.Name, err)
		}
	}
	return mixed.Close()
}

// multipart returns the tokens of the Content-Type of a multipart body.
func (m Mail) multipart(subtype string) []string {
	return []string{"multipart/" + subtype + ";", `boundary="` + m.boundary(subtype) + `"`}
}

// writeAlternative writes the text twice, the plain one first: a reader shows
// the last it can (RFC 2046, 5.1.4).
func (m Mail) writeAlternative(out *bytes.Buffer) error {
	text := clean(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(m.Text), "\n\t")
	w := multipart.NewWriter(out)
	if err := w.SetBoundary(m.boundary("alternative")); err != nil {
		return err
	}
	// Not format=flowed: it lets readers join lines, and tables need their columns.
	if err := writeText(w, "text/plain; charset=utf-8", text); err != nil {
		return err
	}
	if err := writeText(w, "text/html; charset=utf-8", m.page(text)); err != nil {
		return err
	}
	return w.Close()
}

// page returns text as a small HTML document. Lines are not wrapped
// (white-space: pre, not pre-wrap): they are short already where they may be,
// and a table whose rows wrap on a narrow screen cannot be read, whereas a
// wide one can be scrolled.
func (m Mail) page(text string) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"" + m.Lang + "\">\n")
	b.WriteString("<head><meta charset=\"utf-8\"><title>" + html.EscapeString(clean(m.Subject, "")) + "</title></head>\n")
	// HTML drops a line feed right after <pre>, so one is written for it to drop.
	b.WriteString("<body><pre style=\"font-family: Consolas, Menlo, 'DejaVu Sans Mono', monospace; white-space: pre\">\n")
	b.WriteString(html.EscapeString(text))
	b.WriteString("</pre></body>\n</html>\n")
	return b.String()
}

func writeText(w *multipart.Writer, contentType, text string) error {
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Type":              {contentType},
		"Content-Transfer-Encoding": {"quoted-printable"},
	})
	if err != nil {
		return err
	}
	q := quotedprintable.NewWriter(part)
	if _, err := q.Write([]byte(text)); err != nil {
		return err
	}
	return q.Close()
}

func (a Attachment) write(w *multipart.Writer) error {
	if !made(a.Name, 1, 30, alphanumeric+"._-") {
		return errors.New("its name must be 1 to 30 of A-Z a-z 0-9 . _ -")
	}
	mediaType, params, err := mime.ParseMediaType(a.ContentType)
	if err != nil {
		return fmt.Errorf("content type %q: %w", a.ContentType, err)
	}
	// base64 is not allowed on those two (RFC 2046, 5.1 and 5.2.1).
	kind, _, found := strings.Cut(mediaType, "/")
	contentType := mime.FormatMediaType(mediaType, params)
	if contentType == "" || !found || kind == "multipart" || kind == "message" {
		return fmt.Errorf("content type %q cannot be attached", a.ContentType)
	}
	folded := strings.Split(contentType, "; ")
	if longest(folded) > maxLine-len("Content-Type: ;") {
		return fmt.Errorf("content type %q has a parameter too long for one line", a.ContentType)
	}
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Type":              {strings.Join(folded, ";\r\n ")},
		"Content-Disposition":       {"attachment; filename=" + a.Name},
		"Content-Transfer-Encoding": {"base64"},
	})
	if err != nil {
		return err
	}
	encoded := base64.StdEncoding.AppendEncode(nil, a.Data)
	for len(encoded) > maxLine {
		if _, err := part.Write(append(encoded[:maxLine:maxLine], "\r\n"...)); err != nil {
			return err
		}
		encoded = encoded[maxLine:]
	}
	_, err = part.Write(append(encoded, "\r\n"...))
	return err
}
