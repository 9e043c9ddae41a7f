// Package oauth logs in to mail accounts by tokens instead of passwords, as Gmail and Microsoft 365 ask for it
// (OAuth 2.0, RFC 6749).
//
// An Account asks its owner once for his consent, in a browser on this machine or by a code that he enters
// anywhere. What the provider gives for it lies in a file of the data folder, readable by its owner alone. Before
// each login the access token is refreshed if it has little time left.
//
// The package knows tokens and the two SASL mechanisms that carry them, but no mail server and no configuration.
// Of the project's packages it imports secret: no token, code or secret is ever in its logs or errors.
package oauth
