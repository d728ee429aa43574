/** @import { Api, Entry, Method } from './api-shapes.js' */

/** @type {readonly Method[]} */
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const CODE = /`([a-z][a-z-]*)`: ([^`]*)/g

/**
 * Every operation of the document with its path, method and anchor, in the order they are written.
 * @param {Api} api
 * @returns {Entry[]}
 */
export function operationsOf(api) {
  return Object.entries(api.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const anchor = `${method}${path.replace(/[^A-Za-z0-9]+/g, '-')}`.replace(/-$/, '')
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      return [{ path, method, anchor, operation: { ...operation, parameters } }]
    }),
  )
}

/**
 * Operations by tag: tags in the document's order, then those it does not list, then the untagged.
 * @param {Api} api
 */
export function groupsOf(api) {
  /** @type {Map<string, { name: string, description?: string | undefined, operations: Entry[] }>} */
  const groups = new Map((api.tags ?? []).map(({ name, description }) => [name, { name, description, operations: [] }]))
  for (const entry of operationsOf(api)) {
    const name = entry.operation.tags?.[0] ?? 'other'
    const group = groups.get(name) ?? { name, operations: [] }
    group.operations.push(entry)
    groups.set(name, group)
  }
  return [...groups.values()].filter(({ operations }) => operations.length > 0)
}

/** Codes and titles that a response names in its description: "`rate-limited`: Too many requests." */
export const codesOf = (description = '') =>
  [...description.matchAll(CODE)].map(([, code = '', title = '']) => ({ code, title: title.trim().replace(/\.$/, '') }))

/**
 * Every error code of the document with its status, its title, and the endpoints that can answer with it.
 * @param {Api} api
 */
export function errorCodes(api) {
  /** @type {Map<string, { code: string, status: string, title: string, paths: string[] }>} */
  const found = new Map()
  for (const { path, operation } of operationsOf(api)) {
    for (const [status, { description }] of Object.entries(operation.responses ?? {})) {
      if (status.startsWith('2')) continue
      for (const { code, title } of codesOf(description)) {
        const row = found.get(code) ?? { code, status, title, paths: [] }
        row.paths.push(path)
        found.set(code, row)
      }
    }
  }
  return [...found.values()].sort((a, b) => Number(a.status) - Number(b.status) || a.code.localeCompare(b.code))
}
