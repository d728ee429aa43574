import { type Setting, SettingError } from './setting.ts'

/** A file that is ours alone, such as an extension in a folder of extensions. */
export function fileSetting(content: string): Setting {
  return {
    add(text) {
      if (text !== null && text !== content) throw new SettingError('another file has this name; move it away first')
      return content
    },
    remove(text, written) {
      if (text !== content && text !== written?.after) throw new SettingError('it was changed since; remove it by hand')
      return null
    },
  }
}
