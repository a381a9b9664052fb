//go:build linux

package main

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// keyPause is the pause between two keys of a person who types fast.
const keyPause = 30 * time.Millisecond

// stage is a program at its prompt, with a model.
type stage struct {
	*session
	model *model
	marks []string
	end   func()
}

// prepare starts p in a new home, and waits until it has a prompt.
func prepare(p program, dir string, words, rate int) (*stage, error) {
	home, workspace := filepath.Join(dir, "home"), filepath.Join(dir, "workspace")
	if err := errors.Join(os.MkdirAll(home, 0o700), os.MkdirAll(workspace, 0o700)); err != nil {
		return nil, err
	}
	deltas, marks := answer(words)
	m := newModel(deltas, rate)
	server := httptest.NewServer(m)
	if err := p.configure(home, server.URL); err != nil {
		return nil, err
	}
	s, err := begin(p, home, workspace)
	if err != nil {
		return nil, err
	}
	s.settle()
	st := &stage{s, m, marks, func() { s.close(); server.Close() }}
	if err := st.awaitPrompt(); err != nil {
		st.end()
		return nil, err
	}
	return st, nil
}

// awaitPrompt waits until typed text is shown, and takes it back. A program may have painted its
// prompt and not take keys yet: then the text is typed again.
func (s *stage) awaitPrompt() (err error) {
	for range 10 {
		s.typeText("zqzq")
		if _, err = s.within(5*time.Second, "zqzq"); err == nil {
			s.clear()
			return nil
		}
	}
	return err
}

// ask types a question and sends it.
func (s *stage) ask() error {
	s.typeText("question")
	if _, err := s.until("question"); err != nil {
		return err
	}
	s.press("\r")
	return nil
}

// typeText types a text at the pace of a person.
func (s *stage) typeText(text string) {
	for i := range text {
		s.press(text[i : i+1])
		time.Sleep(keyPause)
	}
}

// playAnswer measures an answer at a rate.
func playAnswer(p program, dir string, rate int, t *table) error {
	s, err := prepare(p, dir, *words, rate)
	if err != nil {
		return err
	}
	defer s.end()
	resident := residentOf(s.cmd.Process.Pid)
	if err := s.ask(); err != nil {
		return err
	}
	if _, err := s.until(s.marks[0]); err != nil {
		return err
	}
	from, cpu := s.count(), spent(s.cmd.Process.Pid)
	<-s.model.done
	if _, err := s.until(s.marks[len(s.marks)-1]); err != nil {
		return err
	}
	cpu = spent(s.cmd.Process.Pid) - cpu
	if *show {
		fmt.Println(s.vt)
	}
	shown := s.taken(from)
	late, err := latencies(s.taken(0), s.marks, s.model.times())
	if err != nil {
		return err
	}
	bytes := 0
	for _, c := range shown {
		bytes += len(c.data)
	}
	name := fmt.Sprintf("%d deltas a second: ", rate)
	addPercentiles(t, name+"delta to screen", late)
	n := float64(len(s.marks) - 1)
	t.add(name+"CPU ms a delta", float64(cpu.Microseconds())/1000/n)
	t.add(name+"CPU ms a second", float64(cpu.Microseconds())/1000/n*float64(rate))
	t.add(name+"bytes a delta", float64(bytes)/n)
	t.add("MB resident at the prompt", float64(resident)/1e6)
	return nil
}

// latencies returns how long each word took to the screen.
func latencies(chunks []chunk, marks []string, sent []time.Time) (late []time.Duration, err error) {
	screen := emulator(nil)
	next := 0
	for _, c := range chunks {
		screen.Write(c.data)
		if next == len(marks) || next == len(sent) || c.at.Before(sent[next]) {
			continue
		}
		text := packed(append(screen.Scrollback(), screen.Screen()...))
		for next < len(marks) && strings.Contains(text, marks[next]) {
			late = append(late, c.at.Sub(sent[next]))
			next++
		}
	}
	if next < len(marks) {
		return nil, fmt.Errorf("word %d, %q, was never shown", next, marks[next])
	}
	return late, nil
}

// addPercentiles adds those of a list.
func addPercentiles(t *table, name string, list []time.Duration) {
	slices.Sort(list)
	for _, p := range []int{50, 90, 99} {
		t.add(fmt.Sprintf("%s, p%d ms", name, p), milliseconds(list[(len(list)-1)*p/100]))
	}
	t.add(name+", max ms", milliseconds(list[len(list)-1]))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// playKeys measures keys at the prompt, and then while an answer streams.
func playKeys(p program, dir string, t *table) error {
	const rate = 60
	seconds := 2 + *keys*int(2*keyPause/time.Millisecond)/1000
	s, err := prepare(p, dir, rate*seconds, rate)
	if err != nil {
		return err
	}
	defer s.end()
	if err := s.typeAll("", t); err != nil {
		return err
	}
	if err := s.ask(); err != nil {
		return err
	}
	if _, err := s.until(s.marks[0]); err != nil {
		return err
	}
	return s.typeAll(" while an answer streams", t)
}

// typeAll types keys right behind their echoes, and keys with pauses.
func (s *stage) typeAll(when string, t *table) error {
	behind, err := s.typeBehindEchoes()
	if err != nil {
		return err
	}
	addPercentiles(t, "key behind an echo"+when, behind)
	apart, err := s.typeApart()
	if err != nil {
		return err
	}
	addPercentiles(t, "keys 30 ms apart"+when, apart)
	return nil
}

// keyText returns the text that is typed: no beginning of it stands in an answer.
func keyText() string { return strings.Repeat("qzjqxvzqqjzx", *keys/12+1)[:*keys] }

// typeBehindEchoes types each key once the echo of the one before it is on the screen. Ctrl+U takes
// the text back.
func (s *stage) typeBehindEchoes() (late []time.Duration, err error) {
	defer s.clear()
	text := keyText()
	for i := range text {
		at := s.press(text[i : i+1])
		shown, err := s.until(text[:i+1])
		if err != nil {
			return nil, err
		}
		late = append(late, max(shown.Sub(at), 0))
	}
	return late[1:], nil
}

// clear takes the typed text back.
func (s *stage) clear() {
	s.press("\x15")
	time.Sleep(silence)
}

// typeApart types keys with a pause between them.
func (s *stage) typeApart() (late []time.Duration, err error) {
	defer s.clear()
	text := keyText()
	var at []time.Time
	for i := range text {
		at = append(at, s.press(text[i:i+1]))
		time.Sleep(keyPause)
	}
	if _, err := s.until(text); err != nil {
		return nil, err
	}
	screen, next := emulator(nil), 0
	for _, c := range s.taken(0) {
		screen.Write(c.data)
		for next < len(text) && !c.at.Before(at[next]) && strings.Contains(packed(screen.Screen()), text[:next+1]) {
			late = append(late, c.at.Sub(at[next]))
			next++
		}
	}
	if next < len(text) {
		return nil, fmt.Errorf("key %d was never shown", next)
	}
	return late, nil
}

// playResume measures how long a conversation of n messages takes until all of it is on the tape,
// and a key that is typed meanwhile.
func playResume(p program, dir string, n int, t *table) error {
	home, workspace := filepath.Join(dir, "home"), filepath.Join(dir, "workspace")
	if err := errors.Join(os.MkdirAll(home, 0o700), os.MkdirAll(workspace, 0o700)); err != nil {
		return err
	}
	if err := p.configure(home, "http://127.0.0.1:9"); err != nil {
		return err
	}
	args, end, err := p.resume(home, workspace, n)
	if err != nil {
		return err
	}
	s, err := begin(p, home, workspace, args...)
	if err != nil {
		return err
	}
	defer s.close()
	var at []time.Time
	for text := keyText(); len(s.taken(0)) == 0 || !strings.Contains(s.screen(), end); time.Sleep(keyPause) {
		if time.Since(s.start) > patience {
			return fmt.Errorf("no %q in\n%s", end, s.vt)
		}
		if i := len(at); i < len(text) && len(s.taken(0)) > 0 {
			at = append(at, s.press(text[i:i+1]))
		}
	}
	s.settle()
	cpu := spent(s.cmd.Process.Pid)
	all, late, err := replayTimes(s.taken(0), end, at)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%d messages: ", n)
	t.add(name+"first output, ms", milliseconds(s.taken(0)[0].at.Sub(s.start)))
	t.add(name+"all shown, ms", milliseconds(all.Sub(s.start)))
	t.add(name+"CPU ms", milliseconds(cpu))
	if len(late) > 0 {
		addPercentiles(t, name+"a key meanwhile", late)
	}
	return nil
}

// replayTimes returns when the last message was on the screen, and how long keys took that were
// pressed before.
func replayTimes(chunks []chunk, end string, pressed []time.Time) (all time.Time, late []time.Duration, err error) {
	screen, next, text := emulator(nil), 0, keyText()
	for _, c := range chunks {
		screen.Write(c.data)
		grid := packed(screen.Screen())
		if all.IsZero() && strings.Contains(grid, end) {
			all = c.at
		}
		for next < len(pressed) && !c.at.Before(pressed[next]) && strings.Contains(grid, text[:next+1]) {
			late = append(late, c.at.Sub(pressed[next]))
			next++
		}
	}
	if next < len(pressed) {
		return all, late, fmt.Errorf("key %d was never shown", next)
	}
	return all, late, nil
}
