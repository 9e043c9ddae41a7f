// Package migrations embeds the numbered SQL files that make and update the
// database; package store runs them.
package migrations

import "embed"

// Files holds the migrations in goose's format.
//
//go:embed *.sql
var Files embed.FS
