/** The Lua script that decides all limits of a request together, by Redis' clock. docs/decisions/0020 shows its data. */

/**
 * KEYS: the user's log, and the session's log if any. ARGV: window in ms, cost, the user's limit, the session's limit. Returns { 1 if the session's log
 * decides, else 0; remaining; reset (Unix ms); wait (ms, 0 = admitted) }. A log is a list of runs (time, count, sum). A run is all requests that were admitted
 * in one millisecond. `sum` is a running sum modulo 2^32, so the count of the window is the difference of its two ends. Times are rounded up when written and
 * down when compared: rounding never admits early.
 */
export const admissionScript = `
local clock = redis.call('TIME')
local microseconds = clock[1] * 1000000 + clock[2]
local now, stamp = math.floor(microseconds / 1000), math.ceil(microseconds / 1000)
local window, cost = tonumber(ARGV[1]), tonumber(ARGV[2])
local form, wrap = '>I6I4I4', 4294967296

-- The clock was set back: what lies in the future counts from now, so that it leaves one window from now and not in an hour.
local function rebase(key)
  local runs = redis.call('LRANGE', key, 0, -1)
  local moved, sum = 0, 0
  for i = #runs, 1, -1 do
    local at, count, total = struct.unpack(form, runs[i])
    if at <= stamp then break end
    if i == #runs then sum = total end
    moved = moved + count
    redis.call('RPOP', key)
  end
  redis.call('RPUSH', key, struct.pack(form, stamp, moved, sum))
  redis.call('PEXPIRE', key, window + 2)
end

local function open(key, limit)
  local log = { key = key, limit = limit, size = 0, wait = 0, reset = now, sum = 0 }
  local last = redis.call('LINDEX', key, -1)
  if not last then return log end
  local lastAt, lastCount, lastSum = struct.unpack(form, last)
  if lastAt > stamp then
    rebase(key)
    lastAt, lastCount, lastSum = struct.unpack(form, redis.call('LINDEX', key, -1))
  end
  if lastAt + window <= now then
    redis.call('DEL', key)
    return log
  end
  local at, count, sum = struct.unpack(form, redis.call('LINDEX', key, 0))
  while at + window <= now do
    redis.call('LPOP', key)
    at, count, sum = struct.unpack(form, redis.call('LINDEX', key, 0))
  end
  log.lastAt, log.lastCount, log.sum = lastAt, lastCount, lastSum
  log.size = (lastSum - sum) % wrap + count
  log.reset = at + window
  local excess = log.size + cost - limit
  if excess <= 0 then return log end
  if excess <= count then
    log.wait = at + window - now
    return log
  end
  for _, run in ipairs(redis.call('LRANGE', key, 0, excess - 1)) do
    at, count = struct.unpack(form, run)
    log.wait = at + window - now
    excess = excess - count
    if excess <= 0 then break end
  end
  return log
end

local function add(log)
  local sum = (log.sum + cost) % wrap
  if log.lastAt == stamp then
    redis.call('LSET', log.key, -1, struct.pack(form, stamp, log.lastCount + cost, sum))
  else
    redis.call('RPUSH', log.key, struct.pack(form, stamp, cost, sum))
  end
  redis.call('PEXPIRE', log.key, window + 2)
  if log.size == 0 then log.reset = stamp + window end
  log.size = log.size + cost
end

local user = open(KEYS[1], tonumber(ARGV[3]))
if not KEYS[2] then
  if user.wait == 0 then add(user) end
  return { 0, math.max(0, user.limit - user.size), user.reset, user.wait }
end

local session = open(KEYS[2], tonumber(ARGV[4]))
local wait = math.max(user.wait, session.wait)
local tighter = session.wait > user.wait
if wait == 0 then
  add(user)
  add(session)
  tighter = session.limit - session.size < user.limit - user.size
end
if tighter then
  return { 1, math.max(0, session.limit - session.size), session.reset, wait }
end
return { 0, math.max(0, user.limit - user.size), user.reset, wait }
`;
