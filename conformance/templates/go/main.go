// The harness of our implementation: it reads one JSON object a line, and writes one answer a line. The two
// operations below are complete. Replace them by calls of your library, then add the next to ops.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"strings"
	"time"
)

type object = map[string]any

// A line of the runner. Each operation has an input of its own form, and decodes it itself.
type line struct {
	Cmd, Op string
	Seq     int
	Given   struct{ Now time.Time }
	Input   json.RawMessage
}

var pattern = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// A time of RFC 3339 in UTC, to the microsecond, without zeros at the end.
func parseTime(ask line) object {
	var input struct{ Text string }
	decode(ask.Input, &input)
	upper := strings.ToUpper(input.Text)
	moment, err := time.Parse(time.RFC3339, upper)
	if err != nil || !pattern.MatchString(upper) {
		return object{"rejected": object{"code": "malformed"}}
	}
	return object{"value": moment.UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano)}
}

// An id whose first 48 bits are the milliseconds of the time of the case.
func uuid7(ask line) object {
	var b [16]byte
	rand.Read(b[6:])
	binary.BigEndian.PutUint64(b[:8], uint64(ask.Given.Now.UnixMilli())<<16|uint64(b[6])<<8|uint64(b[7]))
	b[6], b[8] = b[6]&0x0f|0x70, b[8]&0x3f|0x80
	return object{"value": fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])}
}

var ops = map[string]func(line) object{"time.parse": parseTime, "id.uuid7": uuid7}

// Reads an input. One of another form is a fault, which run answers.
func decode(input json.RawMessage, value any) {
	if err := json.Unmarshal(input, value); err != nil {
		panic(err)
	}
}

// What an operation makes of a case: a value, a rejection, or a fault of this program.
func run(ask line) (answer object) {
	defer func() {
		if fault := recover(); fault != nil {
			answer = object{"errored": object{"message": fmt.Sprint(fault)}}
		}
		answer["seq"] = ask.Seq
	}()
	return ops[ask.Op](ask)
}

func start() object {
	names := []string{}
	for name := range ops {
		names = append(names, name)
	}
	about := object{"name": "my-implementation", "version": "0.1.0", "language": "Go"}
	return object{"protocol": 1, "implementation": about, "ops": names}
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var ask line
		err := in.Decode(&ask)
		if err == io.EOF || ask.Cmd == "stop" {
			return
		}
		if err != nil {
			log.Fatal(err) // to standard error, and exit status 1
		}
		if ask.Cmd == "run" {
			out.Encode(run(ask))
		} else {
			out.Encode(start())
		}
	}
}
