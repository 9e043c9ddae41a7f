package casetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Leaves are the JSON leaves of a value by dotted path; a list is also there as a
// whole, with commas between.
func Leaves(v any) map[string]string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		panic(err)
	}
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(strings.TrimPrefix(path+"."+k, "."), x)
			}
		case []any:
			var items []string
			for i, x := range v {
				items = append(items, fmt.Sprint(x))
				walk(fmt.Sprintf("%s.%d", path, i), x)
			}
			out[path] = strings.Join(items, ",")
		default:
			out[path] = fmt.Sprint(v)
		}
	}
	walk("", tree)
	return out
}

// Match reports whether leaves have all of PATH=VALUE; a leaf that is missing is the
// zero value.
func Match(leaves map[string]string, want []string) bool {
	for _, kv := range want {
		path, value, _ := strings.Cut(kv, "=")
		if got, there := leaves[path]; there && got != value || !there && !zero(value) {
			return false
		}
	}
	return true
}

func zero(value string) bool { return value == "" || value == "0" || value == "false" }
