/**
 * Steps of a job that no two replicas may take at once. KEYS: the hash, the body, the events, the end, the heartbeat. ARGV: the id, the
 * channel, the ttl, then what the step needs.
 */
const CHANGED = `redis.call('PUBLISH', ARGV[2], ARGV[1])`
const IS_OVER = `
local status = redis.call('HGET', KEYS[1], 'status')
if not status or (status ~= 'queued' and status ~= 'running') then return 0 end`

/** KEYS[1]: the claim, ARGV[1]: the id that must hold it. */
export const FORGET = `
local held = redis.call('GET', KEYS[1])
if not held or string.sub(held, 1, #ARGV[1] + 1) ~= ARGV[1] .. ' ' then return 0 end
return redis.call('DEL', KEYS[1])`

/** Made once, whole and with its end: a second telling changes nothing. ARGV[4]: the body, or empty, from ARGV[5] on: fields of the hash. */
export const CREATE = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[3]) end
redis.call('HSET', KEYS[1], unpack(ARGV, 5))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

/** 2 where somebody runs it and is alive. ARGV[4]: when, ARGV[5]: how long a heartbeat counts, ARGV[6]: 1 where a missing heartbeat says nothing yet. Events of an earlier run are forgotten. */
export const BEGIN = `${IS_OVER}
if status == 'running' and (ARGV[6] == '1' or redis.call('EXISTS', KEYS[5]) == 1) then return 2 end
redis.call('SET', KEYS[5], '1', 'PX', ARGV[5])
redis.call('HSET', KEYS[1], 'status', 'running', 'startedAt', ARGV[4])
redis.call('HDEL', KEYS[1], 'progress')
redis.call('DEL', KEYS[3])
${CHANGED}
return 1`

/** ARGV[4]: the progress, from ARGV[5] on: events. */
export const NOTE = `${IS_OVER}
redis.call('HSET', KEYS[1], 'progress', ARGV[4])
for i = 5, #ARGV do redis.call('RPUSH', KEYS[3], ARGV[i]) end
redis.call('PEXPIRE', KEYS[3], ARGV[3])
${CHANGED}
return 1`

/** ARGV[4]: the status, ARGV[5]: when, ARGV[6]: the end, or empty. The body goes at once, the rest after the ttl. */
export const FINISH = `${IS_OVER}
redis.call('HSET', KEYS[1], 'status', ARGV[4], 'finishedAt', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('DEL', KEYS[2], KEYS[5])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
if ARGV[6] ~= '' then redis.call('SET', KEYS[4], ARGV[6], 'PX', ARGV[3]) end
${CHANGED}
return 1`
