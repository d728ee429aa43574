/**
 * Steps of a job that no two replicas may take at once. KEYS: the hash, the body, the events, the end. ARGV: the id, the
 * channel, the ttl, then what the step needs.
 */
const CHANGED = `redis.call('PUBLISH', ARGV[2], ARGV[1])`
const IS_OVER = `
local status = redis.call('HGET', KEYS[1], 'status')
if not status or (status ~= 'queued' and status ~= 'running') then return 0 end`

/** ARGV[4]: when, ARGV[5]: 1 where a replica that died had begun it. Its events are forgotten. */
export const BEGIN = `${IS_OVER}
if status == 'running' and ARGV[5] ~= '1' then return 0 end
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
redis.call('DEL', KEYS[2])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
if ARGV[6] ~= '' then redis.call('SET', KEYS[4], ARGV[6], 'PX', ARGV[3]) end
${CHANGED}
return 1`
