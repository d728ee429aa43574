import { loadConfig } from '../../config/load-config.ts'
import { serve } from '../serve.ts'
import type { Run } from './command.ts'
import { asConfigFaults } from './config-faults.ts'

export const serveCommand: Run = async () => {
  const config = await asConfigFaults(() => loadConfig(process.env))
  await asConfigFaults(() => serve(config), config.secrets)
}
