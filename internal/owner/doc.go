// Package owner leaves files to whom the data folder belongs: what root makes there by
// a command beside the server, the server must be able to read.
package owner
