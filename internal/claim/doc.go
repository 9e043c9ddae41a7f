// Package claim keeps two servers from reading one mailbox by mistake, and an old copy of a database from
// answering again what has been answered.
//
// A mark in the mailbox names the data folder that owns it, the process that serves it, and how far its database
// had come: a number that only rises. The oldest mark says whose the mailbox is; of the owner's marks the newest
// says which process reads it, so that a copy of a data folder is noticed too. A database that is behind its own
// mark is an old copy, restored from a backup.
//
// Of the project's packages it imports mailbox, whose Source it is.
package claim
