// Package postoffice is the built-in mail server: SMTP in, IMAP out, on this machine only. It is there so that
// a game can be tried, demonstrated and tested without a mail account.
//
// Everything is in memory and gone at the end. Memory is bounded: a mail is at most 10 MB with its trace headers;
// a folder holds at most 5,000 mails and 64 MB. A full INBOX refuses further mail for a time (452); every other
// folder drops its oldest mails instead, since they were read and put away. There are at most 1,000 mailboxes of
// 50 folders.
//
// Of the project's packages it imports whole alone: the game master's side speaks IMAP and SMTP with it as
// with any other server.
package postoffice
