package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/chacha20"
	"pgregory.net/rapid"

	"ringpost/internal/game"
)

// The golden figures were computed by other programs (HMAC-SHA256 and ChaCha20
// of OpenSSL, the draws by hand from their words), from the secret 00 01 … 1f.
const (
	goldenSecret     = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	goldenCommitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
	goldenSeed       = "dab90a22a53793c774e21f8eb5f28050d19df4726fd66390eefc82a2fa36657b" // liga-nord/0/7
	goldenSeedCommit = "34fdc116d2a989ec79d40b31cfdfff9868a465ef84f0da4937ca732b2c3a752c"
)

func golden(t testing.TB) Seed {
	t.Helper()
	seed, err := ParseSeed(goldenSeed)
	if err != nil {
		t.Fatal(err)
	}
	return seed
}

func draws(s game.Stream, sides, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = s.Uniform(sides)
	}
	return out
}

func TestG2_SeedAndCommitments(t *testing.T) {
	secret, err := ParseSecret(goldenSecret)
	if err != nil {
		t.Fatal(err)
	}
	if got := secret.String(); got != goldenSecret {
		t.Errorf("secret = %s", got)
	}
	if got := secret.Commitment(); got != goldenCommitment {
		t.Errorf("commitment to the secret = %s, want %s", got, goldenCommitment)
	}
	seed := secret.Seed("liga-nord", 0, 7)
	if got := seed.String(); got != goldenSeed {
		t.Errorf("seed = %s, want %s", got, goldenSeed)
	}
	if got := seed.Commitment(); got != goldenSeedCommit {
		t.Errorf("commitment to the seed = %s, want %s", got, goldenSeedCommit)
	}
}

// The second seed and its streams; the figures, too, are OpenSSL's.
func TestG2_SealedSeed(t *testing.T) {
	secret, err := ParseSecret(goldenSecret)
	if err != nil {
		t.Fatal(err)
	}
	r := secret.Round("liga-nord", 0, 7)
	if got := r.Open.String(); got != goldenSeed {
		t.Errorf("the open seed = %s, want %s", got, goldenSeed)
	}
	if got, want := r.Hidden.String(), "31a975f945a7a5597a28ce5d9804c07d465673b258f031b20524bf8adea831a1"; got != want {
		t.Errorf("the sealed seed = %s, want %s", got, want)
	}
	if got, want := draws(r.Sealed().Stream("deck", "s1"), 1<<32, 4), []int{2625352421 + 1, 3071087831 + 1, 1346192343 + 1, 3125522894 + 1}; !slices.Equal(got, want) {
		t.Errorf("sealed dice %v, want %v", got, want)
	}
	if got, want := draws(r.Stream("lots", ""), 100, 5), []int{89, 58, 93, 85, 54}; !slices.Equal(got, want) {
		t.Errorf("open dice %v, want %v", got, want)
	}
}

func TestG2_GameBranchAndRoundEachMakeAnotherSeed(t *testing.T) {
	secret, _ := ParseSecret(goldenSecret)
	seen := map[Seed]string{}
	for _, id := range []string{"liga-nord", "liga-sued"} {
		for branch := range 3 {
			for round := range 13 {
				both := secret.Round(id, branch, round)
				for _, seed := range []Seed{both.Open, both.Hidden} {
					if other, ok := seen[seed]; ok {
						t.Errorf("%s/%d/%d has the seed of %s", id, branch, round, other)
					}
					seen[seed] = id
				}
			}
		}
	}
}

func TestG1_WordsOfAStream(t *testing.T) {
	s := golden(t).Stream("sugarray/7/training", "s1").(*stream)
	want := []uint32{0xff2207e4, 0x6611ad0a, 0x269232ff, 0x0424c1e4, 0x6708d3a1, 0xd8e8c180, 0x28d510f8, 0xaace0aa7}
	for i, w := range want {
		if got := s.word(); got != w {
			t.Errorf("word %d = %08x, want %08x", i, got, w)
		}
	}
	for range 8 {
		s.word()
	}
	if a, b := s.word(), s.word(); a != 0xb45d5970 || b != 0x7e74e513 {
		t.Errorf("the second block begins with %08x %08x", a, b)
	}
}

func TestG1_Draws(t *testing.T) {
	seed := golden(t)
	tests := []struct {
		purpose, subject string
		sides            int
		want             []int
	}{
		{"sugarray/7/training", "s1", 6, []int{3, 3, 4, 3, 4, 5, 5, 2, 4, 6}},
		{"sugarray/7/training", "s1", 5, []int{5, 3, 5, 2, 4, 5, 3, 4, 3, 4, 4, 2, 1, 3, 1, 5, 5, 1, 1, 2}},
		{"lots", "", 100, []int{89, 58, 93, 85, 54}},
		{"lots", "", 1, []int{1, 1, 1}},
		{"lots", "", 1 << 32, []int{0x266e89f8 + 1, 0x0b0dacb5 + 1}},
	}
	for _, tt := range tests {
		if got := draws(seed.Stream(tt.purpose, tt.subject), tt.sides, len(tt.want)); !slices.Equal(got, tt.want) {
			t.Errorf("%s/%s, %d sides: %v, want %v", tt.purpose, tt.subject, tt.sides, got, tt.want)
		}
	}
}

// Of the words a6106199 2c410cbc cc53ca1a 4ac8e331 0be3deec 2fbc3578 the third is
// not below 3·2³⁰, the only whole multiple of it in 2³², and is skipped.
func TestG1_WordsBeyondTheLastWholeRunAreSkipped(t *testing.T) {
	got := draws(golden(t).Stream("bound", ""), 3<<30, 5)
	if want := []int{2786091418, 742460605, 1254679346, 199483117, 800863609}; !slices.Equal(got, want) {
		t.Errorf("drew %v, want %v", got, want)
	}
}

func TestG1_Shuffle(t *testing.T) {
	items := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	game.Shuffle(golden(t).Stream("pairing", "3"), items)
	if want := []int{10, 3, 4, 1, 2, 6, 8, 5, 7, 9}; !slices.Equal(items, want) {
		t.Errorf("shuffled to %v, want %v", items, want)
	}
}

func TestG1_StreamsDoNotMoveEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var seed Seed
		copy(seed[:], rapid.SliceOfN(rapid.Byte(), len(seed), len(seed)).Draw(t, "seed"))
		subject := rapid.StringMatching(`s[0-9]{1,3}`).Draw(t, "subject")
		alone := draws(seed.Stream("bout", subject), 6, 40)

		s := seed.Stream("bout", subject)
		other := seed.Stream("bout", subject+"0")
		for i, want := range alone {
			draws(other, 100, rapid.IntRange(0, 3).Draw(t, "between"))
			if got := s.Uniform(6); got != want {
				t.Fatalf("draw %d is %d beside another stream, %d alone", i, got, want)
			}
			if want < 1 || want > 6 {
				t.Fatalf("a six-sided die shows %d", want)
			}
		}
	})
}

func TestUniformRefusesImpossibleDice(t *testing.T) {
	for _, sides := range []int{0, -1, 1<<32 + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a die of %d sides was thrown", sides)
				}
			}()
			golden(t).Stream("bout", "s1").Uniform(sides)
		}()
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"", "00", goldenSecret[:62], goldenSecret + "00", strings.Repeat("g", 64), goldenSecret + "\n", strings.Repeat("é", 32)} {
		if s, err := ParseSecret(bad); err == nil || s != (Secret{}) {
			t.Errorf("ParseSecret(%q) = %v, %v", bad, s, err)
		}
		if s, err := ParseSeed(bad); err == nil || s != (Seed{}) {
			t.Errorf("ParseSeed(%q) = %v, %v", bad, s, err)
		}
	}
	upper, err := ParseSecret(strings.ToUpper(goldenSecret))
	if err != nil || upper.String() != goldenSecret {
		t.Errorf("capitals: %v, %v", upper, err)
	}
}

func FuzzParseSeed(f *testing.F) {
	f.Add(goldenSeed)
	f.Add("zz")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		seed, err := ParseSeed(s)
		if err == nil && seed.String() != strings.ToLower(s) {
			t.Errorf("%q was read as %s", s, seed)
		}
	})
}

func BenchmarkStream(b *testing.B) {
	seed := golden(b)
	b.ReportAllocs()
	for b.Loop() {
		seed.Stream("sugarray/7/training", "s1").Uniform(5)
	}
}

func BenchmarkUniform(b *testing.B) {
	s := golden(b).Stream("sugarray/7/training", "s1")
	b.ReportAllocs()
	for b.Loop() {
		s.Uniform(6)
	}
}

// However much is taken at once, it is one key stream.
func TestG1_LongStreamIsOneKeyStream(t *testing.T) {
	seed := Seed{7}
	mac := hmac.New(sha256.New, seed[:])
	mac.Write([]byte("bout/s1-s2"))
	cipher, err := chacha20.NewUnauthenticatedCipher(mac.Sum(nil), make([]byte, chacha20.NonceSize))
	if err != nil {
		t.Fatal(err)
	}
	stream := make([]byte, 4*1000)
	cipher.XORKeyStream(stream, stream)
	for i, got := range draws(seed.Stream("bout", "s1-s2"), 1<<32, 1000) {
		if want := 1 + int(binary.LittleEndian.Uint32(stream[4*i:])); got != want {
			t.Fatalf("word %d is %d, want %d", i, got, want)
		}
	}
}
