package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// decode reads exactly one JSON value and refuses fields that v has not: what a
// newer program wrote must not be half understood.
func decode(raw json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}
