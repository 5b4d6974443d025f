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

// readSkin checks the game's avatar and reads its base colour ("bc", a number
// 0xRRGGBB) as #rrggbb. The color is empty where the skin has none that can be
// shown: what the game makes of its avatars is no reason to refuse a login.
// Returns ErrSkinInvalid for what is no JSON object or too large.
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

// hasSkin tells whether a login came with a skin at all.
func hasSkin(skin []byte) bool {
	skin = bytes.TrimSpace(skin)
	return len(skin) > 0 && !bytes.Equal(skin, []byte("null"))
}
