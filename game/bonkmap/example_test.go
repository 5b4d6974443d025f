package bonkmap_test

import (
	"fmt"

	"capzone.dev/game/bonkmap"
)

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
