/** True for an address that only this machine reaches. A name that merely begins like one does not count. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i
