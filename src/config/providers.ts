import type { Fault } from '../domain/errors.ts'
import type { ModelOptions, ProviderOptions } from '../models/options.ts'
import { keyLines } from './key-lines.ts'
import { knownWindow } from './windows.ts'

export interface ResolvedProviders {
  readonly providers: Record<string, ProviderOptions>
  readonly warnings: readonly string[]
  readonly faults: readonly Fault[]
}

/** Reads key files and fills in the windows a file leaves out, so that nobody below has to know about either. */
export function resolveProviders(
  providers: Readonly<Record<string, ProviderOptions>>,
  readFile: (name: string) => string,
): ResolvedProviders {
  const faults: Fault[] = []
  const warnings: string[] = []
  const resolved = Object.entries(providers).map(([name, provider]): [string, ProviderOptions] => {
    const apiKeys = [...(provider.apiKeys ?? []), ...keysOfFile(name, provider.apiKeysFile)]
    if (provider.type === 'remote') return [name, { ...provider, apiKeys }]
    const models = Object.fromEntries(
      Object.entries(provider.models).map(([model, options]) => [
        model,
        withWindow({ id: `${name}/${model}`, model, options }, warnings),
      ]),
    )
    return [name, { ...provider, apiKeys, models }]
  })
  return { providers: Object.fromEntries(resolved), warnings, faults }

  function keysOfFile(name: string, file: string | undefined): string[] {
    if (file === undefined) return []
    try {
      return [...keyLines(readFile(file))]
    } catch {
      faults.push({ path: `providers.${name}.apiKeysFile`, message: 'names a file that cannot be read' })
      return []
    }
  }
}

function withWindow(
  { id, model, options }: { readonly id: string; readonly model: string; readonly options: ModelOptions },
  warnings: string[],
): ModelOptions {
  if (options.contextWindow !== undefined) return options
  const facts = knownWindow(model)
  if (!facts.known)
    warnings.push(
      `${id}: context window unknown, taken as ${facts.contextWindow} tokens; set contextWindow or ${id}@<tokens>`,
    )
  const maxOutputTokens = options.maxOutputTokens ?? facts.maxOutputTokens
  return {
    ...options,
    contextWindow: facts.contextWindow,
    maxOutputTokens,
  }
}
