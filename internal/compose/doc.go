// Package compose turns one outgoing mail into its bytes (RFC 5322 and MIME).
//
// It is pure: the same Mail gives the same bytes, whenever and wherever it is
// asked, so that a mail can be composed inside the transaction that queues it
// and again in a test. It imports no os, net or database/sql, and reads no
// clock; the date and the Message-ID are the caller's.
//
// Every mail is multipart/alternative: the plain text, and the same text in an
// HTML <pre>, because many mail readers show plain text in a proportional font
// and tables fall apart there. Every line is at most 76 octets unless a single
// address or identifier is longer than that.
//
// Names, subjects and texts may hold what players wrote. Whatever stands in
// them, no header line and no MIME part can be made by it: control characters
// become blanks, and everything outside printable ASCII is encoded. Addresses,
// identifiers and the fixed words of the header are refused when malformed.
package compose
