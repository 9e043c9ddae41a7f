//go:build !unix

package oauth

// entrust does nothing where files have no owner in numbers.
func entrust(string, string) error { return nil }
