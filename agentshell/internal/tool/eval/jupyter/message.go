package jupyter

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Message is a message of a Jupyter kernel.
type Message struct {
	Header   Header
	Parent   Header // Parent is the header of the request that it belongs to.
	Metadata json.RawMessage
	Content  json.RawMessage
	Size     int // Size is in bytes.
}

// Header identifies a message and its type.
type Header struct {
	ID      string `json:"msg_id"`
	Type    string `json:"msg_type"`
	Session string `json:"session"`
	User    string `json:"username"`
	Date    string `json:"date"`
	Version string `json:"version"`
}

// idsDelimiter separates socket identities from the message.
const idsDelimiter = "<IDS|MSG>"

// signer signs messages, and checks signatures.
type signer struct {
	key     []byte
	session string
}

// newSigner returns a signer with a new key.
func newSigner() signer { return signer{key: []byte(rand.Text()), session: rand.Text()} }

// sign returns the signature of the parts of a message.
func (s signer) sign(parts [][]byte) []byte {
	h := hmac.New(sha256.New, s.key)
	for _, p := range parts {
		h.Write(p)
	}
	return []byte(hex.EncodeToString(h.Sum(nil)))
}

// encode returns a signed request as the parts of a message.
func (s signer) encode(id, kind string, content any) ([][]byte, error) {
	head, err := json.Marshal(Header{ID: id, Type: kind, Session: s.session, User: "scrollkeep", Version: "5.3",
		Date: time.Now().UTC().Format(time.RFC3339Nano)})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	parts := [][]byte{head, []byte("{}"), []byte("{}"), body}
	return append([][]byte{[]byte(idsDelimiter), s.sign(parts)}, parts...), nil
}

// decode decodes the parts of a message. It returns an error if the signature is wrong.
func (s signer) decode(parts [][]byte) (m Message, err error) {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	for len(parts) > 0 && !bytes.Equal(parts[0], []byte(idsDelimiter)) {
		parts = parts[1:]
	}
	if len(parts) < 6 || !hmac.Equal(parts[1], s.sign(parts[2:6])) {
		return m, errBadMessage
	}
	m = Message{Metadata: parts[4], Content: parts[5], Size: size}
	if json.Unmarshal(parts[2], &m.Header) != nil || json.Unmarshal(parts[3], &m.Parent) != nil ||
		!json.Valid(m.Metadata) || !json.Valid(m.Content) {
		return m, errBadMessage
	}
	return m, nil
}
