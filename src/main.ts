#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

// Between two markings of everything the heap may double. V8 allows as little as a tenth more where little in it changes, and counts the
// bodies that pass against that. Said before the compile cache is opened, whose entries hold for one set of flags.
v8.setFlagsFromString('--heap-growing-percent=100')

// Reading 400 files of TypeScript costs half a second of CPU, and the second start saves most of it. The cache lies beside the
// code it is made from, so that whoever may not write there cannot put code into it; where nobody may, there is none.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/recapd', import.meta.url)))

const { runCommand } = await import('./process/run-command.ts')
await runCommand(process.argv.slice(2))
