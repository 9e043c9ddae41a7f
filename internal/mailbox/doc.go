// Package mailbox is where letters come from: an IMAP folder, a Maildir, or one mail on standard input.
//
// A source hands mails over in batches, oldest first, and puts them away only when they are stored. So a crash
// or a lost connection can hand a mail over twice but never lose one; whoever takes them knows a mail again by
// (Mailbox, UIDValidity, UID, Name). A Runner keeps a source going: poll, wait, reconnect.
//
// Marks left in a mailbox tell other programs that read it whose it is; what was put away can be read again.
//
// The package reads bytes and does not look into them. Of the project's packages it imports secret alone, and no
// database.
package mailbox
