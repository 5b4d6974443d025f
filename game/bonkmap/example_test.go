package bonkmap_test

import (
	"errors"
	"fmt"

	"capzone.dev/game/bonkmap"
)

func ExampleMap_PhysicsFingerprint() {
	original := &bonkmap.Map{Name: "Skyline Run", Mode: bonkmap.Classic}
	renamed := &bonkmap.Map{Name: "Skyline Run 2", Mode: bonkmap.Classic}
	grapple := &bonkmap.Map{Name: "Skyline Run", Mode: bonkmap.Grapple}
	fmt.Println(original.PhysicsFingerprint() == renamed.PhysicsFingerprint())
	fmt.Println(original.PhysicsFingerprint() == grapple.PhysicsFingerprint())
	// Output:
	// true
	// false
}

func ExampleDecode_error() {
	_, err := bonkmap.Decode("IY$o")
	var invalid *bonkmap.Error
	if errors.As(err, &invalid) {
		fmt.Println(invalid.Layer, "at byte", invalid.Offset)
	}
	fmt.Println(err)
	// Output:
	// packed string at byte 2
	// bonkmap: packed string, byte 2: the character '$' is not in the alphabet
}

func ExampleDecode() {
	encoded, err := bonkmap.Encode(&bonkmap.Map{Name: "Skyline Run", Author: "cloudstep", Mode: bonkmap.Classic})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := bonkmap.Decode(encoded)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Name, "by", m.Author, "in", m.Mode, m.Mode.Parkour())
	// Output: Skyline Run by cloudstep in Classic true
}
