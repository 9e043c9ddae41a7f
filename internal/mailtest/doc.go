// Package mailtest starts a real mail server for tests: a private Dovecot (IMAP, LMTP) and Postfix
// (SMTP, submission) on free loopback ports, with their files in a folder of their own.
//
// It needs Linux, root (both servers drop privileges themselves), Dovecot 2.3 with its IMAP and LMTP
// parts, and Postfix 3.6 or newer; on Debian and Ubuntu that is
//
//	apt-get install -y --no-install-recommends dovecot-imapd dovecot-lmtpd postfix
//
// Where they are missing a test that asks for them is skipped, and fails when the environment says CI=true.
// No system-wide configuration is read or changed. Listen is for servers that misbehave. Only tests may import this
// package.
package mailtest
