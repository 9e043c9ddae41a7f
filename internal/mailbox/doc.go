// Package mailbox is where letters come from: an IMAP folder, a Maildir, or one mail on standard input.
//
// A source hands mails over in batches, oldest first, and puts them away only when they are stored. So a crash
// or a lost connection can hand a mail over twice but never lose one; whoever takes them knows a mail again by
// (Mailbox, UIDValidity, UID, Name). A Runner keeps a source going: poll, wait, reconnect.
//
// The package reads bytes and does not look into them. It imports none of the project's other packages, and no
// database.
package mailbox
