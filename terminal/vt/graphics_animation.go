package vt

import "slices"

// animation holds the further frames of an image and how they are played. Nothing is played here.
type animation struct {
	gaps     []int32 // Milliseconds after each further frame; 0: the frame is not shown.
	rootGap  int32   // Milliseconds after the first frame.
	current  int     // The number of the frame that is shown, from 0.
	state    int     // The key s: 1 stopped, 2 waiting for more frames, 3 running.
	maxLoops int     // How often it is played; 0: for ever.
}

// frameTransfer holds the keys of a frame from the first piece of its data.
type frameTransfer struct {
	edit, base uint32 // r, c
	gap        int32  // The key z, in milliseconds.
	time       int    // The time of the image when the transfer began.
}

const defaultGap = 40 // In milliseconds.

// frames returns the number of frames besides the first one.
func (img *image) frames() int {
	if img.animation == nil {
		return 0
	}
	return len(img.animation.gaps)
}

// frameBytes returns the bytes of a frame, which has the size of the image and an alpha channel.
func (img *image) frameBytes() int { return 4 * img.width * img.height }

// animate returns the animation of img. It creates one if there is none.
func (img *image) animate() *animation {
	if img.animation == nil {
		img.animation = &animation{state: 1}
	}
	return img.animation
}

// setGap sets the milliseconds after a frame. number counts from 1.
func (a *animation) setGap(number uint32, gap int32) {
	gap = max(gap, 0)
	if number == 1 {
		a.rootGap = gap
	} else {
		a.gaps[number-2] = gap
	}
}

// addAlpha adds an alpha channel to the first frame, so that it takes as many bytes as the others.
// ghostty does so as soon as something is drawn into an image.
func (im *images) addAlpha(img *image) {
	if !img.opaque {
		return
	}
	im.bytes += img.frameBytes() - img.bytes
	img.bytes, img.opaque = img.frameBytes(), false
	im.touch(img)
}

// transmitFrame implements a=f: it receives a frame, or a further piece of one.
func (t *Terminal) transmitFrame(g *graphicsCommand) response {
	im := &t.active.images
	l := im.loading
	if l != nil && l.frame == nil {
		return t.transmitImage(g)
	}
	if l != nil {
		if problem := l.addPiece(g.data); problem != "" {
			return l.response.fail(problem)
		}
	} else {
		r := newResponse(g)
		r.frame = g.get('r', 0)
		if r.id == 0 && r.number == 0 {
			return r.fail(nameRequired)
		}
		img := im.find(r.id, r.number)
		if img == nil {
			return r.fail(notFound)
		}
		r.id = img.id
		var problem string
		if l, problem = newTransfer(g); problem != "" {
			return r.fail(problem)
		}
		l.frame = &frameTransfer{edit: g.get('r', 0), base: g.get('c', 0), gap: int32(g.signed('z')), time: img.time}
		l.response.id = img.id
	}
	if g.hasMore() {
		im.loading = l
		return response{}
	}
	im.loading = nil
	return t.completeFrame(l)
}

// completeFrame adds a frame that was received to its image, or draws it into an existing frame.
func (t *Terminal) completeFrame(l *transfer) response {
	im := &t.active.images
	r := l.response
	img := im.find(l.image.id, l.image.number)
	if img == nil || img.time != l.frame.time {
		return r.fail(notFound)
	}
	if problem := l.complete(); problem != "" {
		return r.fail(problem)
	}
	if l.image.width > img.width || l.image.height > img.height {
		return r.fail("EINVAL: frame dimensions exceed image")
	}
	im.addAlpha(img)
	a := img.animate()
	count := uint32(img.frames() + 1)
	r.frame = l.frame.edit
	if r.frame == 0 || r.frame > count {
		r.frame = count + 1
		if problem := t.addFrame(img, l.frame); problem != "" {
			return r.fail(problem)
		}
		return r
	}
	if l.frame.gap != 0 {
		a.setGap(r.frame, l.frame.gap)
	}
	if int(r.frame)-1 == a.current {
		im.touch(img)
	}
	return r
}

// addFrame adds a frame at the end.
func (t *Terminal) addFrame(img *image, f *frameTransfer) (problem string) {
	im := &t.active.images
	if f.base > 0 && int(f.base) > img.frames()+1 {
		return "EINVAL: base frame not found"
	}
	size := img.frameBytes()
	if img.frames() >= maxFrames || !im.reserve(t.active, img.id, size, size, t.imageLimit()) {
		return "ENOSPC: animation frame storage full"
	}
	im.bytes += size
	gap := f.gap
	if gap == 0 {
		gap = defaultGap
	}
	img.animation.gaps = append(img.animation.gaps, max(gap, 0))
	return ""
}

// findAnimated returns the image that an animation command names, and an answer with its names.
func (im *images) findAnimated(g *graphicsCommand) (img *image, r response) {
	r = newResponse(g)
	if r.id == 0 && r.number == 0 {
		r.message = nameRequired
	} else if img = im.find(r.id, r.number); img == nil {
		r.message = notFound
	}
	return img, r
}

// controlAnimation implements a=a. It answers only if there is no such image.
func (t *Terminal) controlAnimation(g *graphicsCommand) response {
	im := &t.active.images
	img, r := im.findAnimated(g)
	if img == nil {
		return r
	}
	a := img.animate()
	count := uint32(img.frames() + 1)
	if n, gap := g.get('r', 0), int32(g.signed('z')); n != 0 && n <= count && gap != 0 {
		a.setGap(n, gap)
	}
	if n := g.get('c', 0); n != 0 && n <= count && int(n)-1 != a.current {
		a.current = int(n) - 1
		im.touch(img)
	}
	if s := g.get('s', 0); s >= 1 && s <= 3 {
		a.state = int(s)
	}
	if n := g.get('v', 0); n != 0 {
		a.maxLoops = int(n) - 1
	}
	return response{}
}

// composeFrame implements a=c, which draws a rectangle of frame r into frame c. Since there are no
// pixels here, it only checks the arguments and answers.
func (t *Terminal) composeFrame(g *graphicsCommand) response {
	im := &t.active.images
	img, r := im.findAnimated(g)
	if img == nil {
		return r
	}
	r.id = img.id
	from, to := g.get('r', 0), g.get('c', 0)
	count := uint32(img.frames() + 1)
	w, h := int(g.get('w', 0)), int(g.get('h', 0))
	if w == 0 {
		w = img.width
	}
	if h == 0 {
		h = img.height
	}
	x, y, left, top := int(g.get('x', 0)), int(g.get('y', 0)), int(g.get('X', 0)), int(g.get('Y', 0))
	overlap := max(left, x) < min(left, x)+w && max(top, y) < min(top, y)+h
	switch {
	case from == 0 || from > count:
		return r.fail("ENOENT: source frame not found")
	case to == 0 || to > count:
		return r.fail("ENOENT: destination frame not found")
	case x+w > img.width || y+h > img.height:
		return r.fail("EINVAL: destination rectangle out of bounds")
	case left+w > img.width || top+h > img.height:
		return r.fail("EINVAL: source rectangle out of bounds")
	case from == to && overlap:
		return r.fail("EINVAL: source and destination rectangles overlap")
	}
	im.addAlpha(img)
	if img.animation == nil || int(to)-1 == img.animation.current {
		im.touch(img)
	}
	return r
}

// deleteFrame implements d=f. If the image has only one frame, a capital letter deletes the image.
func (im *images) deleteFrame(s *screen, g *graphicsCommand, free bool) {
	img, _ := im.findAnimated(g)
	if img == nil {
		return
	}
	if img.frames() == 0 {
		if free {
			im.removePlacements(s, true, func(p *placement) bool { return p.image == img.id })
			im.freeIfUnused(img.id)
		}
		return
	}
	a := img.animation
	number := max(int(min(g.get('r', 0), uint32(img.frames()+1))), 1)
	removed := number - 2 // as ghostty counts
	if number == 1 {      // the second one takes its place
		im.bytes -= img.bytes
		img.bytes, img.opaque = 0, false
		a.rootGap = a.gaps[0]
		a.gaps = slices.Delete(a.gaps, 0, 1)
		im.bytes -= img.frameBytes()
		img.bytes = img.frameBytes()
		im.bytes += img.bytes
		removed = 0
	} else {
		a.gaps = slices.Delete(a.gaps, number-2, number-1)
		im.bytes -= img.frameBytes()
	}
	switch {
	case a.current > len(a.gaps):
		a.current = len(a.gaps)
		im.touch(img)
	case removed == a.current:
		im.touch(img)
	case removed < a.current:
		a.current--
	}
}
