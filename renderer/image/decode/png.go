package decode

import (
	"encoding/binary"
	"hash/crc32"
)

// withoutBrokenParts returns a PNG file without the parts that no decoder needs and whose checksum
// is wrong: other decoders pass over them. A file without such a part is returned as it is.
func withoutBrokenParts(file []byte) []byte {
	sound := file[:len(pngMagic):len(pngMagic)]
	at, dropped := len(pngMagic), false
	for at+12 <= len(file) {
		n := int64(binary.BigEndian.Uint32(file[at:]))
		if n > int64(len(file)-at-12) {
			break
		}
		end := at + 12 + int(n)
		sum := crc32.ChecksumIEEE(file[at+4 : end-4])
		ancillary := file[at+4]&0x20 != 0
		if ancillary && sum != binary.BigEndian.Uint32(file[end-4:]) {
			dropped = true
		} else {
			sound = append(sound, file[at:end]...)
		}
		at = end
	}
	if !dropped {
		return file
	}
	return append(sound, file[at:]...)
}
