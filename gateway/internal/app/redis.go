package app

import "time"

// redisPatience is how long a request may wait for Redis: a counter is not
// worth more.
const redisPatience = 300 * time.Millisecond
