package workspace

// These constants are limits in bytes (FS-43).
const (
	MaxRead     = 4 << 20  // MaxRead limits what a read or the diff tool returns of one file.
	MaxPath     = 4096     // MaxPath limits a path in a request.
	MaxProposal = 10 << 20 // MaxProposal limits the old and the new text of a proposed change.
)
