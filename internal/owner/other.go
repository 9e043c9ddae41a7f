//go:build !unix

package owner

// Entrust does nothing where files have no owner in numbers.
func Entrust(string, string) error { return nil }
