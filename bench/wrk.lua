-- A request for each line of a file: method, path, token, body, with tabs between them. A `%d` in the body is another number each time.
local requests = {}
local next = 0
local thread = 0

function setup(one)
  one:set("number", thread)
  thread = thread + 1
end

function init(args)
  for line in io.lines(args[1]) do
    local method, path, token, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
    table.insert(requests, { method = method, path = path, token = token, body = body })
  end
  stamp = args[2]
end

function request()
  next = next + 1
  local one = requests[next % #requests + 1]
  local body = one.body:gsub("%%d", stamp .. number .. next)
  local headers = { ["Content-Type"] = "application/json", ["device-type"] = "web", ["token"] = one.token, ["Accept-Language"] = "zh-CN" }
  return wrk.format(one.method, one.path, headers, body ~= "" and body or nil)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"perSecond":%f,"faults":%d,"p50":%f,"p99":%f}\n',
    summary.requests / summary.duration * 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
