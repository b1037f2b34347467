// A small Gremlin client on gorilla/websocket that behaves on the wire as TinkerPop's Go driver does: GraphBinary v1 only, a ping every
// 5 seconds, and a connection counts as dead when nothing (a pong included) arrives for 10. (The driver itself is not in the module proxy.)
//
//	go run . -url ws://127.0.0.1:8182/gremlin [-read gmodern]
//
// The last line is "N passed, N failed".
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	mime         = "application/vnd.graphbinary-v1.0"
	pingEvery    = 5 * time.Second
	readDeadline = 10 * time.Second
	answerWait   = 40 * time.Second
	slow         = "g.V().repeat(__.both()).times(60).path().count()"
)

type answer struct {
	status  int32
	message string
	values  []any
	err     error
}

// client: one connection, many requests in flight, answers matched by request id.
type client struct {
	conn    *websocket.Conn
	source  string
	writing sync.Mutex
	state   sync.Mutex
	waiting map[[16]byte]chan answer
	next    uint64
	pongs   int
	lost    error // why the connection ended, once it has
	done    chan struct{}
}

func dial(url, source string) (*client, error) {
	conn, _, err := websocket.DefaultDialer.Dial(url, nil)
	if err != nil {
		return nil, err
	}
	c := &client{conn: conn, source: source, waiting: map[[16]byte]chan answer{}, done: make(chan struct{})}
	_ = conn.SetReadDeadline(time.Now().Add(readDeadline))
	conn.SetPongHandler(func(string) error {
		c.state.Lock()
		c.pongs++
		c.state.Unlock()
		return conn.SetReadDeadline(time.Now().Add(readDeadline))
	})
	go c.read()
	go c.ping()
	return c, nil
}

func (c *client) ping() {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-ticker.C:
			c.writing.Lock()
			_ = c.conn.WriteMessage(websocket.PingMessage, nil)
			c.writing.Unlock()
		}
	}
}

func (c *client) read() {
	defer close(c.done)
	parts := map[[16]byte][]any{}
	for {
		kind, message, err := c.conn.ReadMessage()
		if err == nil && kind != websocket.BinaryMessage {
			err = fmt.Errorf("a frame of type %d answers a binary request", kind)
		}
		var id [16]byte
		var a answer
		if err == nil {
			id, a, err = decodeResponse(message)
		}
		c.state.Lock()
		if err != nil {
			for _, ch := range c.waiting {
				ch <- answer{err: err}
			}
			c.waiting = map[[16]byte]chan answer{}
			c.lost = err
			c.state.Unlock()
			return
		}
		parts[id] = append(parts[id], a.values...)
		if ch := c.waiting[id]; ch != nil && a.status != 206 {
			a.values = parts[id]
			delete(parts, id)
			delete(c.waiting, id)
			ch <- a
		}
		c.state.Unlock()
	}
}

func (c *client) submit(script string, bindings map[string]string, timeoutMs int64) <-chan answer {
	ch := make(chan answer, 1)
	c.state.Lock()
	if c.lost != nil {
		ch <- answer{err: c.lost}
		c.state.Unlock()
		return ch
	}
	c.next++
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(time.Now().UnixNano()))
	binary.BigEndian.PutUint64(id[8:], c.next)
	c.waiting[id] = ch
	c.state.Unlock()
	c.writing.Lock()
	err := c.conn.WriteMessage(websocket.BinaryMessage, encodeRequest(id, c.source, script, bindings, timeoutMs))
	c.writing.Unlock()
	if err != nil {
		c.state.Lock()
		delete(c.waiting, id)
		c.state.Unlock()
		ch <- answer{err: err}
	}
	return ch
}

// ---- GraphBinary, as much of it as these requests need -------------------------------------------------

func putText(b *bytes.Buffer, s string) {
	_ = binary.Write(b, binary.BigEndian, int32(len(s)))
	b.WriteString(s)
}

func putTypedText(b *bytes.Buffer, s string) {
	b.Write([]byte{0x03, 0x00})
	putText(b, s)
}

func putTextMap(b *bytes.Buffer, m map[string]string) {
	b.Write([]byte{0x0a, 0x00})
	_ = binary.Write(b, binary.BigEndian, int32(len(m)))
	for k, v := range m {
		putTypedText(b, k)
		putTypedText(b, v)
	}
}

func encodeRequest(id [16]byte, source, script string, bindings map[string]string, timeoutMs int64) []byte {
	b := &bytes.Buffer{}
	b.WriteByte(byte(len(mime)))
	b.WriteString(mime)
	b.WriteByte(0x81)
	b.Write(id[:])
	putText(b, "eval")
	putText(b, "")
	_ = binary.Write(b, binary.BigEndian, int32(4))
	putTypedText(b, "gremlin")
	putTypedText(b, script)
	putTypedText(b, "aliases")
	putTextMap(b, map[string]string{"g": source})
	putTypedText(b, "bindings")
	putTextMap(b, bindings)
	putTypedText(b, "evaluationTimeout")
	b.Write([]byte{0x02, 0x00})
	_ = binary.Write(b, binary.BigEndian, timeoutMs)
	return b.Bytes()
}

type reader struct{ b *bytes.Reader }

func (r reader) take(n int) []byte {
	if n < 0 || n > r.b.Len() {
		panic(fmt.Sprintf("%d bytes wanted, %d left", n, r.b.Len()))
	}
	out := make([]byte, n)
	_, _ = r.b.Read(out)
	return out
}
func (r reader) i32() int32   { return int32(binary.BigEndian.Uint32(r.take(4))) }
func (r reader) text() string { return string(r.take(int(r.i32()))) }

func (r reader) value() any {
	kind, null := r.take(1)[0], r.take(1)[0]
	if null == 1 {
		return nil
	}
	switch kind {
	case 0x01:
		return int64(r.i32())
	case 0x02:
		return int64(binary.BigEndian.Uint64(r.take(8)))
	case 0x03:
		return r.text()
	case 0x09, 0x0b:
		list := make([]any, r.i32())
		for i := range list {
			list[i] = r.value()
		}
		return list
	case 0x0a:
		return r.mapping()
	}
	panic(fmt.Sprintf("type code %#x is not expected here", kind))
}

func (r reader) mapping() map[any]any {
	m := map[any]any{}
	for n := r.i32(); n > 0; n-- {
		k := r.value()
		m[k] = r.value()
	}
	return m
}

func decodeResponse(message []byte) (id [16]byte, a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("bad response: %v", p)
		}
	}()
	r := reader{bytes.NewReader(message)}
	if version := r.take(1)[0]; version != 0x81 {
		panic(fmt.Sprintf("version byte %#x", version))
	}
	if r.take(1)[0] == 0 {
		copy(id[:], r.take(16))
	}
	a.status = r.i32()
	if r.take(1)[0] == 0 {
		a.message = r.text()
	}
	r.mapping()
	r.mapping()
	if list, ok := r.value().([]any); ok {
		a.values = list
	}
	if r.b.Len() != 0 {
		panic(fmt.Sprintf("%d bytes after the end", r.b.Len()))
	}
	return id, a, nil
}

// ---- cases ---------------------------------------------------------------------------------------------

// expect waits for the answer, and compares status and values.
func expect(answered <-chan answer, status int32, want []any) error {
	var a answer
	select {
	case a = <-answered:
	case <-time.After(answerWait):
		return fmt.Errorf("no answer in %v", answerWait)
	}
	if a.err != nil {
		return a.err
	}
	if a.status != status {
		return fmt.Errorf("status %d (%s), wanted %d", a.status, a.message, status)
	}
	if status < 300 && fmt.Sprint(a.values) != fmt.Sprint(want) {
		return fmt.Errorf("got %.200s, wanted %.200s", fmt.Sprint(a.values), fmt.Sprint(want))
	}
	return nil
}

func cases(url, read string) map[string]func() error {
	open := func() *client {
		c, err := dial(url, read)
		if err != nil {
			panic(err)
		}
		return c
	}
	return map[string]func() error{
		"script with binding": func() error {
			c := open()
			defer c.conn.Close()
			return expect(c.submit("g.V().has('name',n).values('age')", map[string]string{"n": "marko"}, 5000), 200, []any{29})
		},
		"no results": func() error {
			c := open()
			defer c.conn.Close()
			return expect(c.submit("g.V().has('name','nobody')", nil, 5000), 204, nil)
		},
		"pongs arrive while a 12 second query runs": func() error {
			c := open()
			defer c.conn.Close()
			if err := expect(c.submit(slow, nil, 12000), 598, nil); err != nil {
				return err
			}
			if c.pongs < 2 {
				return fmt.Errorf("%d pongs in 12 s", c.pongs)
			}
			return expect(c.submit("g.V().count()", nil, 5000), 200, []any{6})
		},
		"a request of 1 MB": func() error {
			c := open()
			defer c.conn.Close()
			long := strings.Repeat("0123456789abcdef", 1<<16-64)
			return expect(c.submit("g.inject(x)", map[string]string{"x": long}, 5000), 200, []any{long})
		},
		"100 requests in flight": func() error {
			c := open()
			defer c.conn.Close()
			var answers []<-chan answer
			for i := 0; i < 100; i++ {
				answers = append(answers, c.submit("g.inject(x)", map[string]string{"x": fmt.Sprint(i)}, 5000))
			}
			for i, a := range answers {
				if err := expect(a, 200, []any{fmt.Sprint(i)}); err != nil {
					return fmt.Errorf("request %d: %w", i, err)
				}
			}
			return nil
		},
		"a dropped TCP connection leaves the server well": func() error {
			dropped := open()
			dropped.submit(slow, nil, 30000)
			time.Sleep(200 * time.Millisecond)
			_ = dropped.conn.UnderlyingConn().Close()
			c := open()
			defer c.conn.Close()
			return expect(c.submit("g.V().count()", nil, 5000), 200, []any{6})
		},
	}
}

func main() {
	url := flag.String("url", "", "address of the server")
	read := flag.String("read", "gmodern", "a traversal source with TinkerPop's modern graph")
	flag.Parse()
	passed, failed := 0, 0
	for name, body := range cases(*url, *read) {
		if err := body(); err != nil {
			failed++
			fmt.Printf("FAILED go: %s\n  %v\n", name, err)
		} else {
			passed++
		}
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
