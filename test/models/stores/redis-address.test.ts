import { describe, expect, it } from 'vitest'
import { redisAddress } from '../../../src/models/stores/redis-address.ts'

describe('redisAddress', () => {
  it.each([
    ['redis://localhost', { host: 'localhost', port: 6379, database: 0, encrypted: false }],
    ['redis://127.0.0.1:6380/3', { host: '127.0.0.1', port: 6380, database: 3 }],
    ['rediss://user:p%40ss%2Fw%23rd@h/', { host: 'h', username: 'user', password: 'p@ss/w#rd', encrypted: true }],
    ['redis://:only@h', { username: undefined, password: 'only' }],
    ['redis://[::1]:7000', { host: '::1', port: 7000 }],
    ['REDIS://h', { host: 'h' }],
  ])('reads %s', (url, expected) => {
    expect(redisAddress(url)).toMatchObject(expected)
  })

  it.each([
    'redis://app:S3cret%zz@127.0.0.1:6399/0',
    'redis://:S3cret/x@127.0.0.1:6399',
    'redis://:S3cret#x@127.0.0.1:6399',
    'redis://:S3cret@127.0.0.1:sixthousand',
    'redis://:S3cret@127.0.0.1:99999',
    'http://:S3cret@127.0.0.1:6399',
    'reddis://:S3cret@127.0.0.1:6399',
    'redis://:S3cret@h/database',
    'S3cret',
    'redis://',
  ])('refuses %s and shows nothing of it', (url) => {
    const { fault } = redisAddress(url)
    expect(fault).toMatch(/redis:\/\//)
    expect(fault).not.toContain('S3cret')
  })
})
