package player

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

const (
	maxSkin  = 16 << 10 // bytes
	maxColor = 0xffffff
)

// readSkin returns the base colour of the game's avatar ("bc", a number 0xRRGGBB) as #rrggbb. It is
// empty where the skin has no valid colour, which does not prevent a login. It returns
// ErrSkinInvalid for a skin that is too large or not a JSON object.
func readSkin(skin []byte) (color string, err error) {
	if len(skin) > maxSkin || !utf8.Valid(skin) {
		return "", ErrSkinInvalid
	}
	var avatar map[string]json.RawMessage
	if err := json.Unmarshal(skin, &avatar); err != nil || avatar == nil {
		return "", ErrSkinInvalid
	}
	var base *int64
	if err := json.Unmarshal(avatar["bc"], &base); err == nil && base != nil && *base >= 0 && *base <= maxColor {
		return fmt.Sprintf("#%06x", *base), nil
	}
	return "", nil
}

// hasSkin reports whether a login has a skin.
func hasSkin(skin []byte) bool {
	skin = bytes.TrimSpace(skin)
	return len(skin) > 0 && !bytes.Equal(skin, []byte("null"))
}
