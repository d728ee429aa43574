#!/usr/bin/env node
import { runCommand } from './process/run-command.ts'

await runCommand(process.argv.slice(2))
