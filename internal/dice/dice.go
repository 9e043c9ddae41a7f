// Package dice makes the random numbers of a game from its secret, so that
// anyone can check them afterwards (G-1, G-2): seeds, commitments and the named
// streams of a round. It is pure and imports nothing of the project but game.
package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"golang.org/x/crypto/chacha20"

	"ringpost/internal/game"
)

// Secret is a game's 32 secret bytes; every seed of the game follows from it.
type Secret [32]byte

// Seed is the seed of one round: all its dice follow from it.
type Seed [32]byte

// Round has the two seeds of a round: the one that its report reveals, and the one
// that stays secret until the game ends (G-2).
type Round struct{ Open, Hidden Seed }

// Stream opens a stream of the revealed seed.
func (r Round) Stream(purpose, subject string) game.Stream { return r.Open.Stream(purpose, subject) }

// Sealed are the dice of the secret seed.
func (r Round) Sealed() game.Dice { return r.Hidden }

// ParseSecret reads 64 hex digits.
func ParseSecret(s string) (Secret, error) {
	b, err := parse(s)
	return Secret(b), err
}

// ParseSeed reads 64 hex digits.
func ParseSeed(s string) (Seed, error) {
	b, err := parse(s)
	return Seed(b), err
}

func parse(s string) (out [32]byte, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(out) {
		return out, fmt.Errorf("want 64 hex digits (0-9, a-f), got %d characters", len(s))
	}
	copy(out[:], b)
	return out, nil
}

// Seed is the seed of a round: HMAC-SHA256(secret, "game/branch/round") (G-2).
func (s Secret) Seed(gameID string, branch, round int) Seed {
	return s.seed(fmt.Sprintf("%s/%d/%d", gameID, branch, round))
}

// Sealed is a round's second seed, for what stays hidden until the game ends:
// HMAC-SHA256(secret, "sealed/game/branch/round"). The commitment to the secret
// binds it, too, and it is revealed with the secret (G-2).
func (s Secret) Sealed(gameID string, branch, round int) Seed {
	return s.seed(fmt.Sprintf("sealed/%s/%d/%d", gameID, branch, round))
}

// Round is Seed and Sealed of a round.
func (s Secret) Round(gameID string, branch, round int) Round {
	return Round{Open: s.Seed(gameID, branch, round), Hidden: s.Sealed(gameID, branch, round)}
}

// Sparring is the seed of a seat's nth sparring in a round: HMAC-SHA256(secret,
// "sparring/game/branch/round/seat/n"). It is no round's, and tells nothing of one.
func (s Secret) Sparring(gameID string, branch, round int, seat game.SeatID, n int) Seed {
	return s.seed(fmt.Sprintf("sparring/%s/%d/%d/%s/%d", gameID, branch, round, seat, n))
}

// Derive makes 32 bytes, in hex, from the secret and a purpose. Purposes must not
// look like those of seeds ("game/branch/round", "sealed/game/branch/round",
// "sparring/…").
func (s Secret) Derive(purpose string) string { return s.seed(purpose).String() }

func (s Secret) seed(purpose string) Seed {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(purpose))
	return Seed(mac.Sum(nil))
}

// Commitment is the SHA-256 of the secret, in hex: printed before the first
// round, checked when the secret is revealed.
func (s Secret) Commitment() string { return commitment(s) }

// String gives the 64 hex digits.
func (s Secret) String() string { return hex.EncodeToString(s[:]) }

// Commitment is the SHA-256 of the seed, in hex: printed a round ahead.
func (s Seed) Commitment() string { return commitment(s) }

// String gives the 64 hex digits.
func (s Seed) String() string { return hex.EncodeToString(s[:]) }

func commitment(b [32]byte) string {
	sum := sha256.Sum256(b[:])
	return hex.EncodeToString(sum[:])
}

// Stream opens a named stream of the round: the ChaCha20 key stream (RFC 8439,
// zero nonce) under HMAC-SHA256(seed, name), as little-endian 32-bit words.
func (s Seed) Stream(purpose, subject string) game.Stream {
	name := purpose
	if subject != "" {
		name += "/" + subject
	}
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(name))
	cipher, err := chacha20.NewUnauthenticatedCipher(mac.Sum(nil), make([]byte, chacha20.NonceSize))
	if err != nil {
		panic(fmt.Sprintf("dice: %v", err)) // key and nonce have constant, right lengths
	}
	return &stream{cipher: cipher}
}

// stream takes the key stream a block of the cipher at first, since most streams
// give a few draws, and then four at a time.
type stream struct {
	cipher  *chacha20.Cipher
	ahead   [4 * blockSize]byte
	at, end int // of what is ahead
}

const blockSize = 64

func (s *stream) word() uint32 {
	if s.at == s.end {
		s.fill()
	}
	w := binary.LittleEndian.Uint32(s.ahead[s.at:])
	s.at += 4
	return w
}

func (s *stream) fill() {
	next := s.ahead[:]
	if s.end == 0 {
		next = next[:blockSize]
	}
	clear(next)
	s.cipher.XORKeyStream(next, next)
	s.at, s.end = 0, len(next)
}

// Uniform draws from 1 to n without bias: words in the incomplete last run of n
// are skipped (G-1).
func (s *stream) Uniform(n int) int {
	if n < 1 || int64(n) > 1<<32 {
		panic(fmt.Sprintf("dice: a die of %d sides", n))
	}
	const words = uint64(1) << 32
	sides := uint64(n)
	for {
		// The first test spares nearly all throws the division of the second.
		if w := uint64(s.word()); w < words-sides || w < words-words%sides {
			return int(1 + w%sides)
		}
	}
}
