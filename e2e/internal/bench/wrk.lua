-- Asks for the paths of a file in turn, a part of them on each thread.
-- Arguments: the file, the number of threads.
local threads = {}

function setup(thread)
  thread:set("part", #threads)
  table.insert(threads, thread)
end

function init(args)
  requests, at = {}, 0
  local n = 0
  for path in io.lines(args[1]) do
    if n % tonumber(args[2]) == part then
      table.insert(requests, wrk.format("GET", path))
    end
    n = n + 1
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format("result %d %d %d %d %d", summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
