import { loadConfig } from '../../config/load-config.ts'
import { serve } from '../serve.ts'
import type { Run } from './command.ts'
import { asConfigFaults } from './config-faults.ts'

export const serveCommand: Run = () => asConfigFaults(async () => serve(await loadConfig(process.env)))
