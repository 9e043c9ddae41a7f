// Package templates embeds the words of every mail: <language>/<game>/<report>.txt.
package templates

import "embed"

// Files holds the templates; package report parses them.
//
//go:embed */*/*.txt
var Files embed.FS
