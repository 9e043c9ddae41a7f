package letter

import "testing"

func TestDeliveryStatus(t *testing.T) {
	const head = "From: MAILER-DAEMON@mx.example\nReturn-Path: <>\nAuto-Submitted: auto-replied\n"
	for _, c := range []struct{ name, raw, want string }{
		{"RFC 3464", head + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\n" +
			"Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; x@y.example\nAction: failed\nStatus: 5.1.1\n\n--b--\n", "5.1.1"},
		{"delayed", head + "\nAction: delayed\nStatus: 4.4.1\n", "4.4.1"},
		{"several recipients", head + "\nStatus: 2.0.0\n\nStatus: 5.2.1\n\nStatus: 4.0.0\n", "5.2.1"},
		{"prose with a status", head + "\nThe server said: 550 5.1.10 no such user\n", "5.1.10"},
		{"prose with a code", head + "\n<x@y.example>: host mx said: 550 unknown user\n", "5.0.0"},
		{"no report", "From: a@b.example\n\nI had 550 points.\n", ""},
		{"a vacation note", head + "\nI am away until 5.1.\n", ""},
	} {
		if got := Read([]byte(c.raw), Options{}).Status; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
