import { type Document, isMap, parseDocument } from 'yaml'
import { type Setting, SettingError } from './setting.ts'

/** One value of a YAML file; comments and order stay. */
export function yamlSetting(path: readonly [section: string, key: string], value: string): Setting {
  const [section, key] = path
  return {
    add(text) {
      const document = documentOf(text)
      if (document.get(section) == null) document.set(section, document.createNode({}))
      if (!isMap(document.get(section))) throw new SettingError(`its ${JSON.stringify(section)} is not a mapping`)
      document.setIn([section, key], value)
      return textOf(document)
    },
    remove(text, written) {
      const document = documentOf(text)
      const ours = written === null ? value : documentOf(written.after).getIn([section, key])
      if (document.getIn([section, key]) !== ours) return text
      const before = written?.before
      const old = documentOf(before ?? null).getIn([section, key])
      if (old !== undefined) document.setIn([section, key], old)
      else {
        document.deleteIn([section, key])
        const left = document.get(section)
        if (isMap(left) && left.items.length === 0) document.delete(section)
      }
      const isEmpty = !isMap(document.contents) || document.contents.items.length === 0
      return before === null && isEmpty ? null : textOf(document)
    },
  }
}

function documentOf(text: string | null): Document {
  const document: Document = parseDocument(text ?? '')
  if (document.errors.length > 0) throw new SettingError('it is not valid YAML')
  if (document.contents === null) document.contents = document.createNode({})
  if (!isMap(document.contents)) throw new SettingError('it does not hold a mapping')
  return document
}

const textOf = (document: Document): string => document.toString({ lineWidth: 0 })
