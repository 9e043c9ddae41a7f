// Package letter reads an incoming mail: raw MIME bytes go in, a Letter comes
// out that says who wrote, what the receiving server says of the sender, whether
// an answer may go out at all, and which lines the sender wrote himself.
//
// Two promises shape it. No line a player typed is lost: whatever mail programs
// do to headers, charsets, transfer encodings and MIME structure is repaired
// rather than refused, and every line of the clean text is either in Lines or in
// Quoted. And nothing is taken from somebody else: text inside a quote, an
// attached file or a forwarded mail is never among the sender's own lines.
//
// The MIME structure is read here and not by a MIME library: those at hand refuse
// a whole mail for one bad header line, lose the rest of a body after one bad
// escape, or take quadratic time in nested mails. HTML is rendered here, on the
// tokenizer of golang.org/x/net/html, because renderers at hand put a blank
// between adjacent inline elements ("2<b>/</b>3" becomes "2 / 3") and break long
// lines; either would misread an order.
//
// The package is pure: it may not import os, net, time, database/sql or math/rand.
package letter
