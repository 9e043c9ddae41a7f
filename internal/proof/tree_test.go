package proof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// object is a JSON object that keeps its keys in order: seals are of bytes.
type object []member

type member struct {
	key   string
	value any
}

// text is a tree as JSON. It is written here since encoding/json would look at
// every nested object again for each one it stands in.
func text(v any) []byte { return appendJSON(nil, v) }

func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendJSON(b, m.key), ':')
			b = appendJSON(b, m.value)
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, x := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, x)
		}
		return append(b, ']')
	}
	scalar, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(b, scalar...)
}

// tree is a document as plain JSON: objects, []any and scalars.
func tree(t testing.TB, d Document) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(encode(t, d)))
	dec.UseNumber()
	return branch(t, dec)
}

func branch(t testing.TB, dec *json.Decoder) any {
	t.Helper()
	next := func() json.Token {
		token, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	switch token := next(); token {
	case json.Delim('{'):
		o := object{}
		for dec.More() {
			key := next().(string)
			o = append(o, member{key, branch(t, dec)})
		}
		next()
		return o
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			list = append(list, branch(t, dec))
		}
		next()
		return list
	default:
		return token
	}
}

// edit is one change to a document: "change", "drop", "repeat" or "swap" (with
// the next) at a path such as steps[2].orders[0].salt.
type edit struct{ how, path string }

func (e edit) String() string { return e.how + " " + e.path }

// edits makes every single change to a tree there is, calls visit with each, and
// takes it back.
func edits(path string, v any, set func(any), visit func(edit)) {
	try := func(how, path string, changed any) {
		set(changed)
		visit(edit{how, path})
		set(v)
	}
	switch v := v.(type) {
	case object:
		for i, m := range v {
			at := strings.TrimPrefix(path+"."+m.key, ".")
			edits(at, m.value, func(n any) { v[i].value = n }, visit)
			if !empty(m.value) { // none and an empty one are alike
				try("drop", at, slices.Delete(slices.Clone(v), i, i+1))
			}
		}
	case []any:
		for i, x := range v {
			at := fmt.Sprintf("%s[%d]", path, i)
			edits(at, x, func(n any) { v[i] = n }, visit)
			try("drop", at, slices.Delete(slices.Clone(v), i, i+1))
			try("repeat", at, slices.Insert(slices.Clone(v), i, x))
			if i+1 < len(v) {
				swapped := slices.Clone(v)
				swapped[i], swapped[i+1] = v[i+1], v[i]
				try("swap", at, swapped)
			}
		}
	default:
		try("change", path, other(v))
	}
}

func empty(v any) bool {
	switch v := v.(type) {
	case object:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// other is another value of the same type.
func other(v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			panic(err)
		}
		return json.Number(strconv.FormatInt(n+1, 10))
	case string:
		i := len(v) / 2
		switch {
		case v == "":
			return "x"
		case v[i] == '1':
			return v[:i] + "2" + v[i+1:]
		}
		return v[:i] + "1" + v[i+1:]
	}
	panic(fmt.Sprintf("a %T in JSON", v))
}
