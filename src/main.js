#!/usr/bin/env node
import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

// This file is JavaScript, and main.ts a link to it: for an entry point in TypeScript Node loads a compiler, since nothing is cached
// yet, and keeps it. That is 40 ms and 13 MiB; every other file comes from the cache.

// Between two markings of everything the heap may double. V8 allows as little as a tenth more where little in it changes, and counts the
// bodies that pass against that. Said before the compile cache is opened, whose entries hold for one set of flags.
v8.setFlagsFromString('--heap-growing-percent=100')

// undici's parser is WebAssembly, whose first two answers V8 takes for a reason to compile it anew: 20 ms and 12 MiB. After two hundred it is.
v8.setFlagsFromString('--wasm-tiering-budget=1300000000')

// Reading 600 files of TypeScript costs half a second of CPU, and the second start saves most of it. The cache lies beside the
// code it is made from, so that whoever may not write there cannot put code into it; where nobody may, there is none.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/recapd', import.meta.url)))

// Our own imports name their files, and Node would still look each up on the disk and read package.json files: 55 ms.
const SRC = new URL('.', import.meta.url).href
registerHooks({
  resolve(specifier, context, next) {
    if (!/^\.\.?\/.*\.ts$/.test(specifier) || !context.parentURL?.startsWith(SRC)) return next(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
  },
})

const { runCommand } = await import('./process/run-command.ts')
await runCommand(process.argv.slice(2))
