// The harness of our implementation: it reads one JSON object a line, and writes one answer a line. The two
// operations below are complete. Replace them by calls of your library, then add the next to the switch and to ops.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

type object = map[string]any
type line struct {
	Cmd, Op string
	Seq     int
	Given   struct{ Now time.Time }
	Input   struct{ Text string }
}

var pattern = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// A time of RFC 3339 in UTC, to the microsecond, without zeros at the end.
func parseTime(text string) object {
	upper := strings.ToUpper(text)
	moment, err := time.Parse(time.RFC3339, upper)
	if err != nil || !pattern.MatchString(upper) {
		return object{"rejected": object{"code": "malformed"}}
	}
	return object{"value": moment.UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano)}
}

// An id whose first 48 bits are the milliseconds of the time of the case.
func uuid7(now time.Time) object {
	var id [18]byte // the time takes 8 bytes, the first two of which are 0
	rand.Read(id[8:])
	binary.BigEndian.PutUint64(id[:8], uint64(now.UnixMilli()))
	b := id[2:]
	b[6], b[8] = b[6]&0x0f|0x70, b[8]&0x3f|0x80
	return object{"value": fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])}
}

func answer(ask line) object {
	switch ask.Op {
	case "time.parse":
		return parseTime(ask.Input.Text)
	case "id.uuid7":
		return uuid7(ask.Given.Now)
	}
	return object{"errored": object{"message": "unknown operation"}}
}

func main() {
	about := object{"name": "my-implementation", "version": "0.1.0", "language": "Go"}
	ops := []string{"time.parse", "id.uuid7"}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for ask := (line{}); in.Decode(&ask) == nil && ask.Cmd != "stop"; ask = (line{}) {
		said := object{"protocol": 1, "implementation": about, "ops": ops}
		if ask.Cmd == "run" {
			said = answer(ask)
			said["seq"] = ask.Seq
		}
		out.Encode(said)
	}
}
